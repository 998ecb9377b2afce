import type { PassageEmbeddings } from "#domain/answers/vectors.ts";
import { BLOCK_SIZE } from "./codec.ts";

/**
 * The embeddings of a block's documents, one after the other, of `width` bytes each. It ends with the last document that was written, so
 * that a small board has a small block. Documents without an embedding have zeros.
 */
export type EmbeddingBlock = { readonly width: number; readonly bytes: Uint8Array };

/** Throws unless the length of the passage's embedding is a multiple of four bytes, and its sentences have the same length. */
export function checkEmbeddings({ passage, sentences }: PassageEmbeddings): void {
  if (passage.length === 0 || passage.length % 4 !== 0 || sentences.length % passage.length !== 0)
    throw new Error(`An embedding of ${passage.length} bytes with ${sentences.length} bytes of sentences can't be stored.`);
}

/** Returns a copy of the block with these embeddings. Starts with an empty block if there is none, or if its embeddings have another length. */
export function writeToBlock(
  previous: EmbeddingBlock | undefined,
  items: readonly PassageEmbeddings[],
): EmbeddingBlock & { bytes: Buffer } {
  const width = items[0]?.passage.length ?? 0;
  const kept = previous?.width === width ? previous.bytes : new Uint8Array(0);
  const slots = Math.max(...items.map(({ document }) => (document % BLOCK_SIZE) + 1));
  const bytes = Buffer.alloc(Math.max(kept.length, slots * width));
  bytes.set(kept);
  for (const { document, passage } of items) bytes.set(passage, (document % BLOCK_SIZE) * width);
  return { width, bytes };
}

/** Returns the embedding of a document, or undefined if the block has none for it. */
export function readFromBlock({ width, bytes }: EmbeddingBlock, document: number): Uint8Array | undefined {
  const start = (document % BLOCK_SIZE) * width;
  const embedding = bytes.subarray(start, start + width);
  return embedding.some((byte) => byte !== 0) ? embedding : undefined;
}
