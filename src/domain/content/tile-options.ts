import { type TileProperties, parseProperties } from "../labels/properties.ts";
import { type Parsed, parseTags } from "../labels/tags.ts";

/** Fields of a tile that callers set and that nothing else writes. */
export type TileOptions = {
  /** Null follows the zone, false disconnects the tile, true connects it if its zone is connected. */
  readonly connectedToChat: boolean | null;
  /** The language of the text as a BCP 47 tag. Null detects it. */
  readonly languageHint: string | null;
  /** Without duplicates, in whatever case. */
  readonly tags: readonly string[];
  /** The caller's own data. */
  readonly properties: TileProperties;
};

/** Options that a request sets; null stands for the value of a new tile. */
export type GivenTileOptions = { readonly [Name in keyof TileOptions]?: TileOptions[Name] | null | undefined };

/** Maximum length of a language tag, which RFC 5646 (section 4.4.1) recommends to accept. */
const MAX_LANGUAGE_TAG_LENGTH = 35;
/** A tag whose language is a code of ISO 639. BCP 47 also reserves languages of four to eight letters, of which there are none. */
const ISO_639_LANGUAGE = /^[a-z]{2,3}(?:-|$)/i;

type Option<Value> = {
  /** Its value in a new tile. */
  readonly initial: Value;
  /** Reads the value of an imported tile; undefined if it is invalid. */
  parse(value: unknown): Value | undefined;
};

/** Options that are listed here are created, updated, presented, exported and imported without further code. */
const OPTIONS: { readonly [Name in keyof TileOptions]: Option<TileOptions[Name]> } = {
  connectedToChat: { initial: null, parse: (value) => (value === null || typeof value === "boolean" ? value : undefined) },
  languageHint: { initial: null, parse: (value) => (value === null ? null : (toLanguageTag(value) ?? undefined)) },
  tags: { initial: [], parse: (value) => getValue(parseTags(value)) },
  properties: { initial: {}, parse: (value) => getValue(parseProperties(value)) },
};

function getValue<Value>(parsed: Parsed<Value>): Value | undefined {
  return "value" in parsed ? parsed.value : undefined;
}

const NAMES = Object.keys(OPTIONS) as (keyof TileOptions)[];

/** Options that the search index depends on. They are part of each text's `TextContext`, and a change of one indexes the tile again. */
export const INDEXED_OPTIONS = ["languageHint"] as const satisfies readonly (keyof TileOptions)[];

/** Options that few tiles have: responses and exports leave them out while they are null. */
const RARE_OPTIONS = ["languageHint"] as const satisfies readonly (keyof TileOptions)[];
type RareOption = (typeof RARE_OPTIONS)[number];

export const INITIAL_TILE_OPTIONS = Object.fromEntries(NAMES.map((name) => [name, OPTIONS[name].initial])) as TileOptions;

/** Returns the options among the fields of an object, without undefined ones. */
export function pickTileOptions(fields: TileOptions): TileOptions;
export function pickTileOptions(fields: GivenTileOptions): GivenTileOptions;
export function pickTileOptions(fields: GivenTileOptions): GivenTileOptions {
  const options: Record<string, unknown> = {};
  for (const name of NAMES) if (fields[name] !== undefined) options[name] = fields[name];
  return options;
}

/** Returns the options that a change sets. Null resets an option to its value in a new tile. */
export function resolveTileOptions(fields: GivenTileOptions): Partial<TileOptions> {
  const given = Object.entries(pickTileOptions(fields)) as [keyof TileOptions, unknown][];
  return Object.fromEntries(given.map(([name, value]) => [name, value === null ? OPTIONS[name].initial : value]));
}

/** Returns the fields without the rare options that are null. */
export function omitNullOptions<T extends TileOptions>(fields: T) {
  const isShown = ([name, value]: readonly [string, unknown]): boolean => value !== null || RARE_OPTIONS.every((rare) => rare !== name);
  return Object.fromEntries(Object.entries(fields).filter(isShown)) as Omit<T, RareOption> & {
    readonly [Name in RareOption]?: NonNullable<T[Name]>;
  };
}

/** Returns a BCP 47 language tag in its canonical form, such as `pt-BR`; null for anything else, and for names such as `german`. */
export function toLanguageTag(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_LANGUAGE_TAG_LENGTH || !ISO_639_LANGUAGE.test(value)) return null;
  try {
    return Intl.getCanonicalLocales(value)[0] ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads the options of an imported tile in their canonical form; null if one is invalid. */
export function parseTileOptions(tile: Readonly<Record<string, unknown>>): Partial<TileOptions> | null {
  const given = NAMES.filter((name) => tile[name] !== undefined);
  const options = given.map((name) => [name, OPTIONS[name].parse(tile[name])] as const);
  return options.some(([, value]) => value === undefined) ? null : Object.fromEntries(options);
}
