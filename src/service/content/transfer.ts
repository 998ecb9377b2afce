import type { Authorized } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { invalid } from "#domain/core/error.ts";
import { newId } from "#domain/core/system.ts";
import { MAX_EXTERNAL_ID_LENGTH, TILE_STATUSES, TILE_TYPES, type Tile, type TileError, UNTITLED } from "#domain/content/tile.ts";
import { hasValidTileOptions, pickTileOptions } from "#domain/content/tile-options.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import { MAX_POSITION, type NewZone, ZONE_COLORS, ZONE_SIZES, type Zone, isEmoji } from "#domain/content/zone.ts";
import { isLongerThan } from "#domain/core/text.ts";
import type { BoardManager, BoardWriter, BusinessManager } from "../access.ts";
import { createBoard } from "./boards.ts";
import { type Deps, RESTORE_WINDOW_MS } from "../deps.ts";
import { newJob } from "./links.ts";
import { streamTiles } from "./tiles.ts";

/** The format of an exported board: JSON lines with a header, then zones, then tiles in order of creation. */
const FORMAT = "tessera-board";
const VERSION = 1;
/** Tiles stored in one transaction while importing. */
const BATCH_TILES = 100;

type Line =
  | { readonly format: typeof FORMAT; readonly version: number; readonly board: { readonly name: string } }
  | { readonly zone: Zone }
  | { readonly tile: ExportedTile };

/** Exports the zones and tiles of a board, without deleted ones, as lines of JSON. Keys and secrets are not exported. */
export async function* exportBoard(deps: Deps, scope: Authorized<Board, "read">): AsyncGenerator<string> {
  yield line({ format: FORMAT, version: VERSION, board: { name: scope.target.name } });
  for (const zone of await deps.store.zones.list(scope, null, null)) yield line({ zone });
  for await (const step of streamTiles(deps, scope, { order: "asc", withText: false })) {
    for (const { id } of step) {
      const tile = await deps.store.tiles.find(scope.target.businessId, id);
      if (tile !== null) yield line({ tile });
    }
  }
}

const line = (value: Line): string => `${JSON.stringify(value)}\n`;

/**
 * Imports exported lines as a new board called `name`, or by its exported name when null. `authorize` authorizes writing to the new
 * board. Ids are new, and links that were processing or failed are ingested again.
 * Throws `AppError` (400) with the line number for the first line that is invalid; the incomplete board is then erased.
 */
export async function importBoard(
  deps: Deps,
  scope: BusinessManager,
  {
    name,
    lines,
    authorize,
  }: { readonly name: string | null; readonly lines: AsyncIterable<string>; readonly authorize: (board: Board) => Promise<BoardManager> },
): Promise<{ readonly board: Board; readonly zones: number; readonly tiles: number }> {
  const entries = readLines(deps, lines);
  const head = await entries.next();
  if (head.done === true) throw invalid("The file is empty.");
  const problem = tooLong("board's name", name ?? "", deps.settings.maxName);
  if (problem !== null) throw invalid(`Choose another name: ${problem}`);
  const created = await createBoard(deps, scope, { name: name ?? boardNameOf(head.value) });
  if (created.replayed) throw new Error("An import without an idempotency key can't be replayed.");
  const target = await authorize(created.value);
  try {
    return { board: target.target, ...(await importEntries(deps, target, entries)) };
  } catch (error) {
    await eraseIncomplete(deps, target);
    throw error;
  }
}

/** Discards the board of a failed import, so that it can't be restored, and purges it together with other expired content. */
async function eraseIncomplete({ store, clock }: Deps, target: BoardManager): Promise<void> {
  await store.boards.discard(target, clock.now());
  await store.purge(clock.now() - RESTORE_WINDOW_MS, clock.now());
}

/** Returns the exported board's name, or a default when the header has none. */
function boardNameOf(head: Line): string {
  const name: unknown = "format" in head && isRecord(head.board) ? head.board.name : null;
  return isText(name) && name.trim() !== "" ? name.trim() : "Imported board";
}

