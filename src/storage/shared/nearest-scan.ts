import { BLOCK_SIZE, isDead } from "./codec.ts";
import type { EmbeddingBlock } from "./embedding-block.ts";

export type Neighbour = { readonly document: number; readonly distance: number };

/** A linear search over the binary embeddings of one board's passages. It keeps those with the smallest Hamming distance. */
export type NearestScan = {
  /** Compares the embeddings of a block, one per slot. Dead slots and slots of zeros are skipped. */
  addBlock(block: number, dead: Buffer, embeddings: EmbeddingBlock): void;
  /** Returns the nearest first, ties by document. */
  nearest(): Neighbour[];
};

const DOCUMENTS = 2 ** 32;

/**
 * Starts a search for the `limit` nearest passages to `embedding`, whose length is a multiple of four bytes. Blocks of embeddings of
 * another length are skipped.
 */
export function startNearestScan(embedding: Uint8Array, limit: number): NearestScan {
  const wanted = toWords(embedding);
  const width = wanted.length;
  // Distance and document are combined in one number, so that one comparison orders by both.
  const nearest = new SmallestNumbers(limit);
  return {
    addBlock(block, dead, embeddings) {
      if (limit < 1 || width === 0 || embeddings.width !== embedding.length) return;
      const words = toWords(embeddings.bytes);
      const slots = words.length / width;
      let bound = nearest.bound();
      for (let slot = 0, at = 0; slot < slots; slot++, at += width) {
        let distance = 0;
        let any = 0;
        for (let i = 0; i < width; i++) {
          const word = words[at + i] as number;
          any |= word;
          distance += countBits(word ^ (wanted[i] as number));
        }
        if (any === 0) continue;
        const key = distance * DOCUMENTS + block * BLOCK_SIZE + slot;
        if (key >= bound || isDead(dead, slot)) continue;
        bound = nearest.add(key);
      }
    },
    nearest: () => nearest.sorted().map((key) => ({ document: key % DOCUMENTS, distance: Math.floor(key / DOCUMENTS) })),
  };
}

/** Counts the set bits of a 32-bit word. */
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the bytes as 32-bit words. Bytes that are not aligned to four are copied. */
function toWords(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}

/** Keeps the `size` smallest of the numbers added to it, in ascending order. Simple insertion is enough for the few dozen that are kept. */
class SmallestNumbers {
  readonly #size: number;
  readonly #numbers: number[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Returns the number that the next one must be below to be kept. */
  bound(): number {
    return this.#numbers.length < this.#size ? Infinity : (this.#numbers.at(-1) as number);
  }

  /** Adds a number below `bound()` and returns the new bound. */
  add(value: number): number {
    const index = this.#numbers.findLastIndex((number) => number <= value) + 1;
    this.#numbers.splice(index, 0, value);
    if (this.#numbers.length > this.#size) this.#numbers.pop();
    return this.bound();
  }

  sorted(): readonly number[] {
    return this.#numbers;
  }
}
