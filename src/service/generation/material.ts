import { setImmediate as nextTurn } from "node:timers/promises";
import type { Idea, GenerationRequest } from "#domain/answers/generation.ts";
import type { ConnectedTile } from "#domain/answers/search.ts";
import { UNTITLED } from "#domain/content/tile.ts";
import { createKeyCollector, type KeyRanking, type KeySentence } from "#retrieval/key-passages/ranking.ts";
import type { Source } from "#retrieval/grounding/prompt.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { chunkText } from "#retrieval/text/chunk.ts";
import { alignToCodePoint } from "#retrieval/text/characters.ts";
import type { BoardReader } from "../access.ts";
import { retrievalDeps } from "../answer/retrieval.ts";
import { passageSource } from "../answer/sources.ts";
import type { Deps } from "../deps.ts";
import { isRestricted, selectTiles } from "./selection.ts";

/** A stretch of a tile that was read: `tile.extractedText.slice(start, start + text.length)`. */
export type MaterialText = { readonly tile: ConnectedTile; readonly start: number; readonly text: string };

/** What a piece is made of. */
export type Material = {
  /** By the numbers that the ranking's sentences carry as their source. */
  readonly texts: readonly MaterialText[];
  readonly ranking: KeyRanking;
  /** Passages to give a model, the most wanted first. */
  readonly passages: readonly Source[];
  /** Whether something was asked for that no content holds, so that the whole board stands in for it. */
  readonly isBeside: boolean;
};

/** Passages that a question brings up. */
const PASSAGES = 60;
/** Bounds of what is read where nothing is asked, or where the tiles are chosen: tiles, characters in all, and of one tile. */
const MAX_TILES = 5_000;
const MAX_CHARACTERS = 1_500_000;
const MIN_OF_TILE = 300;
const MAX_OF_TILE = 40_000;
/** Characters read in all, whatever of them is kept, and up to how many kept ones a board is small. */
const MAX_READ = 64_000_000;
const SMALL_BOARD = 200_000;
/** Tiles loaded at once, and how long the thread is kept before others have their turn, in milliseconds. */
const STEP = 25;
const TURN_MS = 8;
/** Key sentences whose passages a model is given. */
const KEY_SENTENCES = 300;

/** Reads what a piece is to be made of: what was asked for, else what the board is about. Every tile read is connected at that moment. */
export async function gatherMaterial(
  deps: Deps,
  scope: BoardReader,
  request: GenerationRequest,
  idea: Idea | null,
  signal: AbortSignal,
): Promise<Material> {
  const question = [request.prompt, idea?.title, idea?.hook, idea?.angle].filter((part) => part !== undefined).join("\n");
  const cited = idea === null ? [] : await passagesOfIdea(deps, scope, request, idea);
  if (question !== "" && !isRestricted(request)) {
    const found = await retrievePassages(deps, scope, question);
    signal.throwIfAborted();
    if (found.length > 0) return materialOf([...cited, ...found], question);
  }
  return readBoard(deps, scope, request, question, cited, signal);
}

async function retrievePassages(deps: Deps, scope: BoardReader, question: string): Promise<readonly Source[]> {
  const { businessId, id } = scope.target;
  const found = await retrieve(retrievalDeps(deps), businessId, id, question, { limit: PASSAGES });
  return found.passages.map(passageSource);
}

function materialOf(passages: readonly Source[], question: string): Material {
  const collector = createKeyCollector();
  const distinct = distinctPassages(passages);
  const texts = distinct.map(({ tileId, title, type, sourceUrl, text, start, tileText }): MaterialText => {
    collector.add({ title: nameOf(title), text });
    return { tile: { id: tileId, title, type, sourceUrl, extractedText: tileText }, start, text };
  });
  return { texts, ranking: collector.rank(question), passages: distinct, isBeside: false };
}

