import type { Analyser, ConnectedTile, SearchStore, SearchFilter } from "#domain/answers/search.ts";
import type { VectorStore } from "#domain/answers/vectors.ts";
import { type TermLookup, addPending } from "./lexical/pending.ts";
import type { Passage, Retrieval } from "./passage.ts";
import { type LocatedPassage, type BoardSearch, locatePassages, takeNext } from "./lexical/locate.ts";
import { type Question, parseQuestion } from "./lexical/query.ts";
import { type RankedDocument, type Bm25Scores, iterateBestFirst, scoreBm25, computeNeighbourScores } from "./lexical/bm25.ts";
import { type PassageMatch, type BinaryEmbeddings, matchPassage } from "./rerank/match-passage.ts";
import { computeFeatures, computeScore } from "./rerank/rerank.ts";
import { addWindowScores, measureConversation } from "./rerank/conversation.ts";
import { weightNgrams } from "./rerank/ngrams.ts";
import { alignToCodePoint } from "./text/characters.ts";
import { correctSpelling } from "./lexical/spelling.ts";
import { openVocabulary } from "./lexical/vocabulary.ts";
import { type WeightedQuestion, listQuestionForms, weightQuestion } from "./lexical/weight-question.ts";

/** Search by meaning; absent where vectors are off. */
export type Semantic = {
  readonly vectors: Pick<VectorStore, "nearest" | "signatures">;
  /** The question's signature; null where it has none (another language), or none in time. */
  embedQuestion(question: string): Promise<Uint8Array | null>;
};
export type RetrievalDeps = {
  readonly search: SearchStore;
  readonly analyse: Analyser["analyse"];
  readonly semantic: Semantic | null;
};
export type RetrieveOptions = {
  /** Most passages to return. */
  readonly limit: number;
  /** Most passages of one tile; unbounded unless given. */
  readonly perTile?: number;
  /** Only passages of tiles that pass it. */
  readonly filter?: SearchFilter;
  /** What to look up, where it is not just the text read as a question, whose slips are forgiven. */
  readonly question?: Question;
  /** How near in meaning (a cosine) a passage must be that has none of the question's words; 0.5 unless given. */
  readonly minSimilarity?: number;
  /** Judges a passage's text; those it refuses are left out, wherever they rank. */
  readonly accept?: (text: string) => boolean;
};

/** Passages that are looked at a second time: the best by their words, and as many more by their meaning. */
const LEXICAL = 50;
const NEAREST = 30;
/** Passages of one tile among them, so that a long tile leaves room. */
const LEXICAL_PER_TILE = 12;
const MIN_SIMILARITY = 0.5;
/** Passages read for their words alone before a search that finds little of what it asks for gives up. */
const MAX_LOOKED_AT = 4_000;
const SMALLEST_STEP = 1e-6;
/** Characters of tiles that are not indexed yet which a question reads; more wait on a board only for minutes after an import. */
const MAX_PENDING = 1_000_000;
const FIRST_BATCH = 64;
const LAST_BATCH = 4_096;

/**
 * The passages of a board's connected tiles that match a question best, best first: those best by their words (BM25) and by their
 * meaning (vectors) are read sentence by sentence and ranked by both and by how the words stand together; what lies behind them
 * follows by its words alone. Tiles that are not indexed yet take part as though they were. Text is loaded only of tiles that
 * `connectedChunks` has let through.
 */
