import { randomInt } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ConnectedTile } from "#domain/answers/search.ts";
import type { TileSummary } from "#domain/content/tile.ts";
import { renderSource, renderSources, type Source } from "#retrieval/grounding/prompt.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardReader } from "../access.ts";
import type { Deps } from "../deps.ts";
import { streamTiles } from "../content/tiles.ts";

/** A word that nobody can guess, for one call: eighteen digits, which are the same number of tokens whichever they are. */
export function newNonce(): string {
  const half = (): string => String(randomInt(1_000_000_000)).padStart(9, "0");
  return half() + half();
}

/** What a model is given, and the tokens of it. */
export type Given = { readonly sources: readonly Source[]; readonly tokens: number };

/** Tiles listed before a board counts as too large, however few of them are connected. */
const MAX_LISTED = 20_000;
/** Fewest tokens of one source, by its heading, and most characters that a token has in any usual text. */
const MIN_TOKENS = 12;
const MAX_CHARACTERS_PER_TOKEN = 8;
/** Tiles loaded at once, and characters counted before others have their turn. */
const STEP = 100;
const TURN_CHARACTERS = 20_000;

/** Every connected tile of the board, in the board's order, where all of them fit the budget; else null. */
export async function readWholeBoard(deps: Deps, scope: BoardReader, nonce: string): Promise<Given | null> {
  const budget = deps.settings.askContextTokens;
  const ids = await listConnected(deps, scope, Math.floor(budget / MIN_TOKENS));
  if (ids === null) return null;
  const { businessId, id: boardId } = scope.target;
  const sources: Source[] = [];
  let characters = 0;
  for (let at = 0; at < ids.length; at += STEP) {
    const wanted = ids.slice(at, at + STEP);
    // Read anew with the right to it: what was listed may be disconnected by now.
    const found = new Map((await deps.store.search.connectedTiles(businessId, boardId, wanted)).map((tile) => [tile.id, tile]));
    for (const id of wanted) {
      const tile = found.get(id);
      if (tile === undefined || tile.extractedText.trim() === "") continue;
      characters += tile.extractedText.length;
      if (characters > budget * MAX_CHARACTERS_PER_TOKEN) return null;
      sources.push(wholeTile(tile));
    }
  }
  const given = await fitSources(sources, budget, nonce, await deps.loadTokenCounter());
  return given.sources.length === sources.length ? given : null;
}

/** The first sources that fit the budget together, as they are rendered. A later one may fit where one before it does not. */
export async function fitSources(
  candidates: readonly Source[],
  budget: number,
  nonce: string,
  count: (text: string) => number,
): Promise<Given> {
  const sources: Source[] = [];
  let tokens = count(renderSources([], nonce));
  let counted = 0;
  for (const source of candidates) {
    // Counted with its line end, block by block: joined they are never more.
    const own = count(`${renderSource(source, sources.length, nonce)}\n`) + 1;
    if (tokens + own <= budget) {
      sources.push(source);
      tokens += own;
    }
    counted += source.text.length;
    if (counted < TURN_CHARACTERS) continue;
    counted = 0;
    await nextTurn();
  }
  return sources.length === 0 ? { sources, tokens: 0 } : { sources, tokens };
}

/** A passage as a source. */
export const passageSource = ({ tileId, title, type, sourceUrl, text, start, end, tileText }: Passage): Source => ({
  tileId,
  title,
  type,
  sourceUrl,
  text,
  start,
  end,
  tileText,
});

const wholeTile = ({ id, title, type, sourceUrl, extractedText }: ConnectedTile): Source => ({
  tileId: id,
  title,
  type,
  sourceUrl,
  text: extractedText,
  start: 0,
  end: extractedText.length,
  tileText: extractedText,
});

/** Ids of the ready tiles that feed chat, by zone and place; null where there are more than `most`. */
async function listConnected(deps: Deps, scope: BoardReader, most: number): Promise<string[] | null> {
  const zones = await deps.store.zones.list(scope, null, null);
  const places = new Map(zones.flatMap(({ id, connectedToChat }, at) => (connectedToChat ? [[id, at] as const] : [])));
  const tiles: TileSummary[] = [];
  let listed = 0;
  for await (const step of streamTiles(deps, scope, { order: "asc", status: "ready", withText: false, skipDisconnected: true })) {
    tiles.push(...step.filter(({ zoneId }) => zoneId === null || places.has(zoneId)));
    listed += step.length;
    if (tiles.length > most || listed > MAX_LISTED) return null;
  }
  // Tiles outside every zone come after the zones.
  const placeOf = ({ zoneId }: TileSummary): number => (zoneId === null ? zones.length : (places.get(zoneId) ?? zones.length));
  return tiles.sort((a, b) => placeOf(a) - placeOf(b) || a.sortOrder - b.sortOrder || a.sequence - b.sequence).map(({ id }) => id);
}
