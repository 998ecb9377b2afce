import { isDeepStrictEqual } from "node:util";
import { conflict, invalidField } from "../core/errors/error.ts";
import { isLink, type Tile, type TileHead } from "./tile.ts";
import { INDEXED_OPTIONS, INITIAL_TILE_OPTIONS, type TileOptions, pickTileOptions, resolveTileOptions } from "./tile-options.ts";
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
    html: _html,
    skipDeleted: _skipDeleted,
    onDuplicate: _onDuplicate,
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

/**
 * The updated tile, and what happens to its source: it stays, it is read again (the tile then needs the new job), or the tile has another
 * link, file or text, so its job and file have to be replaced too.
 */
export type Upsert =
  | { readonly next: TileHead; readonly source: "kept" | "read again" }
  | { readonly next: Tile; readonly source: "replaced" };

/** What was compared in the database: whether the tile was made of the same text, and whether it has the same normalised address. */
export type SourceMatch = { readonly isSameText: boolean; readonly isSameAddress: boolean };

/**
 * Applies a request to the tile with its external id, or to its duplicate. Returns null when nothing changes, not even `updatedAt`. A
 * duplicate gets the external id of the request unless it has one, since that is how its other sender knows it.
 */
export function upsertTile(previous: TileHead, tile: NewTile, match: SourceMatch): Upsert | null {
  const titleOverridden = tile.titleOverridden || previous.titleOverridden;
  const common = {
    titleOverridden,
    zoneId: tile.zoneId ?? previous.zoneId,
    externalId: previous.externalId ?? tile.externalId,
    ...upsertOptions(previous, tile),
  };
  const title = tile.titleOverridden ? tile.title : previous.title;
  if (!isSameSource(previous, tile, match))
    return { next: { ...replaceSource(previous, tile), ...common, title: titleOverridden ? title : tile.title }, source: "replaced" };
  const changes = { ...common, title, sourceUrl: isLink(previous) ? previous.sourceUrl : getTextAddress(previous, tile) };
  const origin = tile.metadata.origin ?? previous.metadata.origin;
  const metadata = origin === undefined ? previous.metadata : { ...previous.metadata, origin };
  const next = { ...previous, ...changes, metadata };
  if (isReadAgain(previous, tile)) return { next: { ...next, status: "processing", error: null }, source: "read again" };
  return origin === previous.metadata.origin && isSameIn(changes, previous) ? null : { next, source: "kept" };
}

/** Whether the request names the link, file or text that the tile was made of. A text that was replaced by hand then stays. */
function isSameSource(previous: TileHead, tile: NewTile, { isSameText, isSameAddress }: SourceMatch): boolean {
  const { file, sourceUrl } = tile;
  if (file !== undefined || previous.file !== null)
    return file?.sha256 !== undefined && file.sha256 === previous.file?.sha256 && file.name === previous.file.name;
  if (isLink(tile) !== isLink(previous)) return false;
  if (!isLink(tile)) return isSameText;
  return tile.onDuplicate === undefined ? sourceUrl === previous.sourceUrl : isSameAddress;
}

/**
 * Whether the same link is read again: to update a duplicate, unless its job waits or runs, or because its page was sent. A text that was
 * replaced by hand stays.
 */
function isReadAgain(previous: TileHead, tile: NewTile): boolean {
  if (!isLink(tile) || previous.textOverridden) return false;
  return tile.html !== undefined || (tile.onDuplicate === "update" && previous.status !== "processing");
}

/** Returns the options after an upsert, which keeps options that it does not set. A tile that becomes a saved answer or generation is disconnected. */
function upsertOptions(previous: TileHead, tile: NewTile): TileOptions {
  const becomesSaved = tile.metadata.origin !== undefined && previous.metadata.origin === undefined;
  return { ...pickTileOptions(previous), ...(becomesSaved ? { connectedToChat: false } : {}), ...pickGivenOptions(tile) };
}

const isSameIn = (fields: Partial<TileHead>, tile: TileHead): boolean =>
  Object.entries(fields).every(([name, value]) => isDeepStrictEqual(tile[name as keyof TileHead], value));

/** Returns where a text came from: a request that does not say so leaves it as it was. */
const getTextAddress = (previous: Pick<TileHead, "type" | "sourceUrl">, { sourceUrl }: NewTile): string | null =>
  sourceUrl ?? (isLink(previous) ? null : previous.sourceUrl);

/** Replaces the content, and resets everything that described the previous content. */
const replaceSource = ({ textBytes: _textBytes, ...previous }: TileHead, tile: NewTile): Tile => ({
  ...previous,
  type: tile.type,
  status: tile.job === null ? "ready" : "processing",
  sourceUrl: tile.type === "TEXT" ? getTextAddress(previous, tile) : tile.sourceUrl,
  refreshMinutes: isLink(tile) ? previous.refreshMinutes : null,
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
export const isScheduleWithoutLink = (tile: Pick<TileHead, "type" | "sourceUrl">, { refreshMinutes }: TilePatch): boolean =>
  !isLink(tile) && refreshMinutes !== undefined;

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
  textOverridden: isLink(tile) || tile.file !== null,
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
  if (!isLink(tile) && tile.file === null) throw conflict("A text tile has nothing to retry.", "nothing_to_retry");
  if (tile.textOverridden && !replacesText)
    throw conflict(
      "This tile's text was replaced by hand; a retry would overwrite it. Send replace_text=true to overwrite it.",
      "text_overridden",
    );
  if (tile.status === "processing") throw conflict("The tile is still processing.", "tile_processing");
}
