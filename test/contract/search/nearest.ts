import { expect } from "vitest";
import type { StoreContext } from "../store-context.ts";
import { drain } from "./model.ts";
import { embedded } from "./binary-embedding.ts";

export const MODEL = "model-a";

/** Indexes and embeds until nothing is pending. */
export async function embedAll({ store }: Pick<StoreContext, "store">, limit = 5): Promise<void> {
  await drain({ store });
  for (;;) {
    const tiles = await store.vectors.unembedded(limit, 1_000_000);
    if (tiles.length === 0) return;
    await store.vectors.embed(embedded(tiles));
  }
}

export const distance = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll("0", "").length, 0);

/** The nearest passages as distance, tile and position in the tile; equal distances are ordered by document. */
export async function near(
  { store, board }: Pick<StoreContext, "store" | "board">,
  embedding: Uint8Array,
  limit: number,
): Promise<string[]> {
  const found = await store.vectors.nearest(board.businessId, board.id, embedding, limit);
  const sorted = found.toSorted((a, b) => a.distance - b.distance || a.document - b.document);
  expect(found).toEqual(sorted);
  const chunks = await store.search.connectedChunks(
    board.businessId,
    board.id,
    found.map(({ document }) => document),
  );
  expect(chunks.map(({ document }) => document)).toEqual(found.map(({ document }) => document));
  return found.map((one, i) => `${one.distance} ${chunks[i]!.tileId} ${chunks[i]!.start / 10}`);
}
