import type { Mail, UploadedFile } from "#domain/content/file.ts";
import type { UrlRejection } from "#domain/content/fetch.ts";
import type { Passwords } from "#domain/settings/member.ts";
import type { LanguageModel } from "#domain/model/model.ts";
import type { Analyser } from "#domain/answers/search.ts";
import type { Log } from "#domain/core/log.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import type { TileType } from "#domain/content/tile.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import type { Embedder } from "#domain/answers/vectors.ts";
import type { SecretBox } from "#domain/settings/webhook.ts";
import type { TokenCounter } from "#retrieval/answer/token-counter.ts";
import type { Semaphore } from "#runtime/turns/semaphore.ts";

export type LinkReading = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly refusal: UrlRejection };

/** What most use cases need. Each declares the group that has what it uses, and gets it as its first argument. */
export type StoreDeps = { readonly store: Store; readonly clock: Clock };

/** For use cases that work step by step, in turns with other callers. */
export type WorkDeps = StoreDeps & {
  /** Takes turns among businesses and callers, for all work that occupies the processor. */
  readonly workQueue: Semaphore;
};

/** For use cases that create tiles, or have them read again. */
export type ContentDeps = WorkDeps & { readonly links: LinkRules; readonly settings: ServiceSettings };

/** For use cases that search boards. */
export type SearchDeps = WorkDeps & {
  readonly analyser: Analyser;
  /** Computes sentence vectors; null when embeddings are off. */
  readonly embedder: Embedder | null;
  readonly log: Log;
};

/** For calls of the language model. */
export type ModelDeps = StoreDeps & {
  readonly settings: ServiceSettings;
  /** Counts what this process does, for `/metrics`. */
  readonly meter: Meter;
  readonly log: Log;
};

/** For use cases that answer and generate. */
export type AnswerDeps = SearchDeps &
  ModelDeps & {
    /** The configured language model; null makes answers extractive. */
    readonly model: LanguageModel | null;
    readonly tokenCounter: TokenCounter;
    /** Takes turns for questions as `workQueue` does. */
    readonly questionQueue: Semaphore;
    /** Takes the same turns for generations that read their material, which takes much memory. */
    readonly materialQueue: Semaphore;
  };

/** The dependencies of all use cases. */
export type Deps = ContentDeps &
  AnswerDeps & {
    readonly secretBox: SecretBox;
    readonly passwords: Passwords;
    readonly readMail: MailReader;
    /** Limits the calls that wait for a tile, generation or change. */
    readonly waitQueue: Semaphore;
  };

/**
 * Reads a raw e-mail for a business, outside the main thread and with bounded time and memory. Throws `IngestError` if it can't be read, or
 * the signal's reason. The bytes can't be used afterwards.
 */
export type MailReader = (bytes: Uint8Array, businessId: string, signal: AbortSignal) => Promise<Mail>;

/** What is known of URLs and files before they are read. */
export type LinkRules = {
  /** Parses and checks the URL of a link. */
  read(input: string): LinkReading;
  /** Parses and checks the address that a text or a page came from. It may be inside the network, since it is not requested. */
  readSource(input: string): LinkReading;
  /** Parses and checks the URL of a webhook. */
  readWebhook(input: string): LinkReading;
  detect(url: URL): { readonly type: TileType; readonly subtype?: string };
  /** Detects the type of an upload: from its first bytes, then from its media type and name. */
  detectFile(head: Uint8Array, file: UploadedFile): TileType;
  /** Returns the key of the concurrency limit of a link. All host names of one service share a key. */
  getHostGroup(url: URL): string;
};

export type ServiceSettings = {
  readonly ingestAttempts: number;
  readonly askContextTokens: number;
  /** Maximum lengths of zone and board names, and of titles, in Unicode code points. */
  readonly maxName: number;
  readonly maxTitle: number;
  /** The timeout of one model call, in milliseconds. */
  readonly llmTimeoutMs: number;
  readonly llmMaxOutputTokens: number;
};

/** How long deleted content can be restored, in milliseconds. */
export const RESTORE_WINDOW_MS = 30 * 24 * 3_600_000;
