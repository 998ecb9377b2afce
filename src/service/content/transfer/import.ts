import type { Board } from "#domain/core/board.ts";
import { invalid } from "#domain/core/errors/error.ts";
import { weighLabels } from "#domain/labels/labels.ts";
import { newId } from "#domain/core/system.ts";
import { isLink, type TileError, UNTITLED } from "#domain/content/tile.ts";
import { parseTileOptions } from "#domain/content/tile-options.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import type { NewZone } from "#domain/content/zone.ts";
import type { BoardManager, BoardWriter, BusinessManager } from "../../access.ts";
import type { ContentDeps, StoreDeps, WorkDeps } from "../../deps.ts";
import { runStepInTurn } from "../../work-queue.ts";
import { parseMetadata } from "./metadata.ts";
import { createBoard } from "../boards.ts";
import { newJob } from "../links.ts";
import { type ExportLine, type ExportedTile, type ExportedZone, getBoardName, parseLines, describeTooLong } from "./format.ts";

/** Tiles stored in one transaction while importing, and the characters of their texts. The last tile may exceed these. */
const BATCH_TILES = 100;
const BATCH_CHARACTERS = 1_048_576;
/** A segment takes as much memory as so many characters. */
const SEGMENT_CHARACTERS = 32;

/**
 * Imports exported lines as a new board called `name`, or by its exported name when null. `authorize` authorizes writing to the new
 * board. Ids are new, and links that were processing or failed are ingested again.
 * Throws `AppError` (400) with the line number for the first line that is invalid; the incomplete board is then erased.
 */
export async function importBoard(
  deps: ContentDeps,
  scope: BusinessManager,
  {
    name,
    lines,
    authorize,
  }: {
    readonly name: string | null;
    readonly lines: AsyncIterable<string>;
    readonly authorize: (board: Board) => BoardManager | Promise<BoardManager>;
  },
): Promise<{ readonly board: Board; readonly zones: number; readonly tiles: number }> {
  const entries = parseLines(deps, scope.actor, lines);
  const head = await entries.next();
  if (head.done === true) throw invalid("The file is empty.", "file_invalid");
  const problem = describeTooLong("board's name", name ?? "", deps.settings.maxName);
  if (problem !== null) throw invalid(`Choose another name: ${problem}`, "file_invalid");
  const created = await createBoard(deps, scope, { name: name ?? getBoardName(head.value) });
  if (created.replayed) throw new Error("An import without an idempotency key can't be replayed.");
  const target = await authorize(created.value);
  try {
    return { board: target.target, ...(await importEntries(deps, target, entries)) };
  } catch (error) {
    await eraseIncomplete(deps, target);
    throw error;
  }
}

/** Erases the board of a failed import, and nothing else. */
async function eraseIncomplete({ store, clock }: StoreDeps, target: BoardManager): Promise<void> {
  await store.boards.discard(target, clock.now());
  // The change feed reports the tiles before they are erased.
  while ((await store.feed.sequence(clock.now(), target.target.businessId)).hasMore);
  await store.purgeDiscarded(target);
}

type LineLimits = {
  readonly maxLength: number;
  /** Called with the number of characters in memory before they are split. What it throws ends the import. */
  readonly hold?: (characters: number) => void;
};

/**
 * Splits streamed text into lines at line feeds only, since text may contain the other separators that `readline` splits at.
 * Throws `AppError` (400) for a line of more than `maxLength` characters. Without limits, lines may be of any length.
 */
export async function* streamLines(pieces: AsyncIterable<string>, limits?: LineLimits): AsyncGenerator<string> {
  const { maxLength = Infinity, hold } = limits ?? {};
  let rest = "";
  for await (const piece of pieces) {
    hold?.(rest.length + piece.length);
    const lines = piece.split("\n");
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    if (rest.length > maxLength || lines.some(({ length }) => length > maxLength))
      throw invalid("The file has a line that is too long. It is not an exported board.", "file_invalid");
    yield* lines;
  }
  yield rest;
}

async function importEntries(
  deps: ContentDeps,
  target: BoardWriter,
  entries: AsyncIterable<ExportLine>,
): Promise<{ readonly zones: number; readonly tiles: number }> {
  const zoneIds = new Map<string, string>();
  let pending: NewTile[] = [];
  let tiles = 0;
  let characters = 0;
  for await (const entry of entries) {
    if ("zone" in entry) zoneIds.set(entry.zone.id, await importZone(deps, target, entry.zone));
    if (!("tile" in entry)) continue;
    const tile = draftImported(deps, entry.tile, zoneIds);
    pending.push(tile);
    tiles++;
    characters +=
      tile.rawContent.length + tile.extractedText.length + (tile.segments?.length ?? 0) * SEGMENT_CHARACTERS + weighLabels(tile);
    if (pending.length < BATCH_TILES && characters < BATCH_CHARACTERS) continue;
    pending = await flush(deps, target, pending);
    characters = 0;
  }
  await flush(deps, target, pending);
  return { zones: zoneIds.size, tiles };
}

async function importZone(deps: StoreDeps, target: BoardWriter, zone: ExportedZone): Promise<string> {
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

function draftImported(deps: ContentDeps, tile: ExportedTile, zoneIds: ReadonlyMap<string, string>): NewTile {
  const isFinished = tile.status === "ready";
  const address = !isFinished && isLink(tile) ? tile.sourceUrl : null;
  return {
    id: newId("til", deps.clock.now()),
    zoneId: tile.zoneId === null ? null : (zoneIds.get(tile.zoneId) ?? null),
    type: tile.type,
    title: tile.title.trim() === "" ? UNTITLED : tile.title,
    titleOverridden: tile.titleOverridden ?? tile.titleByHand ?? false,
    rawContent: tile.rawContent,
    extractedText: isFinished ? tile.extractedText : "",
    sourceUrl: tile.sourceUrl,
    ...parseTileOptions(tile),
    metadata: readMetadata(tile),
    externalId: tile.externalId,
    ...(isFinished ? readFindings(tile) : {}),
    ...(tile.textOverridden === true || tile.textByHand === true ? { textOverridden: true } : {}),
    ...(isFinished || address !== null ? {} : { error: FILE_MISSING }),
    job: address === null ? null : newJob(deps, address),
  };
}

/** Returns the segments and warnings with their own fields only: what else a file has in them would be stored and returned. */
const readFindings = ({ segments = [], warnings = [] }: ExportedTile) => ({
  segments: segments.map(({ start, end, seconds }) => ({ start, end, seconds })),
  warnings: warnings.map(({ code, message }) => ({ code, message })),
});

/** Earlier versions marked saved generations by their subtype only, so the origin is derived from it. */
function readMetadata(tile: ExportedTile): NewTile["metadata"] {
  const metadata = parseMetadata(tile.metadata);
  const isOldGeneration = metadata.subtype === "GENERATED" && metadata.origin === undefined;
  return isOldGeneration ? { ...metadata, origin: "generation" } : metadata;
}

async function flush(deps: WorkDeps, target: BoardWriter, tiles: readonly NewTile[]): Promise<NewTile[]> {
  if (tiles.length === 0) return [];
  const items = tiles.map((tile) => ({ scope: target, tile }));
  const outcome = await runStepInTurn(deps, target.actor, () => deps.store.tiles.createMany(items, deps.clock.now()));
  const refused = outcome.replayed ? undefined : outcome.value.find((item) => item instanceof Error);
  if (refused instanceof Error) throw refused;
  return [];
}
