import { setImmediate as nextTurn } from "node:timers/promises";
import type { Analyser, ConnectedTile, SearchStore } from "#domain/answers/search.ts";
import type { VectorStore } from "#domain/answers/vectors.ts";
import { type Bm25Scores, computeNeighbourScores, iterateBestFirst, type RankedDocument, scoreBm25 } from "./lexical/bm25.ts";
import { leaveOutCommonWords } from "./lexical/common-words.ts";
import { type BoardSearch, gatherPassages, type LocatedPassage, locatePassages } from "./lexical/locate.ts";
import { addPending, loadPending, type TermLookup } from "./lexical/pending.ts";
import type { Question } from "./lexical/query.ts";
import { correctSpelling } from "./lexical/spelling.ts";
import { openVocabulary } from "./lexical/vocabulary.ts";
import { listQuestionForms, type WeightedQuestion, weightQuestion } from "./lexical/weight-question.ts";
import { type BinaryEmbeddings, matchPassage } from "./rerank/match-passage.ts";
import { weightNgrams } from "./rerank/ngrams.ts";
import type { PassageCandidate } from "./rerank/rerank.ts";
import { cutExcerpt, type Excerpt, readExcerpt } from "./passage.ts";
import { alignToCodePoint, hasMeaning } from "./text/characters.ts";

/** Search by meaning, if vectors are on. */
export type Semantic = {
  readonly vectors: Pick<VectorStore, "nearest" | "embeddings">;
  /** Returns the question's binary embedding; null if the model does not support its language, failed, or took too long. */
  embedQuestion(question: string): Promise<Uint8Array | null>;
};

export type RetrievalDeps = {
  readonly search: SearchStore;
  readonly analyseWaiting: Analyser["analyseWaiting"];
  readonly semantic: Semantic | null;
};

/** A passage with its tile, matched with the question. */
export type TileCandidate = PassageCandidate & Pick<LoadedPassage, "location" | "tile" | "around">;

export type CandidateSet = {
  /** The passages to rerank, in no particular order. */
  readonly candidates: readonly TileCandidate[];
  readonly question: WeightedQuestion;
  readonly lookup: TermLookup;
  /** The rest of the lexical ranking, best first: passages over the limits of candidates, then those not read yet. */
  readonly skipped: readonly LocatedPassage[];
  readonly ranking: Iterator<RankedDocument>;
};

/** Passages that are reranked: the best by BM25, and the nearest by meaning. */
const MAX_LEXICAL_CANDIDATES = 50;
const MAX_NEAREST_CANDIDATES = 30;
/** Limit for one tile, so that a long tile does not displace the others. */
const MAX_LEXICAL_CANDIDATES_PER_TILE = 12;

/**
 * Finds the passages to rerank for a question: the best by their words and the nearest by meaning. Words that the board does not
 * contain are corrected, unless `isSpellingFixed`. `text` is what is embedded; one without a word of two letters is searched by words alone.
 */
export async function findPassageCandidates(
  deps: RetrievalDeps,
  scope: BoardSearch,
  text: string,
  typed: Question,
  isSpellingFixed: boolean,
): Promise<CandidateSet> {
  const { search, businessId, boardId, filter } = scope;
  // Pending tiles are read first. A tile that is indexed meanwhile is then found twice and dropped once; otherwise it could be missed.
  const [embedding, pendingTiles] = await Promise.all([
    hasMeaning(text) ? (deps.semantic?.embedQuestion(text) ?? null) : null,
    loadPending(deps, businessId, boardId, filter),
  ]);
  const lookUp = async (given: Question) => {
    const statistics = await search.statistics(businessId, boardId);
    const question = await leaveOutCommonWords(search, scope, given, statistics);
    const forms = listQuestionForms(question);
    const postings = await search.postings(businessId, boardId, forms);
    return { question, ...(await addPending(forms, { statistics, postings }, pendingTiles)) };
  };
  const [asTyped, nearest] = await Promise.all([
    lookUp(typed),
    embedding === null ? [] : (deps.semantic?.vectors.nearest(businessId, boardId, embedding, MAX_NEAREST_CANDIDATES) ?? []),
  ]);
  const isKnown = (term: string): boolean => (asTyped.postings.get(term)?.length ?? 0) > 0;
  // A filter narrows the passages, not the vocabulary.
  const listAllPending = async () => (filter === undefined ? pendingTiles : loadPending(deps, businessId, boardId));
  const corrected = isSpellingFixed
    ? asTyped.question
    : await correctSpelling(openVocabulary(search, businessId, boardId, listAllPending), asTyped.question, isKnown);
  const lookup = corrected === asTyped.question ? asTyped : await lookUp(corrected);
  const question = weightQuestion(lookup.question, lookup.postings, lookup.statistics);
  const scores = scoreBm25(question.terms, lookup.statistics);
  const ranking = iterateBestFirst(scores);
  const { passages: lexical, skipped } = await gatherPassages(
    scope,
    lookup,
    ranking,
    MAX_LEXICAL_CANDIDATES,
    MAX_LEXICAL_CANDIDATES_PER_TILE,
  );
  const known = new Set(lexical.map(({ document }) => document));
  const semantic = await locatePassages(
    scope,
    lookup,
    nearest.filter(({ document }) => !known.has(document)).map(({ document }) => ({ document, score: 0, coverage: 0 })),
  );
  const located = [...lexical, ...semantic];
  const [loaded, embeddings] = await Promise.all([
    loadPassages(scope, lookup, located),
    embedding === null ? new Map<number, BinaryEmbeddings>() : loadEmbeddings(deps, scope, lookup, embedding, located),
  ]);
  return { candidates: matchPassages(question, scores, loaded, embeddings), question, lookup, skipped, ranking };
}

