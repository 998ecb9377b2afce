import type { Authorized } from "#domain/access.ts";
import type { Board } from "#domain/board.ts";
import { newId } from "#domain/system.ts";
import type { NewTile, Tile } from "#domain/tile.ts";
import type { NewZone, Zone } from "#domain/zone.ts";
import type { BoardWriter, BusinessManager } from "./access.ts";
import { createBoard } from "./boards.ts";
import type { Deps } from "./deps.ts";
import { newJob } from "./links.ts";
import { streamTiles } from "./tiles.ts";

/** The form of an exported board: JSON lines, a head, then its zones, then its tiles in order of creation. */
const FORMAT = "tessera-board";
const VERSION = 1;
/** Tiles stored in one unit of work while importing. */
const STEP = 100;

type Line =
  | { readonly format: typeof FORMAT; readonly version: number; readonly board: { readonly name: string } }
  | { readonly zone: Zone }
  | { readonly tile: Tile };

/** Everything a board holds that is not deleted, as lines of JSON. No key and no secret is part of it. */
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
 * Makes a new board called `name` from exported lines; `grant` lets the new board be written. Ids are new; what was still processing or had failed is ingested anew.
 * Throws on the first line that can't be read, naming it.
 */
export async function importBoard(
  deps: Deps,
  scope: BusinessManager,
  { name, lines, grant }: { readonly name: string; readonly lines: AsyncIterable<string>; readonly grant: (board: Board) => Promise<BoardWriter> },
): Promise<{ readonly board: Board; readonly zones: number; readonly tiles: number }> {
  let target: BoardWriter | null = null;
  const zoneIds = new Map<string, string>();
  let waiting: NewTile[] = [];
  let tiles = 0;
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() === "") continue;
    const entry = readLine(text, number);
    if ("format" in entry) {
      if (entry.version !== VERSION) throw new Error(`The export is of version ${entry.version}; this Tessera reads version ${VERSION}.`);
      const made = await createBoard(deps, scope, { name });
      if (!made.replayed) target = await grant(made.value);
    } else if (target === null) {
      throw new Error("The file does not begin like an exported board.");
    } else if ("zone" in entry) {
      zoneIds.set(entry.zone.id, await importZone(deps, target, entry.zone));
    } else {
      waiting.push(draft(deps, entry.tile, zoneIds));
      tiles++;
      if (waiting.length >= STEP) waiting = await flush(deps, target, waiting);
    }
  }
  if (target === null) throw new Error("The file is empty.");
  await flush(deps, target, waiting);
  return { board: target.target, zones: zoneIds.size, tiles };
}

function readLine(text: string, number: number): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && ["format", "zone", "tile"].some((key) => Object.hasOwn(value, key))) return value as Line;
  } catch {
    // Told below, with the line's number, as any other line that is not ours.
  }
  throw new Error(`Line ${number} is not a line of an exported board.`);
}

async function importZone(deps: Deps, target: BoardWriter, zone: Zone): Promise<string> {
  const id = newId("zon", deps.clock.now());
  const { name, connectedToChat, color, emoji, size, sortOrder } = zone;
  const created: NewZone = { id, name, connectedToChat, color, emoji, size, sortOrder };
  await deps.store.zones.create(target, created, deps.clock.now());
  return id;
}

function draft(deps: Deps, tile: Tile, zoneIds: ReadonlyMap<string, string>): NewTile {
  const isFinished = tile.status === "ready";
  return {
    id: newId("til", deps.clock.now()),
    zoneId: tile.zoneId === null ? null : (zoneIds.get(tile.zoneId) ?? null),
    type: tile.type,
    title: tile.title,
    titleByHand: tile.titleByHand,
    rawContent: tile.rawContent,
    extractedText: isFinished ? tile.extractedText : "",
    sourceUrl: tile.sourceUrl,
    metadata: tile.metadata,
    externalId: tile.externalId,
    job: isFinished || tile.sourceUrl === null ? null : newJob(deps, new URL(tile.sourceUrl)),
  };
}

async function flush(deps: Deps, target: BoardWriter, waiting: readonly NewTile[]): Promise<NewTile[]> {
  if (waiting.length === 0) return [];
  const outcome = await deps.store.tiles.createMany(waiting.map((tile) => ({ scope: target, tile })), deps.clock.now());
  const refused = outcome.replayed ? undefined : outcome.value.find((item) => item instanceof Error);
  if (refused instanceof Error) throw refused;
  return [];
}
