import { createReadStream, createWriteStream, type ReadStream, type WriteStream } from "node:fs";

type WriteOptions = Parameters<typeof createWriteStream>[1];

/** Opens a file for reading. The code that iterates over it gets its errors; without a reader, an error does not end the process. */
export function openReadStream(file: string, encoding?: BufferEncoding): ReadStream {
  return createReadStream(file, encoding).on("error", () => {});
}

/** Opens a file for writing. The code that pipes to it gets its errors; without a writer, an error does not end the process. */
export function openWriteStream(file: string, options: WriteOptions): WriteStream {
  return createWriteStream(file, options).on("error", () => {});
}
