/** Fields of a tile that callers set and that nothing else writes. */
export type TileOptions = {
  /** Null follows the zone, false disconnects the tile, true connects it if its zone is connected. */
  readonly connectedToChat: boolean | null;
};

type Option<Value> = { /** Its value in a new tile. */ readonly initial: Value; isValid(value: unknown): boolean };

/** Options that are listed here are created, updated, exported and imported without further code. */
const OPTIONS: { readonly [Name in keyof TileOptions]: Option<TileOptions[Name]> } = {
  connectedToChat: { initial: null, isValid: (value) => value === null || typeof value === "boolean" },
};

const NAMES = Object.keys(OPTIONS) as (keyof TileOptions)[];

export const INITIAL_TILE_OPTIONS = Object.fromEntries(NAMES.map((name) => [name, OPTIONS[name].initial])) as TileOptions;

/** Returns the options among the fields of an object, without undefined ones. */
export function pickTileOptions(fields: { readonly [Name in keyof TileOptions]?: TileOptions[Name] | undefined }): Partial<TileOptions> {
  const options: Record<string, unknown> = {};
  for (const name of NAMES) if (fields[name] !== undefined) options[name] = fields[name];
  return options;
}

/** Whether each option of an imported tile is valid or missing. */
export const hasValidTileOptions = (tile: Readonly<Record<string, unknown>>): boolean =>
  NAMES.every((name) => tile[name] === undefined || OPTIONS[name].isValid(tile[name]));
