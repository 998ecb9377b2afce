import { conflict, invalidField } from "../core/errors/error.ts";
import type { Tile, TileHead } from "./tile.ts";
import {
  INDEXED_OPTIONS,
  INITIAL_TILE_OPTIONS,
  type TileOptions,
  hasSameOptions,
  pickTileOptions,
  resolveTileOptions,
} from "./tile-options.ts";
import type { NewTile, TilePatch } from "./tile-store.ts";

const getInitialStatus = ({ job, error }: NewTile): "ready" | "processing" | "failed" =>
  error !== undefined ? "failed" : job === null ? "ready" : "processing";

/** Returns the options of a new tile. Saved answers and generations start disconnected, so that an answer does not become its own source. */
const getInitialOptions = (tile: NewTile): TileOptions => ({
  ...INITIAL_TILE_OPTIONS,
  ...(tile.metadata.origin === undefined ? {} : { connectedToChat: false }),
  ...pickGivenOptions(tile),
});

/** Returns the options that a creation sets: neither undefined nor null. */
function pickGivenOptions(tile: NewTile): Partial<TileOptions> {
  return Object.fromEntries(Object.entries(pickTileOptions(tile)).filter(([, value]) => value !== null));
}

/** Returns a new tile with this sequence number as it is stored. */
export function buildTile(board: { readonly businessId: string; readonly id: string }, tile: NewTile, sequence: number, now: number): Tile {
  const {
    job: _job,
    skipDeleted: _skipDeleted,
    file = null,
    error = null,
    warnings = [],
    segments = [],
    textOverridden = false,
    ...fields
  } = tile;
  return {
    ...fields,
    ...getInitialOptions(tile),
    file,
    refreshMinutes: null,
    businessId: board.businessId,
    boardId: board.id,
    status: getInitialStatus(tile),
    error,
    warnings,
    segments,
    previousText: null,
    sortOrder: sequence,
    sequence,
    textOverridden,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** The updated tile. `isNewSource` means that its link or text was replaced, so its job has to be replaced too. */
export type Upsert = { readonly next: Tile; readonly isNewSource: true } | { readonly next: TileHead; readonly isNewSource: false };

/**
 * Applies a request with an external id to the tile that has this id. Returns null when nothing changes, not even `updatedAt`. The text of
 * the tile is not read: `isSameText` says whether it was made of the same text.
 */
export function upsertTile(previous: TileHead, tile: NewTile, isSameText: boolean): Upsert | null {
  const title = tile.titleOverridden ? tile.title : previous.title;
  const titleOverridden = tile.titleOverridden || previous.titleOverridden;
  const zoneId = tile.zoneId ?? previous.zoneId;
  const options = upsertOptions(previous, tile);
  if (!isSameSource(previous, tile, isSameText)) {
    const common = { titleOverridden, zoneId, ...options };
    return { next: { ...replaceSource(previous, tile), ...common, title: titleOverridden ? title : tile.title }, isNewSource: true };
  }
  const origin = tile.metadata.origin ?? previous.metadata.origin;
  const isUnchanged =
    title === previous.title &&
    titleOverridden === previous.titleOverridden &&
    zoneId === previous.zoneId &&
    hasSameOptions(options, previous) &&
    origin === previous.metadata.origin;
  if (isUnchanged) return null;
  const metadata = origin === undefined ? previous.metadata : { ...previous.metadata, origin };
  return { next: { ...previous, title, titleOverridden, zoneId, ...options, metadata }, isNewSource: false };
}

/** Whether the request names the link, file or text that the tile was made of. A text that was replaced by hand then stays. */
function isSameSource(previous: TileHead, { file, sourceUrl, job }: NewTile, isSameText: boolean): boolean {
  if (file !== undefined || previous.file !== null)
    return file?.sha256 !== undefined && file.sha256 === previous.file?.sha256 && file.name === previous.file.name;
  return sourceUrl === previous.sourceUrl && (job !== null || isSameText);
}

/** Returns the options after an upsert, which keeps options that it does not set. A tile that becomes a saved answer or generation is disconnected. */
function upsertOptions(previous: TileHead, tile: NewTile): TileOptions {
  const becomesSaved = tile.metadata.origin !== undefined && previous.metadata.origin === undefined;
  return { ...pickTileOptions(previous), ...(becomesSaved ? { connectedToChat: false } : {}), ...pickGivenOptions(tile) };
}

/** Replaces the content, and resets everything that described the previous content. */
const replaceSource = ({ textBytes: _textBytes, ...previous }: TileHead, tile: NewTile): Tile => ({
  ...previous,
  type: tile.type,
  status: tile.job === null ? "ready" : "processing",
  sourceUrl: tile.sourceUrl,
  refreshMinutes: tile.sourceUrl === null ? null : previous.refreshMinutes,
  file: tile.file ?? null,
  rawContent: tile.rawContent,
  extractedText: tile.extractedText,
  textOverridden: false,
  metadata: tile.metadata,
  warnings: [],
  segments: [],
  previousText: null,
  error: null,
});

const TEXT_OVERRIDDEN_MESSAGE =
  "A link whose text was replaced by hand is not read on a schedule. Read it again with replace_text=true first; that replaces the text.";

/** Whether a patch sets or ends the schedule of a tile that has no link, and so no schedule. */
export const isScheduleWithoutLink = ({ sourceUrl }: Pick<TileHead, "sourceUrl">, { refreshMinutes }: TilePatch): boolean =>
  sourceUrl === null && refreshMinutes !== undefined;

/** Applies a patch except for its content. Throws 400 and 409 for a schedule that the tile can't have. */
export function patchHead<T extends Tile | TileHead>(tile: T, patch: TilePatch): T {
  if (isScheduleWithoutLink(tile, patch))
    throw invalidField("refresh_minutes", "has no effect on a tile without a link. Leave it out.", "field_without_effect");
  if (typeof patch.refreshMinutes === "number" && (patch.content !== undefined || tile.textOverridden))
    throw conflict(TEXT_OVERRIDDEN_MESSAGE, "text_overridden");
  return {
    ...tile,
    refreshMinutes: patch.refreshMinutes === undefined ? tile.refreshMinutes : patch.refreshMinutes,
    zoneId: patch.zoneId === undefined ? tile.zoneId : patch.zoneId,
    sortOrder: patch.sortOrder ?? tile.sortOrder,
    externalId: patch.externalId === undefined ? tile.externalId : patch.externalId,
    ...resolveTileOptions(patch),
    title: patch.title ?? tile.title,
    titleOverridden: tile.titleOverridden || patch.title !== undefined,
  };
}

/** Replaces the text by hand, which makes the tile ready; the caller has to drop its job. */
export const replaceText = (tile: Tile, content: string): Tile => ({
  ...tile,
  rawContent: content,
  extractedText: content,
  textOverridden: tile.sourceUrl !== null || tile.file !== null,
  status: "ready",
  error: null,
  warnings: [],
  segments: [],
  previousText: null,
});

/** Returns when a link is refreshed next, counted from `now`; null without a schedule. */
export const nextRefresh = ({ refreshMinutes }: Pick<Tile, "refreshMinutes">, now: number): number | null =>
  refreshMinutes === null ? null : now + refreshMinutes * 60_000;

/** What the search index depends on; without the text if it was not read, and so did not change. */
type IndexedFields = Pick<Tile, "title" | "status" | (typeof INDEXED_OPTIONS)[number]> & Partial<Pick<Tile, "extractedText">>;

/** Whether a change requires indexing the tile again. */
export const isReindexed = (previous: IndexedFields, next: IndexedFields): boolean =>
  next.title !== previous.title ||
  next.extractedText !== previous.extractedText ||
  next.status !== previous.status ||
  INDEXED_OPTIONS.some((name) => next[name] !== previous[name]);

/** Throws 409 when the tile can't be ingested again. `replacesText` permits replacing overridden text. */
export function checkRetry(tile: TileHead, replacesText: boolean): void {
  if (tile.sourceUrl === null && tile.file === null) throw conflict("A text tile has nothing to retry.", "nothing_to_retry");
  if (tile.textOverridden && !replacesText)
    throw conflict(
      "This tile's text was replaced by hand; a retry would overwrite it. Send replace_text=true to overwrite it.",
      "text_overridden",
    );
  if (tile.status === "processing") throw conflict("The tile is still processing.", "tile_processing");
}
