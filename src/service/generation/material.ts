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
import { createRetrievalDeps } from "../answer/retrieval.ts";
import { passageToSource } from "../answer/sources.ts";
import type { Deps } from "../deps.ts";
import { isRestricted, selectTiles } from "./selection.ts";

/** A part of a tile's text: `tile.extractedText.slice(start, start + text.length)`. */
type MaterialTile = Omit<ConnectedTile, "version">;
export type MaterialText = { readonly tile: MaterialTile; readonly start: number; readonly text: string };

/** The sources of a generation. */
export type Material = {
  /** Indexed by the `source` of the ranking's sentences. */
  readonly texts: readonly MaterialText[];
  readonly ranking: KeyRanking;
  /** Passages for the model, most relevant first. */
  readonly passages: readonly Source[];
  /** Whether no content matches the prompt, so that the material is taken from the whole board. */
  readonly isUnmatched: boolean;
};

/** Passages retrieved for a prompt. */
const MAX_PASSAGES = 60;
/** Limits when the board is read without a prompt, or when tiles are chosen: tiles, characters in total, and characters per tile. */
const MAX_TILES = 5_000;
const MAX_CHARACTERS = 1_500_000;
const MIN_TILE_CHARACTERS = 300;
const MAX_TILE_CHARACTERS = 40_000;
/** Characters read in total, including those that are cut off. */
const MAX_READ_CHARACTERS = 64_000_000;
/** If the material has at most this many characters, the model gets all of it. */
const MAX_SMALL_BOARD_CHARACTERS = 200_000;
/** Tiles loaded at once, and the time after which the code yields to the event loop. */
const BATCH_TILES = 25;
const YIELD_INTERVAL_MS = 8;
/** Key sentences whose passages are given to a model. */
const MAX_KEY_SENTENCES = 300;

/** Reads the sources: passages that match the prompt, otherwise the key sentences of the board. Only connected tiles are read. */
export async function gatherMaterial(
  deps: Deps,
  scope: BoardReader,
  request: GenerationRequest,
  idea: Idea | null,
  signal: AbortSignal,
): Promise<Material> {
  const question = [request.prompt, idea?.title, idea?.hook, idea?.angle].filter((part) => part !== undefined).join("\n");
  const cited = idea === null ? [] : await findIdeaPassages(deps, scope, request, idea);
  if (question !== "" && !isRestricted(request)) {
    const found = await retrievePassages(deps, scope, question);
    signal.throwIfAborted();
    if (found.length > 0) return rankPassages([...cited, ...found], question);
  }
  return readBoard(deps, scope, request, question, cited, signal);
}

async function retrievePassages(deps: Deps, scope: BoardReader, question: string): Promise<readonly Source[]> {
  const { businessId, id } = scope.target;
  const found = await retrieve(createRetrievalDeps(deps), businessId, id, question, { limit: MAX_PASSAGES });
  return found.passages.map(passageToSource);
}

function rankPassages(passages: readonly Source[], question: string): Material {
  const collector = createKeyCollector();
  const distinct = distinctPassages(passages);
  const texts = distinct.map(({ tileId, title, type, sourceUrl, text, start, around }): MaterialText => {
    collector.add({ title: getMeaningfulTitle(title), text });
    return { tile: { id: tileId, title, type, sourceUrl, extractedText: around.text }, start, text };
  });
  return { texts, ranking: collector.rank(question), passages: distinct, isUnmatched: false };
}

