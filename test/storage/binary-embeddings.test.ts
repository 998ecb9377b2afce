import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createBlockCache } from "#storage/shared/cache/block-cache.ts";
import { BLOCK_SIZE, createDeadBitmap, setDead } from "#storage/shared/codec.ts";
import { startNearestScan } from "#storage/shared/nearest-scan.ts";
import { writeToBlock, readFromBlock } from "#storage/shared/embedding-block.ts";

const differing = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll("0", "").length, 0);
const embedding = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes });

it("the search for near embeddings equals exhaustive comparison, for any width and byte offset, without deleted and empty slots", () => {
  fc.assert(
    fc.property(
      fc
        .constantFrom(4, 8, 64, 192)
        .chain((bytes) => fc.tuple(embedding(bytes), fc.array(embedding(bytes), { minLength: 1, maxLength: 30 }))),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 3 }),
      fc.array(fc.nat(29), { maxLength: 5 }),
      ([wanted, others], limit, shift, gone) => {
        const dead = createDeadBitmap();
        for (const slot of gone) setDead(dead, slot, true);
        const items = others.map((passage, document) => ({ document, passage, sentences: new Uint8Array(0) }));
        const { width, bytes } = writeToBlock(undefined, items);
        // As a driver may return it: at any offset of a larger buffer.
        const moved = new Uint8Array(bytes.length + shift).subarray(shift);
        moved.set(bytes);
        const scan = startNearestScan(wanted, limit);
        scan.addBlock(3, dead, { width, bytes: moved });
        const expected = others
          .flatMap((passage, slot) =>
            gone.includes(slot) || passage.every((byte) => byte === 0)
              ? []
              : [{ document: 3 * BLOCK_SIZE + slot, distance: differing(passage, wanted) }],
          )
          .sort((a, b) => a.distance - b.distance || a.document - b.document)
          .slice(0, limit);
        expect(scan.nearest()).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

it("the search for near embeddings finds nothing in blocks of embeddings of another length", () => {
  const scan = startNearestScan(new Uint8Array(8), 5);
  scan.addBlock(
    0,
    createDeadBitmap(),
    writeToBlock(undefined, [{ document: 0, passage: new Uint8Array(16).fill(1), sentences: new Uint8Array(0) }]),
  );
  scan.addBlock(1, createDeadBitmap(), { width: 8, bytes: Buffer.alloc(0) });
  expect(scan.nearest()).toEqual([]);
});

it("a block of embeddings keeps its content, and is reset when the length changes", () => {
  const one = (document: number, fill: number, bytes = 8) => ({
    document,
    passage: new Uint8Array(bytes).fill(fill),
    sentences: new Uint8Array(0),
  });
  const first = writeToBlock(undefined, [one(2_048 + 5, 1)]);
  const second = writeToBlock(first, [one(2_048 + 6, 2)]);
  expect([...readFromBlock(second, 2_048 + 5)!]).toEqual(Array(8).fill(1));
  expect([...readFromBlock(second, 2_048 + 6)!]).toEqual(Array(8).fill(2));
  expect(readFromBlock(second, 2_048 + 7)).toBe(undefined);
  expect(readFromBlock(first, 2_048 + 6)).toBe(undefined);
  const wide = writeToBlock(second, [one(2_048 + 6, 3, 16)]);
  expect(readFromBlock(wide, 2_048 + 5)).toBe(undefined);
  expect([...readFromBlock(wide, 2_048 + 6)!]).toEqual(Array(16).fill(3));
});

it("a block of embeddings ends with the last embedding, and grows to the next ones", () => {
  const one = (document: number) => ({ document, passage: new Uint8Array(64).fill(1), sentences: new Uint8Array(0) });
  const block = writeToBlock(undefined, [one(2_048 + 1), one(2_048)]);
  expect([block.width, block.bytes.length]).toEqual([64, 128]);
  expect(writeToBlock(block, [one(2_048 + 9)]).bytes.length).toBe(640);
  expect(writeToBlock(block, [one(2_048)]).bytes).toEqual(block.bytes);
  expect(readFromBlock(block, 2_048 + 2)).toBe(undefined);
});

it("the block cache keeps the newest version of each block within its size limit, and evicts the least recently used", () => {
  const createBlock = (length: number, fill = 0) => ({ width: 1, bytes: new Uint8Array(length).fill(fill) });
  // Each block counts 512 bytes besides its content.
  const cache = createBlockCache(3 * 522);
  for (const [i, key] of ["a", "b", "c"].entries()) cache.set(key, 1, createBlock(10, i));
  expect(cache.get("a", 1)!.bytes[0]).toBe(0);
  cache.set("d", 1, createBlock(10));
  expect(cache.get("b", 1)).toBe(undefined);
  expect(cache.get("a", 2)).toBe(undefined);
  cache.set("a", 2, createBlock(10, 9));
  expect(cache.get("a", 2)!.bytes[0]).toBe(9);
  expect(cache.get("c", 1)).toBeDefined();
  cache.set("huge", 1, createBlock(3 * 522 - 511));
  expect(cache.get("huge", 1)).toBe(undefined);
  for (let n = 0; n < 100; n++) cache.set(`empty ${n}`, 1, createBlock(0));
  expect(Array.from({ length: 100 }, (_, n) => cache.get(`empty ${n}`, 1)).filter((block) => block !== undefined)).toHaveLength(3);
});
