import type { Segment, Tile } from "#domain/content/tile.ts";
import type { SqlValue } from "../../unit.ts";
import { hashAddress, hashSentText } from "./tile-hashes.ts";

/*
 * Defines how tiles are stored. Reading, inserting, updating, listing and migrating tiles derive from `FIELDS`: a new field needs a
 * line here and a migration for each engine.
 */

/** A row with the columns that were selected. Columns that are fields as they are have the types of those. */
export type TileRow = Readonly<Record<string, SqlValue>> & {
  readonly version: number;
  readonly updated_at: number;
  readonly raw_content: string | null;
  readonly extracted_text: string;
  readonly segments: string | null;
  readonly earlier_text: string | null;
  readonly earlier_until: number | null;
  readonly file_name: string | null;
  readonly file_type: string | null;
  readonly file_hash: string | null;
  readonly connected_to_chat: boolean | number | null;
  readonly text_bytes: number;
};
/** The type of a column: text, integer or boolean. Every column may be null. */
export type Kind = "text" | "number" | "flag";
export type Columns = Record<string, SqlValue>;

type Field<Name extends keyof Tile> = {
  readonly columns: Readonly<Record<string, Kind>>;
  /** Columns that are written with the field, and that only conditions read. */
  readonly derived?: Readonly<Record<string, Kind>>;
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
const json = <Name extends "error" | "metadata" | "warnings" | "tags" | "properties">(name: Name, empty: Tile[Name]): Field<Name> => ({
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
  read: ({ segments: list }) => (list === null ? [] : (JSON.parse(list) as [number, number, number][]).map(toSegment)),
  write: ({ segments: list }, columns) => {
    columns["segments"] = list.length === 0 ? null : JSON.stringify(list.map(({ start, end, seconds }) => [start, end, seconds]));
  },
};
const toSegment = ([start, end, seconds]: [number, number, number]): Segment => ({ start, end, seconds });

/** The hash finds tiles with the same address. */
const sourceUrl: Field<"sourceUrl"> = {
  ...fixed("sourceUrl", "source_url", "text"),
  derived: { address_hash: "text" },
  write: (tile, columns) => {
    columns["source_url"] = tile.sourceUrl;
    columns["address_hash"] = tile.sourceUrl === null ? null : hashAddress(tile.sourceUrl);
  },
};

/** Null means that it equals the extracted text, which is then stored once. The hash finds tiles that were made of the same text. */
const rawContent: Field<"rawContent"> = {
  columns: { raw_content: "text" },
  derived: { text_hash: "text" },
  read: (row) => row.raw_content ?? row.extracted_text,
  write: (tile, columns) => {
    columns["raw_content"] = tile.rawContent === tile.extractedText ? null : tile.rawContent;
    columns["text_hash"] = hashSentText(tile);
  },
};

const previousText: Field<"previousText"> = {
  columns: { earlier_text: "text", earlier_until: "number" },
  read: (row) => (row.earlier_text === null ? null : { text: row.earlier_text, until: row.earlier_until ?? row.updated_at }),
  write: (tile, columns) => {
    columns["earlier_text"] = tile.previousText?.text ?? null;
    columns["earlier_until"] = tile.previousText?.until ?? null;
  },
};

const file: Field<"file"> = {
  columns: { file_name: "text", file_type: "text", file_hash: "text" },
  read: ({ file_name: name, file_type: type, file_hash: sha256 }) =>
    name === null ? null : { name, mediaType: type ?? "", ...(sha256 === null ? {} : { sha256 }) },
  write: (tile, columns) => {
    columns["file_name"] = tile.file?.name ?? null;
    columns["file_type"] = tile.file?.mediaType ?? null;
    columns["file_hash"] = tile.file?.sha256 ?? null;
  },
};

const connectedToChat: Field<"connectedToChat"> = {
  ...plain("connectedToChat", "connected_to_chat", "flag"),
  read: (row) => (row.connected_to_chat === null ? null : Boolean(row.connected_to_chat)),
};

/** How each field is stored. */
export const FIELDS: { readonly [Name in keyof Required<Tile>]: Field<Name> } = {
  id: fixed("id", "id", "text"),
  businessId: fixed("businessId", "business_id", "text"),
  boardId: fixed("boardId", "board_id", "text"),
  zoneId: plain("zoneId", "zone_id", "text"),
  type: plain("type", "type", "text"),
  title: plain("title", "title", "text"),
  status: plain("status", "status", "text"),
  sourceUrl,
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
  tags: json("tags", []),
  properties: json("properties", {}),
};
