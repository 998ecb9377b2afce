import type { Tile, TileHead } from "#domain/content/tile.ts";
import { type Columns, FIELDS, type Kind, type TileRow } from "./tile-fields.ts";

type Name = keyof Tile;
const NAMES = Object.keys(FIELDS) as Name[];
const WRITERS = NAMES.flatMap((name) => FIELDS[name].write ?? []);

/** Returns the columns of a field, with those that are not read. */
function getStoredColumns(name: Name): Readonly<Record<string, Kind>> {
  return { ...FIELDS[name].columns, ...FIELDS[name].derived };
}

/** The columns of all fields by name, for migrations between engines. */
export const TILE_COLUMN_KINDS: Readonly<Record<string, Kind>> = Object.assign({}, ...NAMES.map(getStoredColumns));

/** Returns the columns of these fields of the table alias `t`. */
export const formatColumns = (names: readonly Name[]): string =>
  names.flatMap((name) => Object.keys(FIELDS[name].columns).map((column) => `t.${column}`)).join(", ");

/** Creates a function that reads these fields of a row. */
export function createReader<Names extends Name>(names: readonly Names[]): (row: TileRow) => Pick<Tile, Names> {
  const fields = names.map((name) => [name, FIELDS[name].read] as const);
  const blank = Object.fromEntries(names.map((name) => [name, null]));
  return (row) => {
    const values: Record<string, unknown> = { ...blank };
    for (const [name, read] of fields) values[name] = read(row);
    return values as Pick<Tile, Names>;
  };
}

export const TILE_COLUMNS = formatColumns(NAMES);
export const toTile: (row: TileRow) => Tile = createReader(NAMES);

const TEXT_FIELDS = ["rawContent", "extractedText", "segments", "previousText"] as const;
const TEXT_COLUMNS = ["raw_content", "extracted_text", "segments", "earlier_text"];
type HeadName = Exclude<Name, (typeof TEXT_FIELDS)[number]>;
const HEAD_NAMES = NAMES.filter((name): name is HeadName => !(TEXT_FIELDS as readonly Name[]).includes(name));

/** The length of the texts of the tile `t` in bytes. Both engines know it without reading the texts. */
export const TEXT_BYTES = `(${TEXT_COLUMNS.map((column) => `coalesce(octet_length(t.${column}), 0)`).join(" + ")})`;

/** As `TEXT_BYTES`, of a tile that is erased with its labels: each takes as long as 200 bytes of text, and has at least five of JSON. */
export const ERASED_BYTES = `(${TEXT_BYTES} + 40 * (coalesce(octet_length(t.tags), 0) + coalesce(octet_length(t.properties), 0)))`;

const HEAD_WRITERS = HEAD_NAMES.flatMap((name) => FIELDS[name].write ?? []);
const readHead = createReader(HEAD_NAMES);
export const HEAD_COLUMNS = `${formatColumns(HEAD_NAMES)}, ${TEXT_BYTES} AS text_bytes`;
export const toTileHead = (row: TileRow): TileHead => ({ ...readHead(row), textBytes: row.text_bytes });

const readSegments = createReader(["segments"]);
export const SEGMENT_COLUMNS = formatColumns(["segments"]);
export const toSegments = (row: TileRow): Tile["segments"] => readSegments(row).segments;

/** What the labels of a tile depend on. The columns have no alias, for RETURNING. */
const LABELLED_FIELDS = ["businessId", "boardId", "sequence", "tags", "properties"] as const;
export const LABELLED_COLUMNS = LABELLED_FIELDS.flatMap((name) => Object.keys(FIELDS[name].columns)).join(", ");
export const toLabelled: (row: TileRow) => Pick<Tile, (typeof LABELLED_FIELDS)[number]> = createReader(LABELLED_FIELDS);

/** The columns that an update writes. */
export const CHANGEABLE_COLUMNS: readonly string[] = listWritten(NAMES);

/** The same without the columns of texts. */
export const CHANGEABLE_HEAD_COLUMNS: readonly string[] = listWritten(HEAD_NAMES);

function listWritten(names: readonly Name[]): string[] {
  return names.filter((name) => FIELDS[name].write !== undefined).flatMap((name) => Object.keys(getStoredColumns(name)));
}

/** The columns that an insertion writes, except for the sequence number. */
export const INSERTED_COLUMNS: readonly string[] = [
  ...["business_id", "id", "board_id", "is_indexed", "created_at", "updated_at"],
  ...CHANGEABLE_COLUMNS.filter((name) => name !== "sort_order"),
];

const NO_COLUMNS: Readonly<Columns> = Object.fromEntries(CHANGEABLE_COLUMNS.map((column) => [column, null]));

/** Returns the columns that an update writes. Copying an object with all of them makes a creation a fifth faster than adding them. */
export function changeableColumns(tile: Tile): Columns {
  const columns = { ...NO_COLUMNS };
  for (const write of WRITERS) write(tile, columns);
  return columns;
}

/** As `changeableColumns`. The columns of the texts are left out if `next` has none, or both tiles have the same. */
export function changedColumns(previous: Tile | TileHead, next: Tile | TileHead): Columns {
  const hasNewTexts = hasTexts(next) && (!hasTexts(previous) || TEXT_FIELDS.some((name) => previous[name] !== next[name]));
  if (hasNewTexts) return changeableColumns(next);
  const columns: Columns = {};
  for (const write of HEAD_WRITERS) write(next as Tile, columns);
  return columns;
}

const hasTexts = (tile: Tile | TileHead): tile is Tile => "extractedText" in tile;

/**
 * Stores the board's revision in the tile, which finds changed tiles later. Every UPDATE of listed fields includes it, after the revision
 * was incremented in the same transaction.
 */
export const STAMP_REVISION =
  "board_revision = (SELECT b.revision FROM board b WHERE b.business_id = tile.business_id AND b.id = tile.board_id)";
