import { expect } from "vitest";
import type { StoreContext } from "../store-context.ts";

/** The tiles that may be read for chat, by each method. */
export async function listReadable({ store, board, scope }: Pick<StoreContext, "store" | "board" | "scope">): Promise<string[]> {
  const ids = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 1_000, 1_000)).tiles.map(({ id }) => id);
  const tiles = (await store.search.connectedTiles(board.businessId, board.id, ids)).map(({ id }) => id);
  const documents = Array.from({ length: 500 }, (_, i) => i);
  const chunks = new Set((await store.search.connectedChunks(board.businessId, board.id, documents)).map(({ tileId }) => tileId));
  for (const { tileId } of await store.search.pendingConnected(board.businessId, board.id, 10_000_000)) chunks.add(tileId);
  expect([...chunks].sort()).toEqual(tiles.toSorted());
  expect(await store.search.hasConnected(board.businessId, board.id)).toBe(tiles.length > 0);
  return tiles;
}
