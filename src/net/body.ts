import { addAbortSignal, pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";
import { getErrorCode } from "#domain/core/errors/error.ts";
import { ByteCollector } from "#runtime/byte-collector.ts";
import { type RateLimits, type RateWatch, watchRate } from "#runtime/turns/rate-watch.ts";
import { TooSlowError } from "./transfer-limits.ts";

/** The bytes read from a body, and whether there were more. */
type ReadBody = { readonly body: Uint8Array; readonly truncated: boolean };

/** The content codings the fetcher asks for; see `readBody`. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/** Extra encoded bytes that are read beyond `maxBytes`, for the overhead of the content coding. */
const ENCODING_SLACK_BYTES = 65_536;

/** More nested codings occur only in decompression bombs. */
const MAX_CODINGS = 2;

/** Thrown for a body that does not decode with its declared coding, or whose coding is unknown. */
export class EncodingError extends Error {
  readonly coding: string;

  constructor(coding: string, cause?: unknown) {
    super(`The body does not decode as ${coding}.`, cause === undefined ? undefined : { cause });
    this.name = "EncodingError";
    this.coding = coding;
  }
}

/**
 * Reads and decodes a body (Content-Encoding, RFC 9110, section 8.4; zstd, RFC 8878). Stops at `maxBytes` decoded bytes, or at `maxBytes`
 * plus `ENCODING_SLACK_BYTES` encoded bytes, and closes the source. An incomplete body is returned as far as it decodes, `truncated`.
 * Throws `EncodingError` when nothing decodes, `TooSlowError`, the source's error, or an `AbortError` when the signal aborts the decoding.
 */
export const readBody = async (
  source: Readable,
  contentEncoding: string,
  maxBytes: number,
  limits: RateLimits,
  signal: AbortSignal,
): Promise<ReadBody> => {
  source.on("error", ignore);
  const codings = readCodings(contentEncoding);
  const wire = { cut: false };
  const rate = watchRate(limits, () => source.destroy(new TooSlowError()));
  const chunks = takeChunks(source, codings.length === 0 ? Infinity : maxBytes + ENCODING_SLACK_BYTES, wire, rate);
  try {
    if (codings.length === 0) return await collect(chunks, maxBytes);
    const first = await chunks.next();
    if (first.done === true) return { body: new Uint8Array(0), truncated: false };
    const decoders = codings.reverse().map((coding, index) => makeDecoder(coding, index === 0 ? first.value : null));
    // A small body may decode for hours without output after its last byte arrived, when the request ignores the signal.
    const decoded = addAbortSignal(signal, chain(Readable.from(prepend(first.value, chunks)), decoders));
    const read = await collect(decoded, maxBytes, (error) => isDecodeError(error) && codings.join(", "));
    return { body: read.body, truncated: read.truncated || wire.cut };
  } finally {
    rate.stop();
    source.destroy();
  }
};

const ignore = (): void => {};

const readCodings = (contentEncoding: string): string[] => {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) throw new EncodingError(contentEncoding.slice(0, 100));
  return codings;
};

const makeDecoder = (coding: string, firstChunk: Uint8Array | null): Transform => {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      // Some servers omit the zlib header (RFC 1950), whose first byte has 8 in its low bits.
      return firstChunk !== null && ((firstChunk[0] ?? 8) & 15) !== 8 ? createInflateRaw() : createInflate();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress();
    default:
      throw new EncodingError(coding.slice(0, 100));
  }
};

const chain = (source: Readable, decoders: readonly Transform[]): Readable => {
  const last = decoders.at(-1) ?? source;
  // The reader of the last stream handles the error; the callback only prevents a second throw.
  pipeline([source, ...decoders], ignore);
  return last;
};

async function* takeChunks(
  source: Readable,
  limit: number,
  wire: { cut: boolean },
  rate: RateWatch,
): AsyncGenerator<Uint8Array, undefined> {
  let size = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    rate.count(chunk.length);
    if (size > limit) {
      wire.cut = true;
      return;
    }
    if (chunk.length > 0) yield chunk;
  }
  // What follows is decoding, whose duration is not the origin's fault.
  rate.stop();
}

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Collects chunks up to `maxBytes`. `nameCoding` returns the coding for a decoding error, and false for a network error. */
const collect = async (
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  nameCoding: (error: unknown) => string | false = () => false,
): Promise<ReadBody> => {
  const body = new ByteCollector();
  let truncated = false;
  try {
    for await (const chunk of chunks) {
      const remaining = maxBytes - body.size;
      truncated = chunk.length > remaining;
      body.add(truncated ? chunk.subarray(0, remaining) : chunk);
      if (truncated) break;
    }
  } catch (error: unknown) {
    const coding = nameCoding(error);
    if (coding === false) throw error;
    if (body.size === 0 && !isEndOfInput(error)) throw new EncodingError(coding, error);
    truncated = true;
  }
  return { body: body.take(), truncated };
};

/** The codes of zlib, brotli (whose names have two underscores) and zstd; undici, TLS and the system use none of these. */
const isDecodeError = (error: unknown): boolean => /^(?:Z_|ZSTD_|ERR_(?:_|BROTLI_|ZSTD_))/.test(getErrorCode(error));

const isEndOfInput = (error: unknown): boolean => getErrorCode(error) === "Z_BUF_ERROR";
