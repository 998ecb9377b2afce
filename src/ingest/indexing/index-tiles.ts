import type { Analysis } from "#domain/answers/analysis.ts";
import type { Analyser, PendingTile, SearchStore } from "#domain/answers/search.ts";
import { MAX_PART_LENGTH } from "#retrieval/lexical/parts.ts";
import type { Log } from "#domain/core/log.ts";

export type IndexDeps = {
  readonly search: Pick<SearchStore, "index" | "indexParts">;
  readonly analyser: Pick<Analyser, "analyse" | "analyseParts">;
  readonly log: Log;
};

/**
 * Analyses tiles and stores the result: those of usual length together, then each long one part by part. What can't be analysed is left
 * out, so that it does not block the rest; the tile is marked. An abort ends the work before the next part.
 */
export async function indexTiles(deps: IndexDeps, tiles: readonly PendingTile[], signal: AbortSignal): Promise<void> {
  const { search, analyser } = deps;
  const short = tiles.filter(({ text }) => text.length <= MAX_PART_LENGTH);
  const analyses = short.length === 0 ? [] : await analyser.analyse(short);
  const analysed = short.flatMap((tile, at) => {
    const analysis = analyses[at] ?? null;
    return analysis === null ? [] : [{ tile, analysis }];
  });
  if (analysed.length > 0) await search.index(analysed);
  for (const [at, tile] of short.entries()) if ((analyses[at] ?? null) === null) await indexLong(deps, tile, [null], signal);
  for (const tile of tiles) if (!short.includes(tile)) await indexLong(deps, tile, analyser.analyseParts(tile), signal);
}

async function indexLong(
  { search, log }: IndexDeps,
  tile: PendingTile,
  parts: AsyncIterable<Analysis | null> | Iterable<null>,
  signal: AbortSignal,
): Promise<void> {
  await search.indexParts(tile, watchParts(parts, tile, log, signal));
}

/** Passes parts on, reports those that are missing, and throws the signal's reason once it aborts. */
async function* watchParts(
  parts: AsyncIterable<Analysis | null> | Iterable<null>,
  tile: PendingTile,
  log: Log,
  signal: AbortSignal,
): AsyncGenerator<Analysis | null> {
  for await (const part of parts) {
    signal.throwIfAborted();
    if (part === null) log.error({ tile: tile.tileId }, "A part of a tile can't be analysed; search will not find it.");
    yield part;
  }
}
