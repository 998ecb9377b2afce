import type { Idea, GenerationRequest } from "#domain/answers/generation.ts";
import { UNTITLED } from "#domain/content/tile.ts";
import { Collector } from "#retrieval/key-passages/collection.ts";
import { type KeyRanking, rankSentences } from "#retrieval/key-passages/ranking.ts";
import type { NumberedSource } from "#retrieval/grounding/prompt.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import type { BoardReader } from "../access.ts";
import { readConnectedTexts } from "../answer/connected-texts.ts";
import { createRetrievalDeps } from "../answer/retrieval.ts";
import { passageToSource } from "../answer/sources.ts";
import type { AnswerDeps, SearchDeps } from "../deps.ts";
import { runSteps } from "../work-queue.ts";
import { distinctPassages, findIdeaPassages, type MaterialTile, truncateAtSentence } from "./passages.ts";
import { isRestricted, selectTiles } from "./selection.ts";

/** A part of a tile's text: `tile.extractedText.slice(start, start + text.length)`. */
export type MaterialText = { readonly tile: MaterialTile; readonly start: number; readonly text: string };

/** The sources of a generation. It may take tens of megabytes, so only what is chosen from it is kept while a model answers. */
export type Material = {
  /** Indexed by the `source` of the ranking's sentences. */
  readonly texts: readonly MaterialText[];
  readonly ranking: KeyRanking;
  /** Passages for the model that are known already, most relevant first. */
  readonly passages: readonly NumberedSource[];
  /** Whether the board was read, so that the model also gets the passages of its key sentences. */
  readonly isBoard: boolean;
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
/** Bytes of the tiles that are read, including what is cut off. */
const MAX_READ_BYTES = 64_000_000;

/** Reads the sources: passages that match the prompt, otherwise the key sentences of the board. Only connected tiles are read. */
export async function gatherMaterial(
  deps: AnswerDeps,
  scope: BoardReader,
  request: GenerationRequest,
  idea: Idea | null,
  signal: AbortSignal,
): Promise<Material> {
  const question = [request.prompt, idea?.title, idea?.hook, idea?.angle].filter((part) => part !== undefined).join("\n");
  const cited = idea === null ? [] : await findIdeaPassages(deps, scope, request, idea);
  if (question !== "" && !isRestricted(request)) {
    const found = await retrievePassages(deps, scope, question, signal);
    signal.throwIfAborted();
    if (found.length > 0) return rankPassages([...cited, ...found], question, signal);
  }
  return readBoard(deps, scope, request, { question, cited }, signal);
}

async function retrievePassages(
  deps: SearchDeps,
  scope: BoardReader,
  question: string,
  signal: AbortSignal,
): Promise<readonly NumberedSource[]> {
  const { businessId, id } = scope.target;
  const found = await retrieve(createRetrievalDeps(deps, signal), businessId, id, question, { limit: MAX_PASSAGES, isDistinct: true });
  return found.passages.map(passageToSource);
}

async function rankPassages(found: readonly NumberedSource[], question: string, signal: AbortSignal): Promise<Material> {
  const collector = new Collector();
  const texts: MaterialText[] = [];
  const passages = distinctPassages(found);
  for (const { tileId, title, type, sourceUrl, text, start, around } of passages) {
    await runSteps(collector.add({ title: getMeaningfulTitle(title), text }), signal);
    texts.push({ tile: { id: tileId, title, type, sourceUrl, extractedText: around.text }, start, text });
  }
  const ranking = await runSteps(rankSentences(collector.collection, question), signal);
  return { texts, ranking, passages, isBoard: false, isUnmatched: false };
}

/** Returns the title, or an empty string for a title without meaning: a placeholder or a URL. */
export const getMeaningfulTitle = (title: string): string => (title === UNTITLED || /^https?:\/\//.test(title) ? "" : title);

async function readBoard(
  deps: AnswerDeps,
  scope: BoardReader,
  request: GenerationRequest,
  { question, cited }: { readonly question: string; readonly cited: readonly NumberedSource[] },
  signal: AbortSignal,
): Promise<Material> {
  const ids = sampleEvenly(await selectTiles(deps, scope, request), MAX_TILES);
  const share = Math.min(MAX_TILE_CHARACTERS, Math.max(MIN_TILE_CHARACTERS, Math.floor(MAX_CHARACTERS / Math.max(1, ids.length))));
  const collector = new Collector();
  const texts: MaterialText[] = [];
  let bytes = 0;
  for await (const { id, title, type, sourceUrl, extractedText, ...tile } of readConnectedTexts(deps, scope, ids, share + 1)) {
    signal.throwIfAborted();
    bytes += tile.bytes;
    const text = truncateAtSentence(extractedText, share);
    if (text !== "") {
      await runSteps(collector.add({ title: getMeaningfulTitle(title), text }), signal);
      texts.push({ tile: { id, title, type, sourceUrl, extractedText: text }, start: 0, text });
    }
    if (bytes >= MAX_READ_BYTES) break;
  }
  const ranking = await runSteps(rankSentences(collector.collection, question), signal);
  return { texts, ranking, passages: cited, isBoard: true, isUnmatched: question !== "" && !ranking.matchesQuestion };
}

/** Returns at most `max` items, evenly spaced from first to last. */
const sampleEvenly = <T>(items: readonly T[], max: number): readonly T[] =>
  items.length <= max ? items : Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as T);
