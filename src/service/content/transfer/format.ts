import type { Actor } from "#domain/core/access.ts";
import { invalid } from "#domain/core/errors/error.ts";
import { isLongerThan } from "#domain/core/text.ts";
import { MAX_EXTERNAL_ID_LENGTH, TILE_STATUSES, TILE_TYPES, type Tile } from "#domain/content/tile.ts";
import { parseTileOptions } from "#domain/content/tile-options.ts";
import { MAX_POSITION, ZONE_COLORS, ZONE_SIZES, type Zone, isEmoji } from "#domain/content/zone.ts";
import { findExcessiveStructure } from "#runtime/json-structure.ts";
import type { ContentDeps, ServiceSettings } from "../../deps.ts";
import { runStepInTurn } from "../../work-queue.ts";

/** As in requests. */
const MAX_URL_LENGTH = 2_048;

/** Ids of Tessera have 30 characters. */
const MAX_ID_LENGTH = 200;

/** More than a server writes: a tile has each code once, and messages are a few sentences. Listings return all of them. */
const MAX_WARNINGS = 16;
const MAX_WARNING_CODE_LENGTH = 64;
const MAX_WARNING_MESSAGE_LENGTH = 1_000;

/** Longer lines take milliseconds to parse, so they are parsed when it is the caller's turn. */
const MAX_UNQUEUED_CHARACTERS = 262_144;

/** The format of an exported board: JSON lines with a header, then zones, then tiles in order of creation. */
export const EXPORT_FORMAT = "tessera-board";
/** Version 1 had times in milliseconds, and fields that only the database needs. */
export const EXPORT_VERSION = 2;

/** One line of an exported board. */
export type ExportLine =
  | { readonly format: typeof EXPORT_FORMAT; readonly version: number; readonly board: { readonly name: string } }
  | { readonly zone: ExportedZone }
  | { readonly tile: ExportedTile };

/** What an import reads of a zone. */
export type ExportedZone = Pick<Zone, "id" | "name" | "connectedToChat" | "color" | "emoji" | "size" | "sortOrder">;

/** What an import reads of a tile. Tessera 0.1 wrote `titleOverridden` as `titleByHand`, and `textOverridden` as `textByHand`. */
export type ExportedTile = Pick<
  Tile,
  "id" | "zoneId" | "type" | "title" | "rawContent" | "extractedText" | "status" | "sourceUrl" | "metadata" | "externalId"
> & {
  readonly segments?: Tile["segments"];
  readonly warnings?: Tile["warnings"];
  readonly titleOverridden?: boolean;
  readonly titleByHand?: boolean;
  readonly textOverridden?: boolean;
  readonly textByHand?: boolean;
};

/** Returns the exported board's name, or a default when the header has none. */
export function getBoardName(head: ExportLine): string {
  const name: unknown = "format" in head && isRecord(head.board) ? head.board.name : null;
  return isText(name) && name.trim() !== "" ? name.trim() : "Imported board";
}

/** Parses and validates lines; the header comes first. Throws with the line number for the first invalid line. */
export async function* parseLines(deps: ContentDeps, actor: Actor, lines: AsyncIterable<string>): AsyncGenerator<ExportLine> {
  const externalIds = new Set<string>();
  let number = 0;
  let hasHeader = false;
  for await (const text of lines) {
    number++;
    if (text.trim() === "") continue;
    const line = number;
    const isLong = text.length > MAX_UNQUEUED_CHARACTERS;
    const entry = isLong ? await runStepInTurn(deps, actor, async () => parseLine(text, line)) : parseLine(text, line);
    if ("format" in entry === hasHeader)
      throw invalid(`Line ${number} is out of place: an exported board has exactly one header, in its first line.`, "file_invalid");
    hasHeader = true;
    const problem = findInvalidField(entry, deps.settings);
    if (problem !== null) throw invalid(`Line ${number}: ${problem}`, "file_invalid");
    const externalId = "tile" in entry ? entry.tile.externalId : null;
    if (externalId !== null && externalIds.has(externalId))
      throw invalid(`Line ${number}: another tile of the file has the same externalId.`, "file_invalid");
    if (externalId !== null) externalIds.add(externalId);
    yield entry;
  }
}

/** A line has exactly one of these fields. */
const LINE_KINDS = ["format", "zone", "tile"] as const;

