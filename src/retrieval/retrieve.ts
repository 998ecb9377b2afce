import { setImmediate } from "node:timers/promises";
import type { SearchFilter } from "#domain/answers/search.ts";
import {
  type CandidateSet,
  findPassageCandidates,
  type LoadedPassage,
  type LoadedTile,
  loadPassages,
  type RetrievalDeps,
  type TileCandidate,
  toShare,
} from "./candidates.ts";
import { type BoardSearch, gatherPassages, type LocatedPassage } from "./lexical/locate.ts";
import { parseQuestion, type Question } from "./lexical/query.ts";
import { weightQuestion } from "./lexical/weight-question.ts";
import type { Passage, Retrieval } from "./passage.ts";
import { separateNearDuplicates } from "./answer/near-duplicates.ts";
import { matchPassage, type PassageMatch } from "./rerank/match-passage.ts";
import { weightNgrams } from "./rerank/ngrams.ts";
import { rerank } from "./rerank/rerank.ts";
import { hasMeaning } from "./text/characters.ts";

export type RetrieveOptions = {
  /** Maximum number of passages. */
  readonly limit: number;
  /** Maximum number of passages of one tile; unlimited by default. */
  readonly perTile?: number;
  /** True leaves out passages that nearly repeat one of another tile. */
  readonly isDistinct?: boolean;
  /** Only passages of tiles that pass it. */
  readonly filter?: SearchFilter;
  /** The question to look up instead of the text. Its spelling is not corrected. */
  readonly question?: Question;
  /** Cosine that a passage without any word of the question must reach; 0.5 by default. */
  readonly minSimilarity?: number;
  /** Passages whose text it rejects are left out. */
  readonly accept?: (text: string) => boolean;
};

const MIN_SIMILARITY = 0.5;
/** Text that is read for one question. Only passages of many long tiles are left out, those that match least. */
const MAX_TEXT_BYTES = 8_000_000;
/** Passages read beyond the reranked ones before a search that accepts few of them stops. */
const MAX_PASSAGES_READ = 4_000;
/** Difference between the scores of passages that are not reranked. */
const MIN_SCORE_STEP = 1e-6;
const EMPTY_STATISTICS = { documents: 0, totalLength: 0, nextDocument: 0 };

/**
 * Returns the passages of a board's connected tiles that match a question best, best first. The best by BM25 and by vectors are reranked;
 * further ones follow in the order of BM25. Unindexed tiles are ranked as if they were indexed.
 * Text is loaded only of tiles that `connectedChunks` permits.
 */
export async function retrieve(
  deps: RetrievalDeps,
  businessId: string,
  boardId: string,
  text: string,
  options: RetrieveOptions,
): Promise<Retrieval> {
  const typed = options.question ?? parseQuestion(text);
  if (typed.words.length === 0 || options.limit < 1)
    return { passages: [], others: [], duplicates: [], question: weightQuestion(typed, new Map(), EMPTY_STATISTICS), documents: 0 };
  const scope = { search: deps.search, businessId, boardId, filter: options.filter, budget: { bytes: MAX_TEXT_BYTES } };
  const found = await findPassageCandidates(deps, scope, text, typed, options.question !== undefined);
  const { passages, others, duplicates } = rankCandidates(found.candidates, options);
  const reranked = passages.length;
  await appendRest(scope, found, passages, options);
  const all = passages.length > reranked ? removeRepeated(passages, options) : { distinct: passages, duplicates: [] };
  return {
    passages: all.distinct.slice(0, options.limit),
    others,
    duplicates: [...duplicates, ...all.duplicates],
    question: found.question,
    documents: found.lookup.statistics.documents,
  };
}

/** Reranks candidates, and separates those within the limits of the options from the others and from duplicates; each best first. */
export function rankCandidates(
  candidates: readonly TileCandidate[],
  options: RetrieveOptions,
): { readonly passages: Passage[]; readonly others: readonly Passage[]; readonly duplicates: readonly Passage[] } {
  const { accept, minSimilarity = MIN_SIMILARITY } = options;
  const scores = rerank(candidates);
  const ranked = candidates
    .map((candidate, at) => ({ ...candidate, own: scores[at]?.own ?? 0, score: scores[at]?.score ?? 0 }))
    .sort((a, b) => b.score - a.score || b.lexical - a.lexical || a.document - b.document)
    .filter(({ lexical, match, text }) => lexical > 0 || (findMaxSimilarity(match) >= minSimilarity && hasMeaning(text)))
    .filter(({ text }) => accept?.(text) !== false)
    .map(({ location, tile, text, around, match, lexical, own, score }) =>
      toPassage(location, tile, { text, around }, match, score, { lexical, semantic: match.similarity, rerank: own }),
    );
  const { distinct, duplicates } = removeRepeated(ranked, options);
  const passages = limitPerTile(distinct, options);
  const returned = new Set(passages);
  return { passages, others: distinct.filter((passage) => !returned.has(passage)), duplicates };
}