/** Returns the title, or an empty string for a title without meaning: a placeholder or a URL. */
export const getMeaningfulTitle = (title: string): string => (title === UNTITLED || /^https?:\/\//.test(title) ? "" : title);

async function readBoard(
  deps: Deps,
  scope: BoardReader,
  request: GenerationRequest,
  question: string,
  cited: readonly Source[],
  signal: AbortSignal,
): Promise<Material> {
  const ids = sampleEvenly(await selectTiles(deps, scope, request), MAX_TILES);
  const share = Math.min(MAX_TILE_CHARACTERS, Math.max(MIN_TILE_CHARACTERS, Math.floor(MAX_CHARACTERS / Math.max(1, ids.length))));
  const collector = createKeyCollector();
  const texts: MaterialText[] = [];
  let [readLength, usedLength] = [0, 0];
  let since = performance.now();
  for (let at = 0; at < ids.length && readLength < MAX_READ_CHARACTERS; at += BATCH_TILES) {
    signal.throwIfAborted();
    for (const tile of await deps.store.search.connectedTiles(scope.target.businessId, scope.target.id, ids.slice(at, at + BATCH_TILES))) {
      readLength += tile.extractedText.length;
      const text = truncateAtSentence(tile.extractedText, share);
      if (text === "") continue;
      usedLength += text.length;
      collector.add({ title: getMeaningfulTitle(tile.title), text });
      texts.push({ tile: { ...tile, extractedText: text }, start: 0, text });
      if (performance.now() - since < YIELD_INTERVAL_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }
  await nextTurn();
  const ranking = collector.rank(question);
  await nextTurn();
  const chosen = findPassages(ranking.sentences.slice(0, MAX_KEY_SENTENCES), texts);
  // Add all other passages of a small board, such as tables, as far as the context allows.
  const rest = usedLength <= MAX_SMALL_BOARD_CHARACTERS ? texts.flatMap(({ tile }) => chunkTile(tile)) : [];
  const passages = distinctPassages([...cited, ...chosen, ...rest]);
  return { texts, ranking, passages, isUnmatched: question !== "" && !ranking.matchesQuestion };
}

/** Returns at most `max` items, evenly spaced from first to last. */
const sampleEvenly = <T>(items: readonly T[], max: number): readonly T[] =>
  items.length <= max ? items : Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as T);

/** Returns the start of a text, at most `max` code units, up to the end of a sentence or line. */
function truncateAtSentence(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, alignToCodePoint(text, max));
  const end = Math.max(
    head.lastIndexOf("\n"),
    head.lastIndexOf(". "),
    head.lastIndexOf("。"),
    head.lastIndexOf("! "),
    head.lastIndexOf("? "),
  );
  // Copy the string, since a slice keeps the whole original text in memory.
  return ` ${head.slice(0, end + 1)}`.slice(1);
}

/** Returns how many characters before `end` are whole sentences, at most `CONTEXT_CHARACTERS`. */
function getContextLength(text: string, end: number): number {
  const before = text.slice(Math.max(0, end - CONTEXT_CHARACTERS), end);
  if (before.length === end) return end;
  const begin = before.search(/\n|[.!?] |。/);
  return begin < 0 ? 0 : before.length - begin - 1;
}

/** Returns the distinct passages that contain the sentences, in the order of the sentences. */
function findPassages(sentences: readonly KeySentence[], texts: readonly MaterialText[]): Source[] {
  const chunks = new Map<number, Source[]>();
  const taken = new Set<Source>();
  for (const { source, start } of sentences) {
    const { tile } = texts[source] as MaterialText;
    let own = chunks.get(source);
    if (own === undefined) {
      own = chunkTile(tile);
      chunks.set(source, own);
    }
    const passage = own.find((chunk) => start >= chunk.start && start < chunk.end);
    if (passage !== undefined) taken.add(passage);
  }
  return [...taken];
}

const chunkTile = (tile: MaterialTile): Source[] => chunkText(tile.extractedText).map(({ start, end }) => createPassage(tile, start, end));

const distinctPassages = (passages: readonly Source[]): Source[] =>
  [...new Map(passages.toReversed().map((passage) => [`${passage.tileId} ${passage.start}`, passage])).values()].toReversed();

function createPassage({ id, title, type, sourceUrl, extractedText }: MaterialTile, start: number, end: number): Source {
  return {
    tileId: id,
    title,
    type,
    sourceUrl,
    text: extractedText.slice(start, end),
    start,
    end,
    around: { text: extractedText, start: 0 },
  };
}

/** Characters of context on each side of an idea's quote. */
const CONTEXT_CHARACTERS = 400;

/** Returns the quotes of an idea with their context, as far as they still exist and are still connected. */
async function findIdeaPassages(deps: Deps, scope: BoardReader, request: GenerationRequest, idea: Idea): Promise<Source[]> {
  const { businessId, id: boardId } = scope.target;
  const ids = [...new Set(idea.citations.map(({ tileId }) => tileId))];
  const allowed = isRestricted(request) ? new Set(await selectTiles(deps, scope, request)) : null;
  const readable = allowed === null ? ids : ids.filter((id) => allowed.has(id));
  const tiles = new Map((await deps.store.search.connectedTiles(businessId, boardId, readable)).map((tile) => [tile.id, tile]));
  return idea.citations.flatMap(({ tileId, start, end, quote }) => {
    const tile = tiles.get(tileId);
    if (tile === undefined || tile.extractedText.slice(start, end) !== quote) return [];
    return [
      createPassage(
        tile,
        start - getContextLength(tile.extractedText, start),
        end + truncateAtSentence(tile.extractedText.slice(end), CONTEXT_CHARACTERS).length,
      ),
    ];
  });
}
