import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { conflict } from "#domain/core/errors/error.ts";

/** Shorter responses are stored as they are. */
const MIN_COMPACTED_CHARACTERS = 2_048;
/** Shorter texts are stored even if they are part of the request. */
const MIN_SHARED_CHARACTERS = 256;
/** Texts that are nested deeper are stored even if they are part of the request. */
const MAX_SHARED_DEPTH = 16;
/** Longer responses are not even compressed, since that happens while the database is written: it takes milliseconds for so many. */
const MAX_COMPRESSED_CHARACTERS = 512 * 1_024;
/** Maximum size of a stored response. Beyond it, only the fact that the call succeeded is stored. */
export const MAX_STORED_BYTES = 256 * 1_024;

export type Path = readonly (string | number)[];
/** A response without the texts that the request has too: for each, its place in the response and in the request. */
type Compacted = { readonly body: unknown; readonly shared: readonly (readonly [response: Path, request: Path])[] };

/*
 * The stored forms differ by their first character: `{` is the response itself, `z` a compacted one, and an empty text one that was too
 * large, or that the store has forgotten.
 */
const COMPACTED = "z";

/**
 * Returns what is stored of a response, so that `expandResponse` can return it for the same request. Texts that the request contains are
 * left out before anything is serialised: a tile of a megabyte takes less than a kilobyte.
 */
export function compactResponse(response: object, requestTexts: ReadonlyMap<string, Path>): string {
  const shared: [Path, Path][] = [];
  let ownCharacters = 0;
  visitTexts(response, [], (text, path) => {
    const requestPath = requestTexts.get(text);
    if (requestPath === undefined) ownCharacters += text.length;
    else shared.push([path, requestPath]);
  });
  if (ownCharacters > MAX_COMPRESSED_CHARACTERS) return "";
  const json = JSON.stringify(shared.reduce<unknown>((body, [path]) => withoutText(body, path), response));
  if (shared.length === 0 && json.length <= MIN_COMPACTED_CHARACTERS) return json;
  if (json.length > MAX_COMPRESSED_CHARACTERS) return "";
  const compacted = Buffer.from(`{"body":${json},"shared":${JSON.stringify(shared)}}`);
  const stored = COMPACTED + deflateRawSync(compacted, { level: constants.Z_BEST_SPEED }).toString("base64");
  return stored.length > MAX_STORED_BYTES ? "" : stored;
}

/** Returns the response of the first call to the same request. Throws 409 if it was not stored. */
export function expandResponse(stored: string, requestTexts: ReadonlyMap<string, Path>): string {
  if (stored === "") throw conflict(NOT_STORED, "response_not_stored");
  if (!stored.startsWith(COMPACTED)) return stored;
  const { body, shared } = JSON.parse(inflateRawSync(Buffer.from(stored.slice(1), "base64")).toString()) as Compacted;
  const texts = new Map([...requestTexts].map(([text, path]) => [JSON.stringify(path), text]));
  for (const [responsePath, requestPath] of shared) {
    const parent = readPath(body, responsePath.slice(0, -1)) as Record<string | number, unknown>;
    parent[responsePath.at(-1) as string | number] = texts.get(JSON.stringify(requestPath));
  }
  return JSON.stringify(body);
}

/** Returns the value with an empty text at the path. The rest is not copied. */
function withoutText(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return "";
  const parent = value as Record<string | number, unknown>;
  const field = withoutText(parent[name], rest);
  return Array.isArray(parent) ? parent.with(Number(name), field) : { ...parent, [name]: field };
}

const NOT_STORED =
  "The first call with this Idempotency-Key succeeded, but its response is no longer stored. Nothing was created again; list what exists, or use another key.";

const readPath = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((parent, name) => (parent as Record<string | number, unknown>)[name], value);

/** Calls `visit` for each long text that is not nested too deeply, with its path. */
export function visitTexts(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === "string" && value.length >= MIN_SHARED_CHARACTERS && path.length > 0) return visit(value, path);
  if (typeof value !== "object" || value === null || path.length >= MAX_SHARED_DEPTH) return;
  for (const [name, child] of listFields(value)) {
    const mayHaveTexts = typeof child === "string" ? child.length >= MIN_SHARED_CHARACTERS : typeof child === "object";
    if (mayHaveTexts) visitTexts(child, [...path, name], visit);
  }
}

const listFields = (value: object): readonly (readonly [string | number, unknown])[] =>
  Array.isArray(value) ? [...value.entries()] : Object.entries(value);
