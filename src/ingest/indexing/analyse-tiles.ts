import type { AnalysableText, Analyser, Analysis, PendingTile } from "#domain/answers/search.ts";
import { IngestError } from "#domain/content/job.ts";
import type { Log } from "../jobs/log.ts";

export type AnalysedTile = { readonly tile: PendingTile; readonly analysis: Analysis };

const EMPTY_ANALYSIS: Analysis = { chunks: [], terms: new Map() };

/**
 * Analyses tiles in one call, or one by one if a tile exceeds the analyser's limits. Such a tile gets an empty analysis, so that it
 * does not block the others. Throws unexpected errors of the analyser.
 */
export async function analyseTiles(tiles: readonly PendingTile[], analyser: Analyser, log: Log): Promise<AnalysedTile[]> {
  try {
    const analyses = await analyser.analyse(tiles.map(toText));
    return tiles.map((tile, index) => ({ tile, analysis: analyses[index] ?? EMPTY_ANALYSIS }));
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    const analysed: AnalysedTile[] = [];
    for (const tile of tiles) analysed.push(await analyseTile(tile, analyser, log));
    return analysed;
  }
}

/** Ids and versions of tiles are not sent to the analyser. */
const toText = ({ title, text, languageHint = null }: PendingTile): AnalysableText => ({ title, text, languageHint });

async function analyseTile(tile: PendingTile, analyser: Analyser, log: Log): Promise<AnalysedTile> {
  try {
    const [analysis = EMPTY_ANALYSIS] = await analyser.analyse([toText(tile)]);
    return { tile, analysis };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    log.error({ err: error, tile: tile.tileId }, "A tile can't be analysed; search will not find it.");
    return { tile, analysis: EMPTY_ANALYSIS };
  }
}
