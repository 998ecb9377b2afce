import { randomInt } from "node:crypto";
import type { ConnectedTile } from "#domain/answers/search.ts";
import { separateNearDuplicates } from "#retrieval/answer/near-duplicates.ts";
import { renderSource, renderSources, type NumberedSource } from "#retrieval/grounding/prompt.ts";
import type { CountTokens } from "#retrieval/answer/token-counter.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardReader } from "../access.ts";
import type { ModelDeps, StoreDeps } from "../deps.ts";
import { type ConnectedId, listConnectedTiles, readConnectedTexts } from "./connected-texts.ts";

/** Creates an unguessable delimiter for one model call: 18 digits, so that every nonce has the same number of tokens. */
export function newNonce(): string {
  const half = (): string => String(randomInt(1_000_000_000)).padStart(9, "0");
  return half() + half();
}

/** The sources given to a model, and their number of tokens. */
export type FittedSources = { readonly sources: readonly NumberedSource[]; readonly tokens: number };

/** A board with more listed tiles counts as too large, even when few of them are connected. */
const MAX_LISTED = 20_000;
/** The minimum number of tokens of a source, from its heading, and the maximum number of characters per token in normal text. */
const MIN_TOKENS = 12;
const MAX_CHARACTERS_PER_TOKEN = 8;
/** Characters whose tokens are counted at once. */
const BATCH_CHARACTERS = 20_000;

/** Returns every connected tile in board order, without near-duplicates, when all of them fit the budget, otherwise null. */
export async function readWholeBoard(
  deps: ModelDeps,
  scope: BoardReader,
  nonce: string,
  count: CountTokens,
): Promise<FittedSources | null> {
  const budget = deps.settings.askContextTokens;
  const ids = await listConnected(deps, scope, Math.floor(budget / MIN_TOKENS));
  if (ids === null) return null;
  const maxCharacters = budget * MAX_CHARACTERS_PER_TOKEN;
  const sources: NumberedSource[] = [];
  let characters = 0;
  // Access is checked again, since a listed tile may be disconnected by now.
  for await (const tile of readConnectedTexts(deps, scope, ids, maxCharacters + 1)) {
    if (tile.extractedText.trim() === "") continue;
    characters += tile.extractedText.length;
    if (characters > maxCharacters) return null;
    sources.push(tileToSource(tile));
  }
  const { distinct } = separateNearDuplicates(sources);
  const given = await fitSources(distinct, budget, nonce, count);
  return given.sources.length === distinct.length ? given : null;
}

/** Selects sources that fit the budget together, in order. A source that does not fit is skipped, and a later one may still fit. */
export async function fitSources(
  candidates: readonly NumberedSource[],
  budget: number,
  nonce: string,
  count: CountTokens,
): Promise<FittedSources> {
  const sources: NumberedSource[] = [];
  let [tokens = 0] = await count([renderSources([], nonce)]);
  // What is much longer than the room that is left can't fit, and need not be counted.
  const mayFit = ({ text }: NumberedSource): boolean => text.length <= (budget - tokens) * MAX_CHARACTERS_PER_TOKEN;
  for (const batch of splitIntoBatches(candidates, mayFit)) {
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

/** Groups sources, without those that are refused by the time their group is made. */
function* splitIntoBatches(
  sources: readonly NumberedSource[],
  mayFit: (source: NumberedSource) => boolean,
): Generator<readonly NumberedSource[]> {
  let batch: NumberedSource[] = [];
  let characters = 0;
  for (const source of sources) {
    if (!mayFit(source)) continue;
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
export const passageToSource = ({ tileId, title, type, sourceUrl, text, start, end, around }: Passage): NumberedSource => ({
  tileId,
  title,
  type,
  sourceUrl,
  text,
  start,
  end,
  around,
});

const tileToSource = ({ id, title, type, sourceUrl, extractedText }: ConnectedTile): NumberedSource => ({
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
async function listConnected(deps: StoreDeps, scope: BoardReader, max: number): Promise<string[] | null> {
  const found: ConnectedId[] = [];
  let listedTiles = 0;
  for await (const { tiles, listed } of listConnectedTiles(deps, scope)) {
    found.push(...tiles);
    listedTiles += listed;
    if (found.length > max || listedTiles > MAX_LISTED) return null;
  }
  return found.sort(compareByPosition).map(({ id }) => id);
}

/** Tiles outside every zone come after the zones. */
function compareByPosition(a: ConnectedId, b: ConnectedId): number {
  const [x, y] = [a.zone, b.zone];
  if (x !== null && y !== null && x.id !== y.id) return x.sortOrder - y.sortOrder || (x.id < y.id ? -1 : 1);
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a.sortOrder - b.sortOrder || a.sequence - b.sequence;
}
