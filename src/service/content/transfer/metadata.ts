import { TILE_ORIGINS, type TileMetadata, type TileOrigin } from "#domain/content/tile.ts";

type TextField = { [Name in keyof TileMetadata]-?: NonNullable<TileMetadata[Name]> extends string ? Name : never }[keyof TileMetadata];
type NumberField = { [Name in keyof TileMetadata]-?: NonNullable<TileMetadata[Name]> extends number ? Name : never }[keyof TileMetadata];

const TEXT_FIELDS: readonly Exclude<TextField, "origin">[] = [
  "subtype",
  "pageType",
  "author",
  "authorUrl",
  "siteName",
  "publishedAt",
  "thumbnailUrl",
  "language",
  "canonicalUrl",
];
const NUMBER_FIELDS: readonly NumberField[] = ["durationSeconds", "wordCount"];
const MAX_TEXT_LENGTH = 2_048;
const MAX_STATS = 32;
const MAX_STAT_NAME_LENGTH = 64;

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_TEXT_LENGTH && value.isWellFormed() && !value.includes("\0");
const isStatName = (name: string): boolean => isText(name) && name.length <= MAX_STAT_NAME_LENGTH;
/** A text would have an entry for each of its characters, which can be millions. */
const listEntries = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
const isOrigin = (value: unknown): value is TileOrigin => TILE_ORIGINS.some((origin) => origin === value);

/**
 * Reads the metadata of an imported tile. Anything but known fields with valid values is left out: it would be returned in every listing.
 */
export function parseMetadata(metadata: Readonly<Record<string, unknown>>): TileMetadata {
  const stats = listEntries(metadata["stats"]).filter(([name, value]) => isStatName(name) && Number.isFinite(value));
  return {
    ...Object.fromEntries(TEXT_FIELDS.filter((name) => isText(metadata[name])).map((name) => [name, metadata[name]])),
    ...Object.fromEntries(NUMBER_FIELDS.filter((name) => Number.isFinite(metadata[name])).map((name) => [name, metadata[name]])),
    ...(stats.length === 0 ? {} : { stats: Object.fromEntries(stats.slice(0, MAX_STATS)) as Record<string, number> }),
    ...(isOrigin(metadata["origin"]) ? { origin: metadata["origin"] } : {}),
  };
}
