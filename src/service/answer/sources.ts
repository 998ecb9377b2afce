import { randomInt } from "node:crypto";
import type { ConnectedTile } from "#domain/answers/search.ts";
import type { TileSummary } from "#domain/content/tile.ts";
import { renderSource, renderSources, type Source } from "#retrieval/grounding/prompt.ts";
import type { CountTokens } from "#retrieval/answer/token-counter.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardReader } from "../access.ts";
import type { Deps } from "../deps.ts";
import { readTiles } from "../content/tiles.ts";

/** Creates an unguessable delimiter for one model call: 18 digits, so that every nonce has the same number of tokens. */
export function newNonce(): string {
  const half = (): string => String(randomInt(1_000_000_000)).padStart(9, "0");
  return half() + half();
}

/** The sources given to a model, and their number of tokens. */
export type FittedSources = { readonly sources: readonly Source[]; readonly tokens: number };

/** A board with more listed tiles counts as too large, even when few of them are connected. */
const MAX_LISTED = 20_000;
/** The minimum number of tokens of a source, from its heading, and the maximum number of characters per token in normal text. */
const MIN_TOKENS = 12;
const MAX_CHARACTERS_PER_TOKEN = 8;
/** Tiles loaded at once, and characters whose tokens are counted at once. */
const BATCH_TILES = 100;
const BATCH_CHARACTERS = 20_000;

/** Returns every connected tile in board order when all of them fit the budget, otherwise null. */
export async function readWholeBoard(deps: Deps, scope: BoardReader, nonce: string, count: CountTokens): Promise<FittedSources | null> {
  const budget = deps.settings.askContextTokens;
  const ids = await listConnected(deps, scope, Math.floor(budget / MIN_TOKENS));
  if (ids === null) return null;
  const { businessId, id: boardId } = scope.target;
  const sources: Source[] = [];
  let characters = 0;
  for (let at = 0; at < ids.length; at += BATCH_TILES) {
    const wanted = ids.slice(at, at + BATCH_TILES);
    // Check access again, since a listed tile may be disconnected by now.
    const found = new Map((await deps.store.search.connectedTiles(businessId, boardId, wanted)).map((tile) => [tile.id, tile]));
    for (const id of wanted) {
      const tile = found.get(id);
      if (tile === undefined || tile.extractedText.trim() === "") continue;
      characters += tile.extractedText.length;
      if (characters > budget * MAX_CHARACTERS_PER_TOKEN) return null;
      sources.push(tileToSource(tile));
    }
  }
  const given = await fitSources(sources, budget, nonce, count);
  return given.sources.length === sources.length ? given : null;
}

/** Selects sources that fit the budget together, in order. A source that does not fit is skipped, and a later one may still fit. */
export async function fitSources(candidates: readonly Source[], budget: number, nonce: string, count: CountTokens): Promise<FittedSources> {
  const sources: Source[] = [];
  let [tokens = 0] = await count([renderSources([], nonce)]);
  for (const batch of splitIntoBatches(candidates)) {
    // Numbered as if all of the batch fit. A smaller number never has more tokens. Each block is counted with its line end, so the joined
    // text never has more tokens either.
    const blocks = batch.map((source, at) => `${renderSource(source, sources.length + at, nonce)}\n`);
    for (const [at, blockTokens] of (await count(blocks)).entries()) {
      const source = batch[at];
      if (source === undefined || tokens + blockTokens + 1 > budget) continue;
      sources.push(source);
      tokens += blockTokens + 1;
    }
  }
  return sources.length === 0 ? { sources, tokens: 0 } : { sources, tokens };
}

function* splitIntoBatches(sources: readonly Source[]): Generator<readonly Source[]> {
  let batch: Source[] = [];
  let characters = 0;
  for (const source of sources) {
    batch.push(source);
    characters += source.text.length;
    if (characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Converts a passage to a source. */
export const passageToSource = ({ tileId, title, type, sourceUrl, text, start, end, around }: Passage): Source => ({
  tileId,
  title,
  type,
  sourceUrl,
  text,
  start,
  end,
  around,
});

const tileToSource = ({ id, title, type, sourceUrl, extractedText }: ConnectedTile): Source => ({
  tileId: id,
  title,
  type,
  sourceUrl,
  text: extractedText,
  start: 0,
  end: extractedText.length,
  around: { text: extractedText, start: 0 },
});

/** Lists the ids of ready, connected tiles by zone and position. Returns null when there are more than `max`. */
async function listConnected(deps: Deps, scope: BoardReader, max: number): Promise<string[] | null> {
  const zones = await deps.store.zones.list(scope, null, null);
  const zonePositions = new Map(zones.flatMap(({ id, connectedToChat }, at) => (connectedToChat ? [[id, at] as const] : [])));
  const tiles: TileSummary[] = [];
  let listed = 0;
  for await (const step of readTiles(deps, scope, { order: "asc", status: "ready", withText: false, skipDisconnected: true })) {
    tiles.push(...step.filter(({ zoneId }) => zoneId === null || zonePositions.has(zoneId)));
    listed += step.length;
    if (tiles.length > max || listed > MAX_LISTED) return null;
  }
  // Tiles outside every zone come after the zones.
  const getZonePosition = ({ zoneId }: TileSummary): number =>
    zoneId === null ? zones.length : (zonePositions.get(zoneId) ?? zones.length);
  return tiles
    .sort((a, b) => getZonePosition(a) - getZonePosition(b) || a.sortOrder - b.sortOrder || a.sequence - b.sequence)
    .map(({ id }) => id);
}
