import { type Actor, actorId } from "#domain/core/access.ts";
import { AppError, conflict, invalid } from "#domain/core/error.ts";
import type { ClaimedJob, Ingested } from "#domain/content/job.ts";
import type { Tile, TileError, TileWarning } from "#domain/content/tile.ts";
import { INITIAL_TILE_OPTIONS, type TileOptions, pickTileOptions } from "#domain/content/tile-options.ts";
import type { NewTile, TilePatch } from "#domain/content/tile-store.ts";

/** 412 when the caller asked for another version than the one that stands. */
export function checkVersion(wanted: number | undefined, version: number): void {
  if (wanted === undefined || wanted === version) return;
  throw new AppError("precondition_failed", "It was changed in the meantime. Read it again, then repeat the change.");
}

/** Whether a patch asks for nothing: then nothing changes, the time of change included. */
export const isEmpty = (patch: object): boolean => Object.keys(patch).length === 0;

/** The name in the audit log of whoever changes keys or the webhook. */
export const settlerName = (by: "operator" | { readonly actor: Actor }): string => (by === "operator" ? by : actorId(by.actor));

/** What a new tile is at first. */
export const statusOf = ({ job, error }: NewTile): "ready" | "processing" | "failed" =>
  error !== undefined ? "failed" : job === null ? "ready" : "processing";

/** Options of a new tile. Saved answers and generations do not feed chat, so that an answer does not become its own source. */
const initialOptions = (tile: NewTile): TileOptions => ({
  ...INITIAL_TILE_OPTIONS,
  ...(tile.metadata.origin === undefined ? {} : { connectedToChat: false }),
  ...givenOptions(tile),
});

/** The options that a creation sets: neither undefined nor null. */
function givenOptions(tile: NewTile): Partial<TileOptions> {
  return Object.fromEntries(Object.entries(pickTileOptions(tile)).filter(([, value]) => value !== null));
}