function parseLine(text: string, number: number): ExportLine {
  const excess = findExcessiveStructure(Buffer.from(text));
  if (excess !== null) refuse(`Line ${number} ${excess === "parts" ? "has too many parts" : "is nested too deeply"}.`);
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && LINE_KINDS.filter((kind) => Object.hasOwn(value, kind)).length === 1) {
      const isHeader = value.format === EXPORT_FORMAT && typeof value.version === "number";
      if (isHeader && value.version !== 1 && value.version !== EXPORT_VERSION)
        return refuse(`Line ${number} has version ${value.version}; this Tessera reads versions 1 and ${EXPORT_VERSION}.`);
      if (isHeader || isZone(value.zone) || isTile(value.tile)) return value as ExportLine;
    }
  } catch (error) {
    // Invalid JSON is reported below with the line number, like any other invalid line.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return refuse(`Line ${number} is not a line of an exported board.`);
}

/** Describes what the API would reject in a parsed line. Returns null for a valid line. */
function findInvalidField(entry: ExportLine, { maxName, maxTitle }: ServiceSettings): string | null {
  if ("zone" in entry) {
    const { name, emoji, sortOrder } = entry.zone;
    if (name.trim() === "") return "the zone's name must not be blank.";
    if (emoji !== null && !isEmoji(emoji)) return "the zone's emoji must be one emoji or null.";
    if (Math.abs(sortOrder) > MAX_POSITION) return "the zone's sortOrder is out of bounds.";
    return describeTooLong("zone's name", name, maxName);
  }
  if ("tile" in entry) {
    const { title, externalId, warnings = [] } = entry.tile;
    return (
      describeTooLong("tile's title", title, maxTitle) ??
      describeTooLong("tile's externalId", externalId ?? "", MAX_EXTERNAL_ID_LENGTH) ??
      findInvalidWarning(warnings)
    );
  }
  return describeTooLong("board's name", getBoardName(entry), maxName);
}

function findInvalidWarning(warnings: Tile["warnings"]): string | null {
  if (warnings.length > MAX_WARNINGS) return `the tile has too many warnings. The maximum is ${MAX_WARNINGS}.`;
  for (const { code, message } of warnings) {
    const problem =
      describeTooLong("code of a warning", code, MAX_WARNING_CODE_LENGTH) ??
      describeTooLong("message of a warning", message, MAX_WARNING_MESSAGE_LENGTH);
    if (problem !== null) return problem;
  }
  return null;
}

export const describeTooLong = (what: string, value: string, max: number): string | null =>
  isLongerThan(value, max) ? `the ${what} is too long. The maximum is ${max.toLocaleString("en")} characters.` : null;

function refuse(message: string): never {
  throw invalid(message, "file_invalid");
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
/** Text that every database accepts. */
const isText = (value: unknown): value is string => typeof value === "string" && value.isWellFormed() && !value.includes("\0");
const isId = (value: unknown): boolean => isText(value) && value.length <= MAX_ID_LENGTH;
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isOneOf = (value: unknown, choices: readonly string[]): boolean => isText(value) && choices.includes(value);
const isWebAddress = (value: unknown): boolean => {
  const url = isText(value) && value.length <= MAX_URL_LENGTH ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
};

/** Undefined, as in files of earlier versions, or a list whose records all pass the check. */
const isArrayOf = (value: unknown, check: (one: Record<string, unknown>) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => isRecord(one) && check(one)));

const isZone = (value: unknown): value is ExportedZone =>
  isRecord(value) &&
  isId(value.id) &&
  isText(value.name) &&
  typeof value.connectedToChat === "boolean" &&
  (value.color === null || isOneOf(value.color, ZONE_COLORS)) &&
  isTextOrNull(value.emoji) &&
  isOneOf(value.size, ZONE_SIZES) &&
  Number.isSafeInteger(value.sortOrder);

const isTile = (value: unknown): value is ExportedTile =>
  isRecord(value) &&
  isId(value.id) &&
  (value.zoneId === null || isId(value.zoneId)) &&
  [value.title, value.rawContent, value.extractedText].every(isText) &&
  isTextOrNull(value.externalId) &&
  typeof (value.titleOverridden ?? value.titleByHand) === "boolean" &&
  isOneOf(value.type, TILE_TYPES) &&
  isOneOf(value.status, TILE_STATUSES) &&
  (value.sourceUrl === null || isWebAddress(value.sourceUrl)) &&
  isRecord(value.metadata) &&
  parseTileOptions(value) !== null &&
  isArrayOf(value.segments, (one) => [one.start, one.end, one.seconds].every(Number.isFinite)) &&
  isArrayOf(value.warnings, (one) => [one.code, one.message].every(isText));
