import type { PassageSignatures } from "#domain/answers/vectors.ts";
import { BLOCK_SIZE } from "./codec.ts";

/** Throws where signatures are not such as a block can hold: a multiple of four bytes each, those of sentences as long as the passage's. */
export function checkSignatures({ passage, sentences }: PassageSignatures): void {
  if (passage.length === 0 || passage.length % 4 !== 0 || sentences.length % passage.length !== 0)
    throw new Error(`A signature of ${passage.length} bytes with ${sentences.length} bytes of sentences can't be stored.`);
}

/** The block with these signatures put in; a new one where there was none, or one of signatures of another length. */
export function putIntoBlock(earlier: Uint8Array | undefined, items: readonly PassageSignatures[]): Buffer {
  const width = items[0]?.passage.length ?? 0;
  const fits = earlier !== undefined && earlier.length === width * BLOCK_SIZE;
  const block = fits ? Buffer.from(earlier) : Buffer.alloc(width * BLOCK_SIZE);
  for (const { document, passage } of items) block.set(passage, (document % BLOCK_SIZE) * width);
  return block;
}

/** The signature at a document's slot; undefined where there is none. */
export function takeFromBlock(block: Uint8Array, document: number): Uint8Array | undefined {
  const width = block.length / BLOCK_SIZE;
  const start = (document % BLOCK_SIZE) * width;
  const signature = block.subarray(start, start + width);
  return signature.some((byte) => byte !== 0) ? signature : undefined;
}

export const blockOf = (document: number): number => Math.floor(document / BLOCK_SIZE);
