import { inflateSync } from "node:zlib";

const MIB = 1_048_576;
/** A longer stream is unpacked by the parser itself, which is slower, and whose buffers are limited by those of the thread. */
const MAX_UNPACKED_BYTES = 32 * MIB;
/** The sizes of the pieces that zlib allocates. The allocator returns large ones to the system at once. */
const MIN_PIECE_BYTES = 32_768;
const MAX_PIECE_BYTES = 8 * MIB;
const USUAL_RATIO = 8;

/** Unpacks a whole stream at once. Errors of the constructor and of the stream make the parser unpack the stream itself. */
class BoundedInflate extends TransformStream<Uint8Array, Uint8Array> {
  constructor(format: string) {
    if (format !== "deflate") throw new TypeError(`Streams of the format ${format} are left to the parser.`);
    super({
      transform(packed, controller) {
        const chunkSize = Math.min(MAX_PIECE_BYTES, Math.max(MIN_PIECE_BYTES, packed.length * USUAL_RATIO));
        controller.enqueue(inflateSync(packed, { chunkSize, maxOutputLength: MAX_UNPACKED_BYTES }));
      },
    });
  }
}

/**
 * Runs `work` with another `DecompressionStream`, by which the PDF parser unpacks. The one of the runtime has no limit, is faster than the
 * memory of a thread can be watched, and leaves so many small pieces behind that the process does not shrink again.
 */
export async function withBoundedInflate<T>(work: () => Promise<T>): Promise<T> {
  const original = globalThis.DecompressionStream;
  globalThis.DecompressionStream = BoundedInflate as unknown as typeof DecompressionStream;
  try {
    return await work();
  } finally {
    globalThis.DecompressionStream = original;
  }
}
