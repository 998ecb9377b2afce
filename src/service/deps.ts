import type { UploadedFile } from "#domain/content/file.ts";
import type { AddressRefusal } from "#domain/content/fetch.ts";
import type { Passwords } from "#domain/settings/member.ts";
import type { LanguageModel, ModelError } from "#domain/model/model.ts";
import type { Analyser } from "#domain/answers/search.ts";
import type { Store } from "#domain/store.ts";
import type { Clock } from "#domain/core/system.ts";
import type { TileType } from "#domain/content/tile.ts";
import type { ModelMeter } from "#domain/model/usage.ts";
import type { Embedder } from "#domain/answers/vectors.ts";
import type { SecretBox } from "#domain/settings/webhook.ts";
import type { Semaphore } from "#runtime/semaphore.ts";

export type LinkReading = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly refusal: AddressRefusal };

/** What the use cases need, passed to each as its first argument. */
export type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly passwords: Passwords;
  /** The configured language model; null makes answers extractive. */
  readonly model: LanguageModel | null;
  /** Called with every failed call of the model, for the operator's log. */
  readonly onModelFailure?: (error: ModelError) => void;
  /** Limits how many questions are answered at once; without it there is no limit. */
  readonly questionQueue?: Semaphore;
  /** Counts calls of models for `/metrics`. */
  readonly meter: ModelMeter;
  readonly analyser: Analyser;
  /** Makes sentence vectors; null when they are off. */
  readonly embedder: Embedder | null;
  /** Called when a question gets no vector, for the operator's log. */
  readonly onEmbedderFailure?: (error: unknown) => void;
  readonly loadTokenCounter: () => Promise<(text: string) => number>;
  readonly links: {
    /** Checks an address that a link is to be fetched from. */
    read(input: string): LinkReading;
    /** Checks an address that a webhook is to be sent to. */
    readWebhook(input: string): LinkReading;
    detect(url: URL): { readonly type: TileType; readonly subtype?: string };
    /** The kind of an upload, by its first bytes before what it says of itself. */
    detectFile(head: Uint8Array, file: UploadedFile): TileType;
    /** Whose places a link takes while it is worked on: one service's links share them, under whatever of its names. */
    groupOf(url: URL): string;
  };
  readonly settings: {
    readonly ingestAttempts: number;
    readonly askContextTokens: number;
    /** The longest name of a zone or a board, and the longest title, in Unicode code points. */
    readonly maxName: number;
    readonly maxTitle: number;
    /** The whole time of one answer of the model, in milliseconds. */
    readonly llmTimeoutMs: number;
    readonly llmMaxOutputTokens: number;
  };
};

/** How long what was deleted can be brought back, in milliseconds. */
export const RESTORE_WINDOW_MS = 30 * 24 * 3_600_000;