export async function retrieve(
  deps: RetrievalDeps,
  businessId: string,
  boardId: string,
  text: string,
  options: RetrieveOptions,
): Promise<Retrieval> {
  const { search } = deps;
  const typed = options.question ?? parseQuestion(text);
  if (typed.words.length === 0 || options.limit < 1)
    return { passages: [], others: [], question: weightQuestion(typed, new Map(), NONE), documents: 0 };
  const scope = { search, businessId, boardId, filter: options.filter };
  // Pending first: a tile that is indexed meanwhile is then seen twice (and dropped once) rather than never.
  const [signature, tiles] = await Promise.all([
    text.trim() === "" ? null : (deps.semantic?.embedQuestion(text) ?? null),
    search.pendingConnected(businessId, boardId, MAX_PENDING, options.filter),
  ]);
  const look = async (question: Question): Promise<TermLookup> => {
    const forms = listQuestionForms(question);
    const [statistics, postings] = await Promise.all([search.statistics(businessId, boardId), search.postings(businessId, boardId, forms)]);
    return addPending(deps.analyse, forms, { statistics, postings }, tiles);
  };
  const [asTyped, nearest] = await Promise.all([
    look(typed),
    signature === null ? [] : (deps.semantic?.vectors.nearest(businessId, boardId, signature, NEAREST) ?? []),
  ]);
  const isKnown = (term: string): boolean => (asTyped.postings.get(term)?.length ?? 0) > 0;
  const question = options.question ?? (await correctSpelling(openVocabulary(deps, businessId, boardId), typed, isKnown));
  const found = question === typed ? asTyped : await look(question);
  const weighed = weightQuestion(question, found.postings, found.statistics);
  const scored = scoreBm25(weighed.terms, found.statistics);
  const ranking = iterateBestFirst(scored);
  const lexical = await gather(scope, found, ranking, LEXICAL, LEXICAL_PER_TILE);
  const known = new Set(lexical.places.map(({ document }) => document));
  const near = nearest.filter(({ document }) => !known.has(document)).map(({ document }) => ({ document, score: 0, coverage: 0 }));
  const semantic = await locatePassages(scope, found, lexical.pendingTiles, near);
  const { accept, minSimilarity = MIN_SIMILARITY } = options;
  const looked = await readPlaces(deps, scope, found, weighed, scored, [...lexical.places, ...semantic], signature);
  const all = looked.filter(({ parts, match }) => parts.lexical > 0 || likenessOf(match) >= minSimilarity);
  const read = accept === undefined ? all : all.filter((passage) => accept(passage.text));
  const passages = limitPerTile(read, options);
  const returned = new Set(passages);
  const others = read.filter((passage) => !returned.has(passage));
  await addRest(scope, found, weighed, ranking, passages, options);
  return { passages: passages.slice(0, options.limit), others, question: weighed, documents: found.statistics.documents };
}

const NONE = { documents: 0, totalLength: 0, nextDocument: 0 };

/** Walks down the ranking in growing batches until enough places have turned out to be connected. */
async function gather(scope: BoardSearch, found: TermLookup, ranking: Iterator<RankedDocument>, limit: number, perTile: number) {
  const pendingTiles = new Set(Array.from(found.pending.values(), ({ tile }) => tile.tileId));
  const places: LocatedPassage[] = [];
  const taken = new Map<string, number>();
  const passedOver: LocatedPassage[] = [];
  for (let size = Math.max(FIRST_BATCH, limit); places.length < limit; size = Math.min(size * 2, LAST_BATCH)) {
    const batch = takeNext(ranking, size);
    if (batch.length === 0) break;
    for (const place of await locatePassages(scope, found, pendingTiles, batch)) {
      const count = taken.get(place.tileId) ?? 0;
      taken.set(place.tileId, count + 1);
      if (count < perTile && places.length < limit) places.push(place);
      else passedOver.push(place);
    }
  }
  return { places, passedOver, pendingTiles };
}

/** Reads the places' text and ranks them anew. */
async function readPlaces(
  deps: RetrievalDeps,
  scope: BoardSearch,
  found: TermLookup,
  question: WeightedQuestion,
  scored: Bm25Scores,
  places: readonly LocatedPassage[],
  signature: Uint8Array | null,
): Promise<Passage[]> {
  const [loaded, signatures] = await Promise.all([
    load(scope, found, places),
    signature === null ? new Map<number, BinaryEmbeddings>() : signaturesOf(deps, scope, found, signature, places),
  ]);
  const shareOf = (score: number): number => (question.idfSum > 0 ? score / question.idfSum : 0);
  const around = computeNeighbourScores(
    scored,
    loaded.map(({ place }) => place.document),
  );
  const texts = loaded.map(textOf);
  const ngrams = weightNgrams(question.ngrams, texts);
  const candidates = loaded.map(({ place, tile }, at) => {
    const context = { embeddings: signatures.get(place.document) ?? null, title: tile.title, ngrams: ngrams[at] };
    const match = matchPassage(question, texts[at] ?? "", context);
    return { place, tile, match, lexical: shareOf(place.score), neighbourScore: shareOf(around[at] ?? 0) };
  });
  const own = computeFeatures(candidates).map(computeScore);
  const scores = addWindowScores(
    candidates.map(({ place: { document } }, at) => ({ document, score: own[at] as number })),
    measureConversation(candidates.map(({ match: { language } }, at) => ({ text: texts[at] ?? "", language }))),
  );
  return candidates
    .map((candidate, at) => ({ ...candidate, rerank: own[at] as number, score: scores[at] as number }))
    .sort((a, b) => b.score - a.score || b.lexical - a.lexical || a.place.document - b.place.document)
    .map(({ place, tile, match, lexical, rerank, score }) =>
      toPassage(place, tile, match, score, { lexical, semantic: match.similarity, rerank }),
    );
}