function matchPassages(
  question: WeightedQuestion,
  scores: Bm25Scores,
  loaded: readonly LoadedPassage[],
  embeddings: ReadonlyMap<number, BinaryEmbeddings>,
): TileCandidate[] {
  const documents = loaded.map(({ location }) => location.document);
  const neighbourScores = computeNeighbourScores(scores, documents);
  const ngrams = weightNgrams(
    question.ngrams,
    loaded.map(({ text }) => text),
  );
  return loaded.map(({ location, tile, text, around }, at) => ({
    location,
    tile,
    text,
    around,
    document: location.document,
    lexical: toShare(question, location.score),
    neighbourScore: toShare(question, neighbourScores[at] ?? 0),
    match: matchPassage(question, text, {
      tile,
      embeddings: embeddings.get(location.document) ?? null,
      ngrams: ngrams[at],
    }),
  }));
}

/** Returns a BM25 score as a share of the question's idf sum, so that scores of different questions can be compared. */
export const toShare = ({ idfSum }: WeightedQuestion, score: number): number => (idfSum > 0 ? score / idfSum : 0);

async function loadEmbeddings(
  { semantic }: RetrievalDeps,
  { businessId, boardId }: BoardSearch,
  lookup: TermLookup,
  question: Uint8Array,
  located: readonly LocatedPassage[],
): Promise<Map<number, BinaryEmbeddings>> {
  const documents = located.map(({ document }) => document).filter((document) => !lookup.pending.has(document));
  const stored = (await semantic?.vectors.embeddings(businessId, boardId, documents)) ?? [];
  return new Map(
    stored
      .filter(({ passage }) => passage.length === question.length)
      .map(({ document, passage, sentences }) => [document, { question, passage, sentences }]),
  );
}

/** A tile whose text was read, without the text. */
export type LoadedTile = Omit<ConnectedTile, "extractedText">;
export type LoadedPassage = {
  readonly location: LocatedPassage;
  readonly tile: LoadedTile;
  readonly text: string;
  /** The text around the passage. */
  readonly around: Excerpt;
};

/** Bytes of text that are read in one turn of the event loop. */
const MAX_BYTES_PER_TURN = 1_000_000;

/**
 * Loads the text of passages, best first, until the budget of text is used up. Passages of tiles that were disconnected, deleted or
 * shortened meanwhile are left out.
 */
export async function loadPassages(
  { search, businessId, boardId, budget }: BoardSearch,
  lookup: TermLookup,
  located: readonly LocatedPassage[],
): Promise<LoadedPassage[]> {
  const loaded = new Map<LocatedPassage, LoadedPassage>();
  for (const [turn, batch] of splitByBytes(located).entries()) {
    if (budget.bytes <= 0) break;
    // Many long tiles take a tenth of a second to read, so other calls get their turn.
    if (turn > 0) await nextTurn();
    budget.bytes -= countBytes(batch);
    const tileIds = [...new Set(batch.map(({ tileId }) => tileId))];
    const tiles = new Map((await search.connectedTiles(businessId, boardId, tileIds)).map((tile) => [tile.id, tile]));
    for (const location of batch) {
      const tile = tiles.get(location.tileId);
      const pending = lookup.pending.get(location.document);
      if (tile === undefined || (pending !== undefined && pending.tile.version !== tile.version)) continue;
      const passage = cutPassage(location, tile);
      if (passage !== null) loaded.set(location, passage);
    }
  }
  return located.flatMap((location) => loaded.get(location) ?? []);
}

/** Returns the passage without a reference to the tile's whole text, or null if the text is another one by now. */
function cutPassage(location: LocatedPassage, { extractedText, ...tile }: ConnectedTile): LoadedPassage | null {
  const { start, end } = location;
  const isWhole =
    end <= extractedText.length && alignToCodePoint(extractedText, start) === start && alignToCodePoint(extractedText, end) === end;
  if (!isWhole) return null;
  const around = cutExcerpt(extractedText, location);
  return { location, tile, text: readExcerpt(around, location), around };
}

const countBytes = (passages: readonly LocatedPassage[]): number =>
  new Map(passages.map(({ tileId, tileBytes }) => [tileId, tileBytes])).values().reduce((sum, bytes) => sum + bytes, 0);

/** Groups passages so that a group reads at most `MAX_BYTES_PER_TURN`, or one tile. The passages of a tile are in one group. */
function splitByBytes(located: readonly LocatedPassage[]): LocatedPassage[][] {
  const groups: LocatedPassage[][] = [];
  let bytes = Infinity;
  for (const ofTile of Map.groupBy(located, ({ tileId }) => tileId).values()) {
    const size = ofTile[0]?.tileBytes ?? 0;
    if (bytes + size > MAX_BYTES_PER_TURN) {
      groups.push([]);
      bytes = 0;
    }
    bytes += size;
    groups.at(-1)?.push(...ofTile);
  }
  return groups;
}
