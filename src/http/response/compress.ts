import { Readable, pipeline } from "node:stream";
import { promisify } from "node:util";
import { type BrotliOptions, type ZlibOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding } from "./encoding.ts";

type Encoding = "br" | "gzip";

const ENCODINGS: readonly Encoding[] = ["br", "gzip"];
/** Shorter bodies fit into a few packets; compressing them would take longer than sending them. */
export const MIN_COMPRESSED_BYTES = 4_096;
/** Levels that compress JSON about six times at a rate of 50 MB/s; higher ones cost several times the processor for a tenth less. */
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP: ZlibOptions = { level: 5 };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Whether a caller takes a compressed body. */
export const acceptsCompression = (acceptEncoding: string | undefined): boolean => chooseEncoding(acceptEncoding, ENCODINGS) !== null;

/**
 * Whether a route's JSON may be compressed: what a board holds. Settings are not, since they show secrets beside text that others chose,
 * and the length of a compressed body would tell about them (the attack named BREACH).
 */
export const isCompressible = (path: string): boolean => path.startsWith("/api/board/") || path.startsWith("/api/v1/");

/**
 * Sends JSON, compressed where the caller takes that and the body is long enough to gain by it. Streams are compressed as they come.
 * Compression runs in the thread pool, not in the event loop.
 */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer | Readable,
): FastifyReply | Promise<FastifyReply> {
  // A promise of its own would cost every short answer a turn of the event loop.
  if (!(body instanceof Readable) && Buffer.byteLength(body) < MIN_COMPRESSED_BYTES) return reply.send(body);
  reply.header("Vary", addToVary(reply.getHeader("Vary")));
  const encoding = chooseEncoding(request.headers["accept-encoding"], ENCODINGS);
  if (encoding === null) return reply.send(body);
  reply.header("Content-Encoding", encoding);
  if (body instanceof Readable) return reply.send(compressStream(body, encoding));
  return compress(body, encoding).then((compressed) => reply.send(compressed));
}

const compress = (body: string | Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === "br" ? compressBrotli(body, BROTLI) : compressGzip(body, GZIP);

/** The `Vary` field with Accept-Encoding added to what it names. */
export const addToVary = (vary: unknown): string => (vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`);

/** A failure of the source destroys the result, and a caller that goes away ends the source. */
function compressStream(source: Readable, encoding: Encoding): Readable {
  const compressor = encoding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  return pipeline(source, compressor, () => undefined);
}
