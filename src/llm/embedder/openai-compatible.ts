import { ModelError, type ModelFailure } from "#domain/model/model.ts";
import type { Embedder } from "#domain/answers/vectors.ts";
import { describeShortage, findShortage } from "#domain/core/errors/shortage.ts";
import { lazy, type Lazy } from "#runtime/lazy.ts";
import { retry } from "#runtime/retry.ts";
import { isTransient, getHttpStatus, toModelError } from "../errors.ts";
import type { ModelFetch } from "../fetch.ts";
import { StatusError } from "../media/errors.ts";
import { normalise } from "./vector.ts";

export type RemoteSettings = {
  readonly model: string;
  /** The base of the OpenAI-compatible API, without a slash at its end. */
  readonly baseUrl: string;
  /** May be empty for a self-hosted server. */
  readonly apiKey: string;
};

/** Texts of one request. */
const BATCH_SIZE = 64;
/** Retries, the delay before the first one (it doubles), and the longest delay that a server may request. */
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 500;
const MAX_RETRY_AFTER_SECONDS = 20;
/** Time limits of a request and its retries, for urgent and for other texts. */
const URGENT_TIMEOUT_MS = 5_000;
const BACKGROUND_TIMEOUT_MS = 120_000;
/** Sign bits are stored in words of 32; components beyond the last whole word are dropped. */
const WORD_BITS = 32;
const MAX_DIMENSIONS = 16_384;
const MAX_ERROR_LENGTH = 10_000;
/** Only the start of a longer text is embedded, because models ignore the rest. */
const MAX_CHARACTERS = 8_000;

const MESSAGES: Readonly<Record<ModelFailure, string>> = {
  unreachable: "The embeddings server can't be reached. Check EMBEDDINGS_BASE_URL.",
  timeout: "The embeddings server did not answer in time.",
  rate_limited: "The embeddings server has reached its rate limit. Retry later.",
  refused: "The embeddings server rejected the request. Check EMBEDDINGS_MODEL.",
  cut_off: "The embeddings server's answer was cut off.",
  wrong_answer: "The embeddings server returned an invalid response. Check EMBEDDINGS_MODEL.",
};

/** Creates an embedder that uses `POST /embeddings` of an OpenAI-compatible server; `openFetch` is called for the first text. */
export const createRemoteEmbedder = (settings: RemoteSettings, openFetch: () => Promise<ModelFetch>): Embedder =>
  new RemoteEmbedder(settings, openFetch);

class RemoteEmbedder implements Embedder {
  readonly model: string;
  readonly #settings: RemoteSettings;
  readonly #closing = new AbortController();
  readonly #fetch: Lazy<ModelFetch>;
  /** Set by the first response. Vectors of different lengths can't be compared. */
  #dimensions: number | null = null;

  constructor(settings: RemoteSettings, openFetch: () => Promise<ModelFetch>) {
    this.model = `openai-compatible/${settings.model}`;
    this.#settings = settings;
    this.#fetch = lazy(openFetch);
  }

  accepts(): boolean {
    return true;
  }

  prepare(): void {
    // The server keeps its model loaded.
  }

