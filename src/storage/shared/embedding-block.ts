import type { PassageEmbeddings } from "#domain/answers/vectors.ts";
import { BLOCK_SIZE } from "./codec.ts";

/** Throws unless the length of the passage's embedding is a multiple of four bytes, and its sentences have the same length. */
export function checkEmbeddings({ passage, sentences }: PassageEmbeddings): void {
  if (passage.length === 0 || passage.length % 4 !== 0 || sentences.length % passage.length !== 0)
    throw new Error(`An embedding of ${passage.length} bytes with ${sentences.length} bytes of sentences can't be stored.`);
}

/** Returns a copy of the block with these embeddings. Starts with an empty block if there is none, or if its embeddings have another length. */
export function writeToBlock(previous: Uint8Array | undefined, items: readonly PassageEmbeddings[]): Buffer {
  const width = items[0]?.passage.length ?? 0;
  const fits = previous !== undefined && previous.length === width * BLOCK_SIZE;
  const block = fits ? Buffer.from(previous) : Buffer.alloc(width * BLOCK_SIZE);
  for (const { document, passage } of items) block.set(passage, (document % BLOCK_SIZE) * width);
  return block;
}

/** Returns the embedding of a document, or undefined if the block has none for it. */
export function readFromBlock(block: Uint8Array, document: number): Uint8Array | undefined {
  const width = block.length / BLOCK_SIZE;
  const start = (document % BLOCK_SIZE) * width;
  const embedding = block.subarray(start, start + width);
  return embedding.some((byte) => byte !== 0) ? embedding : undefined;
}
