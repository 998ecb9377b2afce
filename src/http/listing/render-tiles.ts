import { Readable } from "node:stream";
import type { TileSummary } from "#domain/content/tile.ts";
import { renderTileSummary } from "../fast-path/tile-row-cache.ts";

/** Returns a listing as JSON. `suffix` is appended to the tiles: further fields that start with a comma, or nothing. */
export const renderTiles = (tiles: readonly TileSummary[], withText: boolean, suffix: string): string =>
  `{"tiles":[${renderRows(tiles, withText)}]${suffix}}`;

/** Returns a listing as one string if it is read in a single step, otherwise as a stream. */
export async function renderSteps(
  steps: AsyncGenerator<readonly TileSummary[]>,
  withText: boolean,
  suffix: string,
): Promise<string | Readable> {
  const first = await steps.next();
  const second = first.done === true ? first : await steps.next();
  if (second.done === true) return renderTiles(first.value ?? [], withText, suffix);
  return Readable.from(streamSteps([first.value as readonly TileSummary[], second.value], steps, withText, suffix));
}

async function* streamSteps(
  first: readonly (readonly TileSummary[])[],
  rest: AsyncIterable<readonly TileSummary[]>,
  withText: boolean,
  suffix: string,
): AsyncGenerator<string> {
  let separator = '{"tiles":[';
  for (const step of first) {
    yield separator + renderRows(step, withText);
    separator = ",";
  }
  for await (const step of rest) yield separator + renderRows(step, withText);
  yield `]${suffix}}`;
}

const renderRows = (tiles: readonly TileSummary[], withText: boolean): string =>
  tiles.map((tile) => renderTileSummary(tile, withText)).join(",");
