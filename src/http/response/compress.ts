import { Readable, pipeline } from "node:stream";
import { promisify } from "node:util";
import { type BrotliOptions, type ZlibOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding } from "./encoding.ts";

type Encoding = "br" | "gzip";

const ENCODINGS: readonly Encoding[] = ["br", "gzip"];
/** Shorter bodies fit into a few packets. Compressing them takes longer than sending them. */
export const MIN_COMPRESSED_BYTES = 4_096;
/** These levels compress JSON to a sixth at 50 MB/s. Higher ones cost several times the CPU and save a tenth. */
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP: ZlibOptions = { level: 5 };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Whether a client accepts a compressed body. */
export const acceptsCompression = (acceptEncoding: string | undefined): boolean => chooseEncoding(acceptEncoding, ENCODINGS) !== null;

/**
 * Whether the responses of a route may be compressed. Settings are not: they contain secrets next to text from others, and the length of
 * a compressed body would reveal them (BREACH attack).
 */
export const isCompressible = (path: string): boolean => path.startsWith("/api/board/") || path.startsWith("/api/v1/");

/**
 * Sends JSON, compressed if the client accepts that and the body is long enough. Compression runs in the thread pool; streams are
 * compressed chunk by chunk.
 */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer | Readable,
): FastifyReply | Promise<FastifyReply> {
  // A promise would cost every short response one turn of the event loop.
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

/** Returns the `Vary` header with Accept-Encoding added. */
export const addToVary = (vary: unknown): string => (vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`);

/** Compresses a stream. An error of the source destroys the result, and a disconnected client ends the source. */
function compressStream(source: Readable, encoding: Encoding): Readable {
  const compressor = encoding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  return pipeline(source, compressor, () => undefined);
}