/** How near the passage, or its nearest sentence, is to the question. */
const likenessOf = ({ similarity, sentences }: PassageMatch): number =>
  Math.max(similarity ?? 0, ...sentences.map((sentence) => sentence.similarity ?? 0));

async function signaturesOf(
  { semantic }: RetrievalDeps,
  { businessId, boardId }: BoardSearch,
  found: TermLookup,
  question: Uint8Array,
  places: readonly LocatedPassage[],
): Promise<Map<number, BinaryEmbeddings>> {
  const documents = places.map(({ document }) => document).filter((document) => !found.pending.has(document));
  const stored = (await semantic?.vectors.signatures(businessId, boardId, documents)) ?? [];
  return new Map(
    stored
      .filter(({ passage }) => passage.length === question.length)
      .map(({ document, passage, sentences }) => [document, { question, passage, sentences }]),
  );
}

function limitPerTile(passages: readonly Passage[], { limit, perTile = Infinity }: RetrieveOptions): Passage[] {
  const taken = new Map<string, number>();
  const kept: Passage[] = [];
  for (const passage of passages) {
    const count = taken.get(passage.tileId) ?? 0;
    if (count >= perTile || kept.length >= limit) continue;
    taken.set(passage.tileId, count + 1);
    kept.push(passage);
  }
  return kept;
}

/** Where more is asked for than was read twice, the rest follows in the order of its words; scores go on falling. */
async function addRest(
  scope: BoardSearch,
  found: TermLookup,
  question: WeightedQuestion,
  ranking: Iterator<RankedDocument>,
  passages: Passage[],
  { limit, perTile = Infinity, accept }: RetrieveOptions,
): Promise<void> {
  if (passages.length >= limit) return;
  const taken = new Map<string, number>();
  for (const { tileId } of passages) taken.set(tileId, (taken.get(tileId) ?? 0) + 1);
  const lowest = passages.at(-1)?.score ?? 1;
  for (let looked = 0; passages.length < limit && looked < MAX_LOOKED_AT;) {
    const { places } = await gather(scope, found, ranking, limit, Infinity);
    if (places.length === 0) return;
    looked += places.length;
    const hasRoom = ({ tileId }: LocatedPassage): boolean => (taken.get(tileId) ?? 0) < perTile;
    for (const { place, tile } of await load(scope, found, places.filter(hasRoom))) {
      const text = textOf({ place, tile });
      if (passages.length >= limit || !hasRoom(place) || accept?.(text) === false) continue;
      taken.set(place.tileId, (taken.get(place.tileId) ?? 0) + 1);
      const lexical = question.idfSum > 0 ? place.score / question.idfSum : 0;
      const score = Math.min(passages.at(-1)?.score ?? lowest, lowest) - SMALLEST_STEP;
      const match = matchPassage(question, text, { title: tile.title, ngrams: weightNgrams(question.ngrams, [text])[0] });
      passages.push(toPassage(place, tile, match, score, { lexical, semantic: null, rerank: null }));
    }
  }
}

type Loaded = { readonly place: LocatedPassage; readonly tile: ConnectedTile };

const textOf = ({ place, tile }: Loaded): string => tile.extractedText.slice(place.start, place.end);

/** Reads the text; a tile that was disconnected, deleted or cut short meanwhile drops out. */
async function load({ search, businessId, boardId }: BoardSearch, found: TermLookup, places: readonly LocatedPassage[]): Promise<Loaded[]> {
  if (places.length === 0) return [];
  const tileIds = [...new Set(places.map(({ tileId }) => tileId))];
  const tiles = new Map((await search.connectedTiles(businessId, boardId, tileIds)).map((tile) => [tile.id, tile]));
  return places.flatMap((place) => {
    const tile = tiles.get(place.tileId);
    const pending = found.pending.get(place.document);
    if (tile === undefined || (pending !== undefined && pending.tile.text !== tile.extractedText)) return [];
    const { start, end } = place;
    const text = tile.extractedText;
    const isWhole = end <= text.length && alignToCodePoint(text, start) === start && alignToCodePoint(text, end) === end;
    return isWhole ? [{ place, tile }] : [];
  });
}

function toPassage(
  { start, end, coverage }: LocatedPassage,
  { id, title, type, sourceUrl, extractedText }: ConnectedTile,
  match: PassageMatch,
  score: number,
  parts: Passage["parts"],
): Passage {
  const text = extractedText.slice(start, end);
  return { tileId: id, title, type, sourceUrl, text, start, end, score, parts, coverage, match, tileText: extractedText };
}