/** Separates the passages that nearly repeat another one, if they are to be left out. Scores do not increase where a copy takes a place. */
function removeRepeated(
  ranked: readonly Passage[],
  { isDistinct = false }: RetrieveOptions,
): { readonly distinct: readonly Passage[]; readonly duplicates: readonly Passage[] } {
  if (!isDistinct) return { distinct: ranked, duplicates: [] };
  const { distinct, duplicates } = separateNearDuplicates(ranked);
  return { distinct: distinct.toSorted((a, b) => b.score - a.score), duplicates };
}

/** Returns the similarity to the question of the passage or its nearest sentence, whichever is higher. */
const findMaxSimilarity = ({ similarity, sentences }: PassageMatch): number =>
  Math.max(similarity ?? 0, ...sentences.map((sentence) => sentence.similarity ?? 0));

function limitPerTile(passages: readonly Passage[], { limit, perTile = Infinity }: RetrieveOptions): Passage[] {
  const counts = new Map<string, number>();
  const kept: Passage[] = [];
  for (const passage of passages) {
    const count = counts.get(passage.tileId) ?? 0;
    if (count >= perTile || kept.length >= limit) continue;
    counts.set(passage.tileId, count + 1);
    kept.push(passage);
  }
  return kept;
}

/** Fills `passages` up to the limit from the rest of the lexical ranking, with scores that keep decreasing. */
async function appendRest(
  scope: BoardSearch,
  { candidates, question, lookup, skipped, ranking }: CandidateSet,
  passages: Passage[],
  { limit, perTile = Infinity, accept }: RetrieveOptions,
): Promise<void> {
  if (passages.length >= limit) return;
  const counts = new Map<string, number>();
  for (const { tileId } of passages) counts.set(tileId, (counts.get(tileId) ?? 0) + 1);
  const lowest = passages.at(-1)?.score ?? 1;
  const reranked = new Set(candidates.map(({ document }) => document));
  const isBelowLimit = ({ tileId }: LocatedPassage): boolean => (counts.get(tileId) ?? 0) < perTile;
  // Without a limit per tile, passages over the limit of candidates are not added: one long tile would fill the sources of an answer.
  let batch = perTile === Infinity ? [] : skipped;
  for (let read = 0; passages.length < limit && read < MAX_PASSAGES_READ; read += batch.length) {
    // Texts that are not accepted cost time as well, so other requests get their turn.
    await setImmediate();
    if (read > 0 || batch.length === 0) {
      const gathered = await gatherPassages(scope, lookup, ranking, limit, Infinity);
      batch = [...gathered.passages, ...gathered.skipped];
    }
    if (batch.length === 0 || scope.budget.bytes <= 0) return;
    const wanted = batch.filter((passage) => isBelowLimit(passage) && !reranked.has(passage.document));
    for (const { location, tile, text, around } of await loadPassages(scope, lookup, wanted)) {
      if (passages.length >= limit || !isBelowLimit(location) || accept?.(text) === false) continue;
      counts.set(location.tileId, (counts.get(location.tileId) ?? 0) + 1);
      const score = Math.min(passages.at(-1)?.score ?? lowest, lowest) - MIN_SCORE_STEP;
      const match = matchPassage(question, text, { tile, ngrams: weightNgrams(question.ngrams, [text])[0] });
      passages.push(
        toPassage(location, tile, { text, around }, match, score, {
          lexical: toShare(question, location.score),
          semantic: null,
          rerank: null,
        }),
      );
    }
  }
}

function toPassage(
  { start, end, coverage }: LocatedPassage,
  { id, title, type, sourceUrl }: LoadedTile,
  { text, around }: Pick<LoadedPassage, "text" | "around">,
  match: PassageMatch,
  score: number,
  parts: Passage["parts"],
): Passage {
  return { tileId: id, title, type, sourceUrl, text, start, end, score, parts, coverage, match, around };
}
