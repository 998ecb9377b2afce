import { ModelError, type ModelFailure } from "#domain/model/model.ts";
import type { Embedder } from "#domain/answers/vectors.ts";
import { retry } from "#runtime/retry.ts";
import { isPassing, statusOf, toModelError } from "../errors.ts";
import type { ModelFetch } from "../fetch.ts";
import { StatusError } from "../media-error.ts";
import { normalise } from "./vector.ts";

export type RemoteSettings = {
  readonly model: string;
  /** The base of the OpenAI-compatible API, without a slash at its end. */
  readonly baseUrl: string;
  /** May be empty for a server of one's own. */
  readonly apiKey: string;
};

/** Texts of one call. */
const BATCH = 64;
/** Calls after the first, and the wait before each, in milliseconds; the server may ask for more, up to so many seconds. */
const RETRIES = 3;
const BACK_OFF_MS = 500;
const MAX_WAIT_SECONDS = 20;
/** The whole time of a call with its repetitions, in milliseconds: where somebody waits, and else. */
const URGENT_MS = 5_000;
const CALM_MS = 120_000;
/** Components are kept in words of 32 bits; those beyond the last whole word are cut. */
const WORD = 32;
const MAX_DIMENSIONS = 16_384;
const MAX_ERROR_LENGTH = 10_000;
/** More than models read; of a longer text its start stands for all. */
const MAX_CHARACTERS = 8_000;

const WHY: Readonly<Record<ModelFailure, string>> = {
  unreachable: "The embeddings server can't be reached. Check EMBEDDINGS_BASE_URL.",
  timeout: "The embeddings server did not answer in time.",
  rate_limited: "The embeddings server takes no more calls for now.",
  refused: "The embeddings server refused the call. Check EMBEDDINGS_MODEL.",
  cut_off: "The embeddings server's answer was cut off.",
  wrong_answer: "The embeddings server sent an answer that can't be read. Check EMBEDDINGS_MODEL.",
};

/** Vectors from `POST /embeddings` of an OpenAI-compatible server; `openFetch` is called by the first text. */
export function createRemoteEmbedder(settings: RemoteSettings, openFetch: () => Promise<ModelFetch>): Embedder {
  const closing = new AbortController();
  let opened: Promise<ModelFetch> | undefined;
  /** Told by the first answer: vectors of another length can't be compared with it. */
  let dimensions: number | null = null;

  async function requestVectors(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { fetch } = await (opened ??= openFetch());
    const response = await fetch(`${settings.baseUrl}/embeddings`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(settings.apiKey === "" ? {} : { authorization: `Bearer ${settings.apiKey}` }),
      },
      body: JSON.stringify({ model: settings.model, input: texts, encoding_format: "float" }),
      signal,
    });
    if (!response.ok)
      throw new StatusError(response.status, Object.fromEntries(response.headers), (await response.text()).slice(0, MAX_ERROR_LENGTH));
    const vectors = vectorsOf(await response.json(), texts.length);
    dimensions ??= vectors[0]?.length ?? null;
    if (vectors.some(({ length }) => length !== dimensions)) throw new Error("The vectors are not of one length.");
    return vectors;
  }

  async function ask(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    try {
      return await requestVectors(texts, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw describe(error, settings.apiKey);
    }
  }

  const askWithRetries = (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> =>
    retry(
      () => ask(texts, signal),
      (failure, attempt) => {
        if (!(failure instanceof ModelError) || !isPassing(failure) || attempt > RETRIES) return null;
        const waitMs = Math.max((failure.retryAfterSeconds ?? 0) * 1_000, BACK_OFF_MS * 2 ** (attempt - 1));
        return waitMs > MAX_WAIT_SECONDS * 1_000 ? null : waitMs;
      },
      signal,
    );

  return {
    model: `openai-compatible/${settings.model}`,
    accepts: () => true,
    prepare: () => undefined,
    async embed(texts, { isUrgent, signal }) {
      signal.throwIfAborted();
      const deadline = AbortSignal.timeout(isUrgent ? URGENT_MS : CALM_MS);
      const ended = AbortSignal.any([signal, closing.signal, deadline]);
      const vectors: Float32Array[] = [];
      // Servers refuse blank texts, which have no direction anyway.
      const wanted = texts.map((text) => text.slice(0, MAX_CHARACTERS).toWellFormed()).filter((text) => text.trim() !== "");
      try {
        for (let from = 0; from < wanted.length; from += BATCH)
          vectors.push(...(await askWithRetries(wanted.slice(from, from + BATCH), ended)));
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) throw new ModelError("timeout", WHY.timeout, { cause: error });
        throw error;
      }
      let next = 0;
      return texts.map((text) =>
        text.slice(0, MAX_CHARACTERS).trim() === "" ? new Float32Array(dimensions ?? WORD) : (vectors[next++] as Float32Array),
      );
    },
    async close() {
      closing.abort(new Error("The embeddings model is closed."));
      if (opened !== undefined) await (await opened).close();
    },
  };
}

/** What went wrong, told by the settings that decide over it; never with the key. */
function describe(error: unknown, key: string): ModelError {
  const { failure, retryAfterSeconds, cause } = toModelError(error, key, false);
  return new ModelError(failure, whyStatus(statusOf(error)) ?? WHY[failure], {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function whyStatus(status: number | undefined): string | null {
  if (status === 401 || status === 403) return "The embeddings server refused the key. Check EMBEDDINGS_API_KEY.";
  if (status === 404) return "The embeddings model was not found. Check EMBEDDINGS_MODEL and EMBEDDINGS_BASE_URL.";
  if (status !== undefined && status >= 300 && status <= 399)
    return "The embeddings server redirects elsewhere, which is not followed. Set EMBEDDINGS_BASE_URL to where it is.";
  return null;
}

/** The vectors of an answer in the order of the texts, cut to whole words and of length 1. Throws where it is none of `count` texts. */
function vectorsOf(answer: unknown, count: number): Float32Array[] {
  const { data } = objectOf(answer);
  if (!Array.isArray(data) || data.length !== count) throw new Error("The answer has no vector for each text.");
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [i, item] of data.entries()) {
    const { index = i, embedding } = objectOf(item);
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count)
      throw new Error("The answer has a vector of no text.");
    vectors[index] = vectorOf(embedding);
  }
  return vectors.map((vector) => {
    if (vector === undefined) throw new Error("The answer has no vector for each text.");
    return vector;
  });
}

function vectorOf(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length < WORD || embedding.length > MAX_DIMENSIONS)
    throw new Error("The answer holds something that is no vector.");
  const vector = Float32Array.from(embedding.slice(0, embedding.length - (embedding.length % WORD)), (part: unknown) =>
    typeof part === "number" ? part : Number.NaN,
  );
  if (!vector.every(Number.isFinite)) throw new Error("The answer holds a vector of something else than numbers.");
  return normalise(vector);
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