/**
 * Splits streamed text into lines at line feeds only, since text may contain the other separators that `readline` splits at.
 * Throws `AppError` (400) for a line of more than `maxLength` characters.
 */
export async function* linesOf(pieces: AsyncIterable<string>, maxLength: number = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = piece.split("\n");
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    if (rest.length > maxLength) throw invalid("The file has a line that is too long. It is not an exported board.");
    yield* lines;
  }
  yield rest;
}

async function importEntries(
  deps: Deps,
  target: BoardWriter,
  entries: AsyncIterable<Line>,
): Promise<{ readonly zones: number; readonly tiles: number }> {
  const zoneIds = new Map<string, string>();
  let pending: NewTile[] = [];
  let tiles = 0;
  for await (const entry of entries) {
    if ("zone" in entry) zoneIds.set(entry.zone.id, await importZone(deps, target, entry.zone));
    if (!("tile" in entry)) continue;
    pending.push(draftImported(deps, entry.tile, zoneIds));
    tiles++;
    if (pending.length >= BATCH_TILES) pending = await flush(deps, target, pending);
  }
  await flush(deps, target, pending);
  return { zones: zoneIds.size, tiles };
}

/** Parses and validates lines; the header comes first. Throws with the line number for the first invalid line. */
async function* readLines({ settings }: Deps, lines: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0;
  let hasHeader = false;
  for await (const text of lines) {
    number++;
    if (text.trim() === "") continue;
    const entry = readLine(text, number);
    if ("format" in entry === hasHeader) throw invalid(`Line ${number} is out of place: an exported board begins with its one header.`);
    hasHeader = true;
    const problem = findInvalidField(entry, settings);
    if (problem !== null) throw invalid(`Line ${number}: ${problem}`);
    yield entry;
  }
}

function readLine(text: string, number: number): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) {
      if (value.format === FORMAT && value.version !== VERSION)
        return refuse(`Line ${number} has version ${String(value.version)}; this Tessera reads version ${VERSION}.`);
      if (value.format === FORMAT || isZone(value.zone) || isTile(value.tile)) return value as Line;
    }
  } catch (error) {
    // Invalid JSON is reported below with the line number, like any other invalid line.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return refuse(`Line ${number} is not a line of an exported board.`);
}

/** Describes what the API would reject in a parsed line. Returns null for a valid line. */
function findInvalidField(entry: Line, { maxName, maxTitle }: Deps["settings"]): string | null {
  if ("zone" in entry) {
    const { name, emoji, sortOrder } = entry.zone;
    if (name.trim() === "") return "the zone's name must not be blank.";
    if (emoji !== null && !isEmoji(emoji)) return "the zone's emoji must be one emoji or null.";
    if (Math.abs(sortOrder) > MAX_POSITION) return "the zone's sortOrder is out of bounds.";
    return tooLong("zone's name", name, maxName);
  }
  if ("tile" in entry) {
    const { title, externalId } = entry.tile;
    return tooLong("tile's title", title, maxTitle) ?? tooLong("tile's externalId", externalId ?? "", MAX_EXTERNAL_ID_LENGTH);
  }
  return tooLong("board's name", boardNameOf(entry), maxName);
}

const tooLong = (what: string, value: string, max: number): string | null =>
  isLongerThan(value, max) ? `the ${what} is too long. The most is ${max.toLocaleString("en")} characters.` : null;

function refuse(message: string): never {
  throw invalid(message);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
/** Text that every database accepts. */
const isText = (value: unknown): value is string => typeof value === "string" && value.isWellFormed() && !value.includes("\0");
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isOneOf = (value: unknown, choices: readonly string[]): boolean => isText(value) && choices.includes(value);
const isWebAddress = (value: unknown): boolean => isText(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? "");

/** Undefined, as in files of earlier versions, or a list whose records all pass the check. */
const isListOf = (value: unknown, check: (one: Record<string, unknown>) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => isRecord(one) && check(one)));

