import { type Readable, pipeline } from "node:stream";
import { promisify } from "node:util";
import { type BrotliOptions, type ZlibOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import type { Owner } from "#runtime/turns/fair-queue.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";
import { chooseEncoding } from "./encoding.ts";

export type Encoding = "br" | "gzip";

const ENCODINGS: readonly Encoding[] = ["br", "gzip"];
/**
 * These levels compress JSON to a sixth at 50 MB/s. Higher ones cost several times the CPU and save a tenth. With the window of 256 KiB a
 * compressor takes 0.5 MiB, with the default of 4 MiB it takes 5.6.
 */
const BROTLI: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
};
/** The memory of the compressor of a stream. */
export const COMPRESSOR_BYTES = 524_288;
const GZIP: ZlibOptions = { level: 5 };

/** As many as the thread pool has threads: more would only hold memory. */
const compressors = createSemaphore({ slots: 4 });

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Whether the responses of a route may be compressed. Settings are not: they contain secrets next to text from others, and the length of
 * a compressed body would reveal them (BREACH attack).
 */
export const isCompressible = (path: string): boolean => path.startsWith("/api/board/") || path.startsWith("/api/v1/");

/** Returns the coding in which the body is sent; null for none. */
export const chooseCompression = (acceptEncoding: string | undefined): Encoding | null => chooseEncoding(acceptEncoding, ENCODINGS);

/** Compresses a body in the thread pool. The bodies of `owner` wait for those of others that have fewer in progress. */
export const compress = (body: string | Buffer, encoding: Encoding, owner: Owner): Promise<Buffer> =>
  compressors.run(() => (encoding === "br" ? compressBrotli(body, BROTLI) : compressGzip(body, GZIP)), { owner });

/** Returns the `Vary` header with Accept-Encoding added. */
export const addToVary = (vary: unknown): string => (vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`);

/** Compresses a stream chunk by chunk. An error of the source destroys the result, and a disconnected client ends the source. */
export function compressStream(source: Readable, encoding: Encoding): Readable {
  const compressor = encoding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  return pipeline(source, compressor, () => undefined);
}
