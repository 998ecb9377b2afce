import { createReadStream, createWriteStream, type ReadStream, type WriteStream } from "node:fs";

type WriteOptions = Parameters<typeof createWriteStream>[1];

/** Opens a file to be read. Whoever iterates over it sees its error; without a reader the error ends nothing. */
export function openReadStream(file: string, encoding?: BufferEncoding): ReadStream {
  return createReadStream(file, encoding).on("error", () => {});
}

/** Opens a file to be written. Whoever pipes to it sees its error; without a writer the error ends nothing. */
export function openWriteStream(file: string, options: WriteOptions): WriteStream {
  return createWriteStream(file, options).on("error", () => {});
}
