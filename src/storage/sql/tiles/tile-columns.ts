import type { Segment, Tile, TileHead } from "#domain/content/tile.ts";
import type { SqlValue } from "../unit.ts";

/*
 * Defines how tiles are stored. Reading, inserting, updating, listing and migrating tiles derive from `FIELDS`: a new field needs a
 * line here and a migration for each engine.
 */

export type TileRow = Readonly<Record<string, SqlValue>>;
/** The type of a column: text, integer or boolean. Every column may be null. */
type Kind = "text" | "number" | "flag";
type Columns = Record<string, SqlValue>;

type Field<Name extends keyof Tile> = {
  readonly columns: Readonly<Record<string, Kind>>;
  readonly read: (row: TileRow) => Tile[Name];
  /** Sets the columns of a tile that is written. Undefined for fields that an update does not write. */
  readonly write?: (tile: Tile, columns: Columns) => void;
};

/** A field stored unchanged in one column, which updates do not write. */
const fixed = <Name extends keyof Tile>(_name: Name, column: string, kind: Kind): Field<Name> => ({
  columns: { [column]: kind },
  read: (row) => row[column] as Tile[Name],
});

/** A field stored unchanged in one column. */
const plain = <Name extends keyof Tile>(name: Name, column: string, kind: Kind): Field<Name> => ({
  ...fixed(name, column, kind),
  write: (tile, columns) => (columns[column] = tile[name] as SqlValue),
});

/** A boolean, which SQLite stores as 1 or 0. */
const flag = <Name extends "titleOverridden" | "textOverridden">(name: Name, column: string): Field<Name> => ({
  ...plain(name, column, "flag"),
  read: (row) => Boolean(row[column]) as Tile[Name],
});

/** A field stored as JSON; null means `empty`. */
const json = <Name extends "error" | "metadata" | "warnings">(name: Name, empty: Tile[Name]): Field<Name> => ({
  columns: { [name]: "text" },
  read: (row) => (row[name] === null ? empty : (JSON.parse(row[name] as string) as Tile[Name])),
  write: (tile, columns) => {
    const text = JSON.stringify(tile[name]);
    columns[name] = text === JSON.stringify(empty) ? null : text;
  },
});

/** Stored as arrays of three numbers, since an hour of speech has about a thousand segments; null means none. */
const segments: Field<"segments"> = {
  columns: { segments: "text" },
  read: (row) => (row["segments"] === null ? [] : (JSON.parse(row["segments"] as string) as [number, number, number][]).map(toSegment)),
  write: ({ segments: list }, columns) => {
    columns["segments"] = list.length === 0 ? null : JSON.stringify(list.map(({ start, end, seconds }) => [start, end, seconds]));
  },
};
const toSegment = ([start, end, seconds]: [number, number, number]): Segment => ({ start, end, seconds });

/** Null means that it equals the extracted text, which is then stored once. */
const rawContent: Field<"rawContent"> = {
  columns: { raw_content: "text" },
  read: (row) => (row["raw_content"] ?? row["extracted_text"]) as string,
  write: (tile, columns) => (columns["raw_content"] = tile.rawContent === tile.extractedText ? null : tile.rawContent),
};

const previousText: Field<"previousText"> = {
  columns: { earlier_text: "text", earlier_until: "number" },
  read: (row) =>
    row["earlier_text"] === null
      ? null
      : { text: row["earlier_text"] as string, until: (row["earlier_until"] ?? row["updated_at"]) as number },
  write: (tile, columns) => {
    columns["earlier_text"] = tile.previousText?.text ?? null;
    columns["earlier_until"] = tile.previousText?.until ?? null;
  },
};

const file: Field<"file"> = {
  columns: { file_name: "text", file_type: "text", file_hash: "text" },
  read: (row) =>
    row["file_name"] === null
      ? null
      : {
          name: row["file_name"] as string,
          mediaType: (row["file_type"] ?? "") as string,
          ...(row["file_hash"] === null ? {} : { sha256: row["file_hash"] as string }),
        },
  write: (tile, columns) => {
    columns["file_name"] = tile.file?.name ?? null;
    columns["file_type"] = tile.file?.mediaType ?? null;
    columns["file_hash"] = tile.file?.sha256 ?? null;
  },
};

const connectedToChat: Field<"connectedToChat"> = {
  ...plain("connectedToChat", "connected_to_chat", "flag"),
  read: (row) => (row["connected_to_chat"] === null ? null : Boolean(row["connected_to_chat"])),
};

const FIELDS: { readonly [Name in keyof Required<Tile>]: Field<Name> } = {
  id: fixed("id", "id", "text"),
  businessId: fixed("businessId", "business_id", "text"),
  boardId: fixed("boardId", "board_id", "text"),
  zoneId: plain("zoneId", "zone_id", "text"),
  type: plain("type", "type", "text"),
  title: plain("title", "title", "text"),
  status: plain("status", "status", "text"),
  sourceUrl: plain("sourceUrl", "source_url", "text"),
  error: json("error", null),
  sortOrder: plain("sortOrder", "sort_order", "number"),
  sequence: fixed("sequence", "sequence", "number"),
  createdAt: fixed("createdAt", "created_at", "number"),
  updatedAt: fixed("updatedAt", "updated_at", "number"),
  externalId: plain("externalId", "external_id", "text"),
  titleOverridden: flag("titleOverridden", "title_by_hand"),
  textOverridden: flag("textOverridden", "text_by_hand"),
  version: fixed("version", "version", "number"),
  metadata: json("metadata", {}),
  warnings: json("warnings", []),
  rawContent,
  extractedText: plain("extractedText", "extracted_text", "text"),
  segments,
  previousText,
  file,
  refreshMinutes: plain("refreshMinutes", "refresh_minutes", "number"),
  connectedToChat,
  languageHint: plain("languageHint", "language_hint", "text"),
};

type Name = keyof Tile;
const NAMES = Object.keys(FIELDS) as Name[];
const WRITERS = NAMES.flatMap((name) => FIELDS[name].write ?? []);

/** The columns of all fields by name, for migrations between engines. */
export const TILE_COLUMN_KINDS: Readonly<Record<string, Kind>> = Object.assign({}, ...NAMES.map((name) => FIELDS[name].columns));

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

const HEAD_WRITERS = HEAD_NAMES.flatMap((name) => FIELDS[name].write ?? []);
const readHead = createReader(HEAD_NAMES);
export const HEAD_COLUMNS = `${formatColumns(HEAD_NAMES)}, ${TEXT_BYTES} AS text_bytes`;
export const toTileHead = (row: TileRow): TileHead => ({ ...readHead(row), textBytes: Number(row["text_bytes"]) });

const readSegments = createReader(["segments"]);
export const SEGMENT_COLUMNS = formatColumns(["segments"]);
export const toSegments = (row: TileRow): Tile["segments"] => readSegments(row).segments;

/** The columns that an update writes. */
export const CHANGEABLE_COLUMNS: readonly string[] = NAMES.filter((name) => FIELDS[name].write !== undefined).flatMap((name) =>
  Object.keys(FIELDS[name].columns),
);

/** The same without the columns of texts. */
export const CHANGEABLE_HEAD_COLUMNS: readonly string[] = HEAD_NAMES.filter((name) => FIELDS[name].write !== undefined).flatMap((name) =>
  Object.keys(FIELDS[name].columns),
);

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
