import { BLOCK_SIZE, isDead } from "./codec.ts";

export type Near = { readonly document: number; readonly distance: number };

/** A search over the signatures of one board's passages, given block by block; it keeps the nearest `limit` of them. */
export type Scan = {
  /** Looks at the signatures of a block, each at its slot; dead slots and those of zeros are passed over. */
  look(block: number, dead: Buffer, signatures: Uint8Array): void;
  /** The nearest first, ties by document. */
  nearest(): Near[];
};

const DOCUMENTS = 2 ** 32;

/** Begins a search for what is near `signature`, whose length is a multiple of four bytes. Blocks of another length hold nothing near. */
export function startScan(signature: Uint8Array, limit: number): Scan {
  const wanted = wordsOf(signature);
  const width = wanted.length;
  // Distance and document in one number, so that one comparison orders by both.
  const nearest = createBounded(limit);
  return {
    look(block, dead, signatures) {
      if (limit < 1 || width === 0 || signatures.length !== signature.length * BLOCK_SIZE) return;
      const words = wordsOf(signatures);
      let most = nearest.most();
      for (let slot = 0, at = 0; slot < BLOCK_SIZE; slot++, at += width) {
        let distance = 0;
        let any = 0;
        for (let i = 0; i < width; i++) {
          const word = words[at + i] as number;
          any |= word;
          distance += bitsOf(word ^ (wanted[i] as number));
        }
        if (any === 0) continue;
        const key = distance * DOCUMENTS + block * BLOCK_SIZE + slot;
        if (key >= most || isDead(dead, slot)) continue;
        most = nearest.add(key);
      }
    },
    nearest: () => nearest.sorted().map((key) => ({ document: key % DOCUMENTS, distance: Math.floor(key / DOCUMENTS) })),
  };
}

/** How many bits of a word are set. */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The bytes as 32-bit words; copied where they don't lie at a multiple of four. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const at = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Int32Array(at.buffer, at.byteOffset, at.length >> 2);
}

/** Keeps the smallest `size` of the numbers given to it, in a heap whose top is the largest of them. */
function createBounded(size: number): { most(): number; add(value: number): number; sorted(): number[] } {
  const heap: number[] = [];
  const most = (): number => (heap.length < size ? Infinity : (heap[0] as number));
  const rise = (value: number): void => {
    let at = heap.push(value) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((heap[above] as number) >= value) break;
      heap[at] = heap[above] as number;
      at = above;
    }
    heap[at] = value;
  };
  const sink = (value: number): void => {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && (heap[below + 1] as number) > (heap[below] as number)) below++;
      if ((heap[below] as number) <= value) break;
      heap[at] = heap[below] as number;
      at = below;
    }
    heap[at] = value;
  };
  return {
    most,
    /** Takes a number below `most`; answers what the next one must be below of. */
    add(value) {
      if (heap.length < size) rise(value);
      else sink(value);
      return most();
    },
    sorted: () => heap.toSorted((a, b) => a - b),
  };
}