  async embed(
    texts: readonly string[],
    { isUrgent, signal }: { readonly isUrgent: boolean; readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    const deadline = AbortSignal.timeout(isUrgent ? URGENT_TIMEOUT_MS : BACKGROUND_TIMEOUT_MS);
    const ended = AbortSignal.any([signal, this.#closing.signal, deadline]);
    const cut = texts.map((text) => text.slice(0, MAX_CHARACTERS).toWellFormed());
    // Servers reject blank texts; their vector is zero.
    const wanted = cut.filter((text) => text.trim() !== "");
    const vectors: Float32Array[] = [];
    try {
      for (let from = 0; from < wanted.length; from += BATCH_SIZE)
        vectors.push(...(await this.#requestWithRetries(wanted.slice(from, from + BATCH_SIZE), ended)));
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) throw new ModelError("timeout", MESSAGES.timeout, { cause: error });
      throw error;
    }
    let next = 0;
    return cut.map((text) => (text.trim() === "" ? new Float32Array(this.#dimensions ?? WORD_BITS) : (vectors[next++] as Float32Array)));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("The embeddings model is closed."));
    await (await this.#fetch.loaded())?.close();
  }

  #requestWithRetries(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const request = async (): Promise<readonly Float32Array[]> => {
      try {
        return await this.#request(texts, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw toEmbeddingError(error, this.#settings.apiKey);
      }
    };
    return retry(request, getRetryDelay, signal);
  }

  async #request(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { fetch } = await this.#fetch.get();
    const { model, baseUrl, apiKey } = this.#settings;
    const response = await fetch(`${baseUrl}/embeddings`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      signal,
    });
    if (!response.ok)
      throw new StatusError(response.status, Object.fromEntries(response.headers), (await response.text()).slice(0, MAX_ERROR_LENGTH));
    const vectors = parseVectors(await response.json(), texts.length);
    this.#dimensions ??= vectors[0]?.length ?? null;
    if (vectors.some(({ length }) => length !== this.#dimensions)) throw new Error("The vectors have different lengths.");
    return vectors;
  }
}

/** Returns the milliseconds before the next attempt, or null if there is none. */
function getRetryDelay(failure: unknown, attempt: number): number | null {
  if (!(failure instanceof ModelError) || !isTransient(failure) || attempt > MAX_RETRIES) return null;
  const delayMs = Math.max((failure.retryAfterSeconds ?? 0) * 1_000, RETRY_DELAY_MS * 2 ** (attempt - 1));
  return delayMs > MAX_RETRY_AFTER_SECONDS * 1_000 ? null : delayMs;
}

/** Converts an error into one whose message names the settings to check. Never contains the key. */
function toEmbeddingError(error: unknown, key: string): ModelError {
  const { failure, retryAfterSeconds, cause } = toModelError(error, key, false);
  const shortage = findShortage(error);
  const message = shortage !== null ? describeShortage(shortage) : (describeStatus(getHttpStatus(error)) ?? MESSAGES[failure]);
  return new ModelError(failure, message, {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function describeStatus(status: number | undefined): string | null {
  if (status === 401 || status === 403) return "The embeddings server refused the key. Check EMBEDDINGS_API_KEY.";
  if (status === 404) return "The embeddings model was not found. Check EMBEDDINGS_MODEL and EMBEDDINGS_BASE_URL.";
  if (status !== undefined && status >= 300 && status <= 399)
    return "The embeddings server redirects elsewhere, which is not followed. Set EMBEDDINGS_BASE_URL to its final address.";
  return null;
}

/** Reads the vectors of a response in the order of the texts, cut to whole 32-bit words and of length 1. Throws if there are not `count`. */
function parseVectors(response: unknown, count: number): Float32Array[] {
  const { data } = toObject(response);
  if (!Array.isArray(data) || data.length !== count) throw new Error("The response does not have one vector for each text.");
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [i, item] of data.entries()) {
    const { index = i, embedding } = toObject(item);
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count)
      throw new Error("The response has a vector with an invalid index.");
    vectors[index] = parseVector(embedding);
  }
  return vectors.map((vector) => {
    if (vector === undefined) throw new Error("The response does not have one vector for each text.");
    return vector;
  });
}

function parseVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length < WORD_BITS || embedding.length > MAX_DIMENSIONS)
    throw new Error("The response contains an invalid vector.");
  const vector = Float32Array.from(embedding.slice(0, embedding.length - (embedding.length % WORD_BITS)), (part: unknown) =>
    typeof part === "number" ? part : Number.NaN,
  );
  if (!vector.every(Number.isFinite)) throw new Error("The response contains a vector of something other than numbers.");
  return normalise(vector);
}

const toObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
