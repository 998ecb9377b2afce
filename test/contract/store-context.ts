import { expect } from "vitest";
import type { Authorized, RequiredAccess, Permission } from "#domain/core/access.ts";
import type { Board, Business } from "#domain/core/board.ts";
import type { ErrorKind } from "#domain/core/errors/error.ts";
import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import { type Tile, UNTITLED } from "#domain/content/tile.ts";
import { linkTile, getCreatedTile, T0, textTile } from "../support/boards.ts";

/** A new store with one business, its default board, and authorizations for both. */
export type StoreContext = {
  readonly store: Store;
  readonly business: Business;
  readonly board: Board;
  readonly scope: Authorized<Board, Permission | "manage">;
  readonly manage: Authorized<Business, RequiredAccess>;
};

/** Expects a rejection of this kind and a readable message. */
export async function expectRejection(work: Promise<unknown>, kind: ErrorKind): Promise<void> {
  await expect(work).rejects.toMatchObject({ name: "AppError", kind, message: expect.stringMatching(/^[A-Z].*\.$/) });
}

export const addText = async (
  { store, scope }: Pick<StoreContext, "store" | "scope">,
  content: string,
  more: Parameters<typeof textTile>[1] = {},
  now = T0,
): Promise<Tile> => getCreatedTile(await store.tiles.create(scope, textTile(content, { title: UNTITLED, ...more }), now));

export const addLink = async (
  { store, scope }: Pick<StoreContext, "store" | "scope">,
  url: string,
  more: Parameters<typeof linkTile>[1] = {},
  now = T0,
): Promise<Tile> => getCreatedTile(await store.tiles.create(scope, linkTile(url, more), now));

/** Returns the ids of the listed tiles in order of creation. */
export async function listTileIds({ store, scope }: Pick<StoreContext, "store" | "scope">): Promise<string[]> {
  const tiles = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 100_000, 1_000_000)).tiles;
  return tiles.map(({ id }) => id);
}

export const unknownId = (prefix: "brd" | "zon" | "til"): string => newId(prefix, T0);