/** A new tile as it stands once it was written at `sequence`. */
export function createdTile(
  board: { readonly businessId: string; readonly id: string },
  tile: NewTile,
  sequence: number,
  now: number,
): Tile {
  const { job: _job, file = null, error = null, warnings = [], segments = [], ...fields } = tile;
  return {
    ...fields,
    ...initialOptions(tile),
    file,
    refreshMinutes: null,
    businessId: board.businessId,
    boardId: board.id,
    status: statusOf(tile),
    error,
    warnings,
    segments,
    previousText: null,
    sortOrder: sequence,
    sequence,
    textOverridden: false,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** What an upsert makes of the tile that is there: null where nothing changes, down to the time of change. */
export type Upsert = { readonly next: Tile; /** Whether its source changed, so that its job is replaced. */ readonly isNewSource: boolean };

export function upsertTile(earlier: Tile, tile: NewTile): Upsert | null {
  const title = tile.titleOverridden ? tile.title : earlier.title;
  const zoneId = tile.zoneId ?? earlier.zoneId;
  const isSame = tile.sourceUrl === earlier.sourceUrl && (tile.job !== null || tile.rawContent === earlier.rawContent);
  const options = upsertOptions(earlier, tile);
  const origin = tile.metadata.origin ?? earlier.metadata.origin;
  const isKept = isSameOptions(options, earlier) && origin === earlier.metadata.origin;
  if (isSame && isKept && title === earlier.title && zoneId === earlier.zoneId) return null;
  const titleOverridden = tile.titleOverridden || earlier.titleOverridden;
  if (isSame) {
    const metadata = origin === undefined ? earlier.metadata : { ...earlier.metadata, origin };
    return { next: { ...earlier, title, titleOverridden, zoneId, ...options, metadata }, isNewSource: false };
  }
  return {
    isNewSource: true,
    next: {
      ...earlier,
      type: tile.type,
      title: titleOverridden ? title : tile.title,
      titleOverridden,
      zoneId,
      ...options,
      status: tile.job === null ? "ready" : "processing",
      sourceUrl: tile.sourceUrl,
      refreshMinutes: tile.sourceUrl === null ? null : earlier.refreshMinutes,
      file: null,
      rawContent: tile.rawContent,
      extractedText: tile.extractedText,
      textOverridden: false,
      metadata: tile.metadata,
      warnings: [],
      segments: [],
      previousText: null,
      error: null,
    },
  };
}

/** An update by external id keeps options that it does not set. A tile that becomes a saved answer or generation is disconnected. */
function upsertOptions(earlier: Tile, tile: NewTile): TileOptions {
  const becomesSaved = tile.metadata.origin !== undefined && earlier.metadata.origin === undefined;
  const kept = pickTileOptions(earlier) as TileOptions;
  return { ...kept, ...(becomesSaved ? { connectedToChat: false } : {}), ...givenOptions(tile) };
}

const isSameOptions = (options: TileOptions, tile: Tile): boolean =>
  Object.entries(options).every(([name, value]) => tile[name as keyof TileOptions] === value);

const EDITED_BY_HAND =
  "A link whose text was replaced by hand is not read on a schedule. Read it again with replace_text=true first; that replaces the text.";

/** The tile with a patch applied; new content ends what was being ingested. */
export function patchTile(tile: Tile, patch: TilePatch): Tile {
  if (typeof patch.refreshMinutes === "number" && tile.sourceUrl === null)
    throw invalid("refresh_minutes needs a link; this tile has none.");
  const next: Tile = {
    ...tile,
    refreshMinutes: patch.refreshMinutes === undefined ? tile.refreshMinutes : patch.refreshMinutes,
    zoneId: patch.zoneId === undefined ? tile.zoneId : patch.zoneId,
    sortOrder: patch.sortOrder ?? tile.sortOrder,
    ...pickTileOptions(patch),
    title: patch.title ?? tile.title,
    titleOverridden: tile.titleOverridden || patch.title !== undefined,
  };
  if (patch.content === undefined) {
    if (typeof patch.refreshMinutes === "number" && tile.textOverridden) throw conflict(EDITED_BY_HAND);
    return next;
  }
  if (typeof patch.refreshMinutes === "number") throw conflict(EDITED_BY_HAND);
  return {
    ...next,
    rawContent: patch.content,
    extractedText: patch.content,
    textOverridden: tile.sourceUrl !== null || tile.file !== null,
    status: "ready",
    error: null,
    warnings: [],
    segments: [],
    previousText: null,
  };
}

/** The text that a refresh leaves behind: what stood before where it changed something, else what it left behind the last time. */
export const previousTextOf = (
  tile: { readonly wasReady: boolean; readonly text: string },
  next: string,
  now: number,
): Tile["previousText"] => (tile.wasReady && tile.text !== "" && tile.text !== next ? { text: tile.text, until: now } : null);

/** When a link is read again, from the moment its time was set. */
export const nextRefresh = ({ refreshMinutes }: Pick<Tile, "refreshMinutes">, now: number): number | null =>
  refreshMinutes === null ? null : now + refreshMinutes * 60_000;

const REFRESH_FAILED = "refresh_failed";

/** What a tile is once its work ended without text: failed; or, where it had a text, ready with that text and a word that it is not new. */
export function endWithoutText(
  tile: { readonly wasReady: boolean; readonly hasText: boolean; readonly warnings: readonly TileWarning[] },
  error: TileError,
): { readonly status: "failed"; readonly error: TileError } | { readonly status: "ready"; readonly warnings: readonly TileWarning[] } {
  if (!tile.wasReady || !tile.hasText) return { status: "failed", error };
  const message = `It could not be read again, so the earlier text stands. ${error.message}`;
  return { status: "ready", warnings: [...tile.warnings.filter(({ code }) => code !== REFRESH_FAILED), { code: REFRESH_FAILED, message }] };
}

/** Whether a change puts the tile's words back in line for the index. */
export const isReindexed = (earlier: Tile, next: Tile): boolean =>
  next.title !== earlier.title || next.extractedText !== earlier.extractedText || next.status !== earlier.status;

/** 409 for a tile whose ingestion can't start anew; text that was replaced by hand only gives way where the caller says so. */
export function checkRetry(tile: Tile, replacesText: boolean): void {
  if (tile.sourceUrl === null && tile.file === null) throw conflict("A text tile has nothing to retry.");
  if (tile.textOverridden && !replacesText) throw conflict("This tile's text was replaced by hand; a retry would overwrite it.");
  if (tile.status === "processing") throw conflict("The tile is still processing.");
}

export const zoneIsGone = (): AppError => conflict("The tile's zone is deleted. Restore the zone first.");
export const defaultBoardStays = (): AppError => conflict("The default board can't be deleted. Make another board the default first.");
export const keyUsedElsewhere = (): AppError =>
  conflict("This Idempotency-Key was used with another request. Use a new key for a new request.");

/** What a repeated call is told whose first answer showed a secret; it is kept nowhere, so it can't be shown again. */
export const secretWasShown = (what: "key" | "invitation"): AppError => conflict(SHOWN[what]);
const SHOWN = {
  key: "This call was made before, and its answer showed the key, this once. If it is lost, revoke that key and make another one with a new Idempotency-Key.",
  invitation:
    "This call was made before, and its answer showed the link, this once. If it is lost, invite the address again with a new Idempotency-Key: the new link replaces that one.",
} as const;

/** The event that a finished ingestion is worth: the first readiness, a later change, or none. */
export function eventOfFinish(
  tile: { readonly readyEventSent: boolean; readonly title: string; readonly text: string },
  result: Pick<Ingested, "text"> & { readonly title: string },
): "tile.ready" | "tile.updated" | null {
  if (!tile.readyEventSent) return "tile.ready";
  return tile.title !== result.title || tile.text !== result.text ? "tile.updated" : null;
}

/** Why a tile failed whose worker was lost on its last try. */
export const workerLost = (attempts: ClaimedJob["attempt"]): TileError => ({
  code: "worker_lost",
  message: "The work on this link was interrupted on its last try. Retry it; if it happens again, paste its text instead.",
  stage: "worker",
  retryable: true,
  attempts,
});

/** Why a tile failed whose work ended the process, each time it was tried. */
export const workerCrashed = (attempts: ClaimedJob["attempt"]): TileError => ({
  code: "worker_crashed",
  message:
    "Reading this link ended the service unexpectedly more than idempotency, so it is not tried again. Paste its text instead, and ask whoever runs this server to look at its log.",
  stage: "worker",
  retryable: false,
  attempts,
});

export const WEBHOOK_REMOVED = "The webhook was removed before this was sent.";
export const SENDER_STOPPED = "The service stopped while this was being sent; it may have arrived.";

export const addressTaken = (): AppError => conflict("A member with this e-mail address exists already.");
export const lastOwner = (): AppError =>
  conflict("The last owner of a business can't be removed or given another role. Make another member an owner first.");
export const backupUnderWay = (): AppError => conflict("A backup is being made already. Wait until it has ended.");