const isZone = (value: unknown): value is Zone =>
  isRecord(value) &&
  [value.id, value.name].every(isText) &&
  typeof value.connectedToChat === "boolean" &&
  (value.color === null || isOneOf(value.color, ZONE_COLORS)) &&
  isTextOrNull(value.emoji) &&
  isOneOf(value.size, ZONE_SIZES) &&
  Number.isSafeInteger(value.sortOrder);

const isTile = (value: unknown): value is ExportedTile =>
  isRecord(value) &&
  [value.id, value.title, value.rawContent, value.extractedText].every(isText) &&
  [value.zoneId, value.externalId].every(isTextOrNull) &&
  typeof (value.titleOverridden ?? value.titleByHand) === "boolean" &&
  isOneOf(value.type, TILE_TYPES) &&
  isOneOf(value.status, TILE_STATUSES) &&
  (value.sourceUrl === null || isWebAddress(value.sourceUrl)) &&
  isRecord(value.metadata) &&
  hasValidTileOptions(value) &&
  isListOf(value.segments, (one) => [one.start, one.end, one.seconds].every(Number.isFinite)) &&
  isListOf(value.warnings, (one) => [one.code, one.message].every(isText));

async function importZone(deps: Deps, target: BoardWriter, zone: Zone): Promise<string> {
  const id = newId("zon", deps.clock.now());
  const { name, connectedToChat, color, emoji, size, sortOrder } = zone;
  const created: NewZone = { id, name, connectedToChat, color, emoji, size, sortOrder };
  await deps.store.zones.create(target, created, deps.clock.now());
  return id;
}

/** An export contains the text of an uploaded file, not its bytes. */
const FILE_MISSING: TileError = {
  code: "file_missing",
  message: "The uploaded file is not part of an export, and it had not been read. Upload it again.",
  stage: "fetch",
  retryable: false,
  attempts: 0,
};

/** A tile of an exported board. Version 0.1 wrote `titleOverridden` as `titleByHand`. */
type ExportedTile = Omit<Tile, "titleOverridden"> & { readonly titleOverridden?: boolean; readonly titleByHand?: boolean };

function draftImported(deps: Deps, tile: ExportedTile, zoneIds: ReadonlyMap<string, string>): NewTile {
  const isFinished = tile.status === "ready";
  const isLost = !isFinished && tile.sourceUrl === null;
  return {
    id: newId("til", deps.clock.now()),
    zoneId: tile.zoneId === null ? null : (zoneIds.get(tile.zoneId) ?? null),
    type: tile.type,
    title: tile.title.trim() === "" ? UNTITLED : tile.title,
    titleOverridden: tile.titleOverridden ?? tile.titleByHand ?? false,
    rawContent: tile.rawContent,
    extractedText: isFinished ? tile.extractedText : "",
    sourceUrl: tile.sourceUrl,
    ...pickTileOptions(tile),
    metadata: readMetadata(tile),
    externalId: tile.externalId,
    ...(isFinished ? { segments: tile.segments ?? [], warnings: tile.warnings ?? [] } : {}),
    ...(isLost ? { error: FILE_MISSING } : {}),
    job: isFinished || tile.sourceUrl === null ? null : newJob(deps, tile.sourceUrl),
  };
}

/** Earlier versions marked saved generations by their subtype only, so the origin is derived from it. */
function readMetadata({ metadata }: ExportedTile): NewTile["metadata"] {
  const isOldGeneration = metadata.subtype === "GENERATED" && metadata.origin === undefined;
  return isOldGeneration ? { ...metadata, origin: "generation" } : metadata;
}

async function flush(deps: Deps, target: BoardWriter, tiles: readonly NewTile[]): Promise<NewTile[]> {
  if (tiles.length === 0) return [];
  const outcome = await deps.store.tiles.createMany(
    tiles.map((tile) => ({ scope: target, tile })),
    deps.clock.now(),
  );
  const refused = outcome.replayed ? undefined : outcome.value.find((item) => item instanceof Error);
  if (refused instanceof Error) throw refused;
  return [];
}
