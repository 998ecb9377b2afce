import type { UploadedFile } from "#domain/content/file.ts";
import type { UrlRejection } from "#domain/content/fetch.ts";
import type { Passwords } from "#domain/settings/member.ts";
import type { LanguageModel, ModelError } from "#domain/model/model.ts";
import type { Analyser } from "#domain/answers/search.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import type { TileType } from "#domain/content/tile.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import type { Embedder } from "#domain/answers/vectors.ts";
import type { SecretBox } from "#domain/settings/webhook.ts";
import type { TokenCounter } from "#retrieval/answer/token-counter.ts";
import type { Semaphore } from "#runtime/semaphore.ts";

export type LinkReading = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly refusal: UrlRejection };

/** The dependencies of the use cases, passed to each as its first argument. */
export type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly passwords: Passwords;
  /** The configured language model; null makes answers extractive. */
  readonly model: LanguageModel | null;
  /** Called with every failed call of the model, for the operator's log. */
  readonly onModelFailure?: (error: ModelError) => void;
  /** Takes turns among businesses and callers: for questions, and for all work that occupies the processor. */
  readonly questionQueue: Semaphore;
  readonly workQueue: Semaphore;
  /** Limits the calls that wait for a tile or generation. */
  readonly waitQueue: Semaphore;
  /** Takes the same turns for generations that read their material, which takes much memory. */
  readonly materialQueue: Semaphore;
  /** Counts what this process does, for `/metrics`. */
  readonly meter: Meter;
  readonly analyser: Analyser;
  /** Computes sentence vectors; null when embeddings are off. */
  readonly embedder: Embedder | null;
  /** Called when the vector of a question could not be computed, for the operator's log. */
  readonly onEmbedderFailure?: (error: unknown) => void;
  readonly tokenCounter: TokenCounter;
  /** Called when tokens could not be counted, for the operator's log. */
  readonly onTokenCounterFailure?: (error: unknown) => void;
  readonly links: {
    /** Parses and checks the URL of a link. */
    read(input: string): LinkReading;
    /** Parses and checks the URL of a webhook. */
    readWebhook(input: string): LinkReading;
    detect(url: URL): { readonly type: TileType; readonly subtype?: string };
    /** Detects the type of an upload: from its first bytes, then from its media type and name. */
    detectFile(head: Uint8Array, file: UploadedFile): TileType;
    /** Returns the key of the concurrency limit of a link. All host names of one service share a key. */
    getHostGroup(url: URL): string;
  };
  readonly settings: {
    readonly ingestAttempts: number;
    readonly askContextTokens: number;
    /** Maximum lengths of zone and board names, and of titles, in Unicode code points. */
    readonly maxName: number;
    readonly maxTitle: number;
    /** The timeout of one model call, in milliseconds. */
    readonly llmTimeoutMs: number;
    readonly llmMaxOutputTokens: number;
  };
};

/** How long deleted content can be restored, in milliseconds. */
export const RESTORE_WINDOW_MS = 30 * 24 * 3_600_000;