/** Titles that say nothing of the content. */
export const nameOf = (title: string): string => (title === UNTITLED || /^https?:\/\//.test(title) ? "" : title);

async function readBoard(
  deps: Deps,
  scope: BoardReader,
  request: GenerationRequest,
  question: string,
  cited: readonly Source[],
  signal: AbortSignal,
): Promise<Material> {
  const ids = spread(await selectTiles(deps, scope, request), MAX_TILES);
  const share = Math.min(MAX_OF_TILE, Math.max(MIN_OF_TILE, Math.floor(MAX_CHARACTERS / Math.max(1, ids.length))));
  const collector = createKeyCollector();
  const texts: MaterialText[] = [];
  let [read, kept] = [0, 0];
  let since = performance.now();
  for (let at = 0; at < ids.length && read < MAX_READ; at += STEP) {
    signal.throwIfAborted();
    for (const tile of await deps.store.search.connectedTiles(scope.target.businessId, scope.target.id, ids.slice(at, at + STEP))) {
      read += tile.extractedText.length;
      const text = headOf(tile.extractedText, share);
      if (text === "") continue;
      kept += text.length;
      collector.add({ title: nameOf(tile.title), text });
      texts.push({ tile: { ...tile, extractedText: text }, start: 0, text });
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }
  await nextTurn();
  const ranking = collector.rank(question);
  await nextTurn();
  const chosen = passagesOf(ranking.sentences.slice(0, KEY_SENTENCES), texts);
  // A small board is given whole, tables and all, as far as there is room.
  const rest = kept <= SMALL_BOARD ? texts.flatMap(({ tile }) => chunksOf(tile)) : [];
  const passages = distinctPassages([...cited, ...chosen, ...rest]);
  return { texts, ranking, passages, isBeside: question !== "" && !ranking.matchesQuestion };
}

/** At most `most` of them, evenly from first to last. */
const spread = <T>(items: readonly T[], most: number): readonly T[] =>
  items.length <= most ? items : Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as T);

/** The beginning of a text, up to the end of a sentence or line. */
function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, alignToCodePoint(text, most));
  const end = Math.max(
    head.lastIndexOf("\n"),
    head.lastIndexOf(". "),
    head.lastIndexOf("。"),
    head.lastIndexOf("! "),
    head.lastIndexOf("? "),
  );
  // A copy: a slice would keep the whole text that it was cut from in memory.
  return ` ${head.slice(0, end + 1)}`.slice(1);
}

/** How much of what stands before `end` is whole sentences, within the bound. */
function tailLength(text: string, end: number): number {
  const before = text.slice(Math.max(0, end - AROUND), end);
  if (before.length === end) return end;
  const begin = before.search(/\n|[.!?] |。/);
  return begin < 0 ? 0 : before.length - begin - 1;
}

/** The passages that the sentences stand in, each once, in the order of the sentences. */
function passagesOf(sentences: readonly KeySentence[], texts: readonly MaterialText[]): Source[] {
  const chunks = new Map<number, Source[]>();
  const taken = new Set<Source>();
  for (const { source, start } of sentences) {
    const { tile } = texts[source] as MaterialText;
    let own = chunks.get(source);
    if (own === undefined) {
      own = chunksOf(tile);
      chunks.set(source, own);
    }
    const passage = own.find((chunk) => start >= chunk.start && start < chunk.end);
    if (passage !== undefined) taken.add(passage);
  }
  return [...taken];
}

const chunksOf = (tile: ConnectedTile): Source[] => chunkText(tile.extractedText).map(({ start, end }) => passageAt(tile, start, end));

const distinctPassages = (passages: readonly Source[]): Source[] =>
  [...new Map(passages.toReversed().map((passage) => [`${passage.tileId} ${passage.start}`, passage])).values()].toReversed();

function passageAt({ id, title, type, sourceUrl, extractedText }: ConnectedTile, start: number, end: number): Source {
  return { tileId: id, title, type, sourceUrl, text: extractedText.slice(start, end), start, end, tileText: extractedText };
}

/** Characters on either side of an idea's quote that are given with it. */
const AROUND = 400;

/** The words that an idea rests on, with what stands around them, where they still stand and may still be read. */
async function passagesOfIdea(deps: Deps, scope: BoardReader, request: GenerationRequest, idea: Idea): Promise<Source[]> {
  const { businessId, id: boardId } = scope.target;
  const ids = [...new Set(idea.citations.map(({ tileId }) => tileId))];
  const allowed = isRestricted(request) ? new Set(await selectTiles(deps, scope, request)) : null;
  const readable = allowed === null ? ids : ids.filter((id) => allowed.has(id));
  const tiles = new Map((await deps.store.search.connectedTiles(businessId, boardId, readable)).map((tile) => [tile.id, tile]));
  return idea.citations.flatMap(({ tileId, start, end, quote }) => {
    const tile = tiles.get(tileId);
    if (tile === undefined || tile.extractedText.slice(start, end) !== quote) return [];
    return [passageAt(tile, start - tailLength(tile.extractedText, start), end + headOf(tile.extractedText.slice(end), AROUND).length)];
  });
}
