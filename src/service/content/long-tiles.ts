import type { Actor } from "#domain/core/access.ts";
import type { TileHead } from "#domain/content/tile.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import type { Deps } from "../deps.ts";
import { runInTurn, runStepInTurn } from "../work-queue.ts";

/** A text of this many characters takes about a millisecond to store, so that writing many of them is expensive work. */
const MIN_LARGE_CHARACTERS = 20_000;
/** A tile with texts of this many bytes takes about a millisecond to read and render, or to change in any field. */
const MIN_LONG_BYTES = 65_536;

/** Returns the text that takes longest to store: the page of a link, if it was sent. */
export const getLongestText = ({ html, rawContent }: Pick<NewTile, "html" | "rawContent">): string => html ?? rawContent;

/** Stores a short text at once, and a long one when it is the caller's turn. */
export const writeText = <T>(deps: Pick<Deps, "workQueue">, actor: Actor, text: string, write: () => Promise<T>): Promise<T> =>
  text.length < MIN_LARGE_CHARACTERS ? write() : runStepInTurn(deps, actor, write);

/** Whether working on the tile is expensive, because its text is long or is replaced by a long one. */
export const isExpensive = ({ textBytes }: Pick<TileHead, "textBytes">, text = ""): boolean =>
  textBytes >= MIN_LONG_BYTES || text.length >= MIN_LARGE_CHARACTERS;

/** Works on a short tile at once, and on a long one, or one that gets the long text `text`, when it is the caller's turn. Throws 429 when too much work of the caller is waiting. */
export const runBySize = <T>(
  deps: Pick<Deps, "workQueue">,
  actor: Actor,
  tile: Pick<TileHead, "textBytes">,
  work: () => Promise<T>,
  text?: string,
): Promise<T> => (isExpensive(tile, text) ? runInTurn(deps, actor, work) : work());
