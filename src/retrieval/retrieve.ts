import type { Analyser, ConnectedTile, SearchStore, SearchFilter } from "#domain/answers/search.ts";
import type { VectorStore } from "#domain/answers/vectors.ts";
import { type Found, addPending } from "./lexical/pending.ts";
import type { Passage, Retrieval } from "./passage.ts";
import { type Place, type Scope, locate, take } from "./lexical/places.ts";
import { type Question, readQuestion } from "./lexical/query.ts";
import { type Ranked, type Scored, bestFirst, scoreBm25, scoresAround } from "./lexical/rank.ts";
import { type PassageReading, type Signatures, readPassage } from "./rerank/reading.ts";
import { featuresOf, scoreOf } from "./rerank/rerank.ts";
import { scoreStretches, talkIn } from "./rerank/talk.ts";
import { weighRuns } from "./rerank/runs.ts";
import { safeCut } from "./text/characters.ts";
import { correctSpelling } from "./lexical/typos.ts";
import { openVocabulary } from "./lexical/vocabulary.ts";
import { type WeighedQuestion, formsOfQuestion, weighQuestion } from "./lexical/weigh.ts";

/** Search by meaning; absent where vectors are off. */
export type Semantic = {
  readonly vectors: Pick<VectorStore, "nearest" | "signatures">;
  /** The question's signature; null where it has none (another language), or none in time. */
  signatureOf(question: string): Promise<Uint8Array | null>;
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
  readonly leastLikeness?: number;
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
  const typed = options.question ?? readQuestion(text);
  if (typed.words.length === 0 || options.limit < 1)
    return { passages: [], others: [], question: weighQuestion(typed, new Map(), NONE), documents: 0 };
  const scope = { search, businessId, boardId, filter: options.filter };
  // Pending first: a tile that is indexed meanwhile is then seen twice (and dropped once) rather than never.
  const [signature, tiles] = await Promise.all([
    text.trim() === "" ? null : (deps.semantic?.signatureOf(text) ?? null),
    search.pendingConnected(businessId, boardId, MAX_PENDING, options.filter),
  ]);
  const look = async (question: Question): Promise<Found> => {
    const forms = formsOfQuestion(question);
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
  const weighed = weighQuestion(question, found.postings, found.statistics);
  const scored = scoreBm25(weighed.terms, found.statistics);
  const ranking = bestFirst(scored);
  const lexical = await gather(scope, found, ranking, LEXICAL, LEXICAL_PER_TILE);
  const known = new Set(lexical.places.map(({ document }) => document));
  const near = nearest.filter(({ document }) => !known.has(document)).map(({ document }) => ({ document, score: 0, coverage: 0 }));
  const semantic = await locate(scope, found, lexical.pendingTiles, near);
  const { accept, leastLikeness = MIN_SIMILARITY } = options;
  const looked = await readPlaces(deps, scope, found, weighed, scored, [...lexical.places, ...semantic], signature);
  const all = looked.filter(({ parts, reading }) => parts.lexical > 0 || likenessOf(reading) >= leastLikeness);
  const read = accept === undefined ? all : all.filter((passage) => accept(passage.text));
  const passages = limitPerTile(read, options);
  const returned = new Set(passages);
  const others = read.filter((passage) => !returned.has(passage));
  await addRest(scope, found, weighed, ranking, passages, options);
  return { passages: passages.slice(0, options.limit), others, question: weighed, documents: found.statistics.documents };
}

const NONE = { documents: 0, totalLength: 0, nextDocument: 0 };

/** Walks down the ranking in growing batches until enough places have turned out to be connected. */
async function gather(scope: Scope, found: Found, ranking: Iterator<Ranked>, limit: number, perTile: number) {
  const pendingTiles = new Set(Array.from(found.pending.values(), ({ tile }) => tile.tileId));
  const places: Place[] = [];
  const taken = new Map<string, number>();
  const passedOver: Place[] = [];
  for (let size = Math.max(FIRST_BATCH, limit); places.length < limit; size = Math.min(size * 2, LAST_BATCH)) {
    const batch = take(ranking, size);
    if (batch.length === 0) break;
    for (const place of await locate(scope, found, pendingTiles, batch)) {
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
  scope: Scope,
  found: Found,
  question: WeighedQuestion,
  scored: Scored,
  places: readonly Place[],
  signature: Uint8Array | null,
): Promise<Passage[]> {
  const [loaded, signatures] = await Promise.all([
    load(scope, found, places),
    signature === null ? new Map<number, Signatures>() : signaturesOf(deps, scope, found, signature, places),
  ]);
  const shareOf = (score: number): number => (question.mass > 0 ? score / question.mass : 0);
  const around = scoresAround(
    scored,
    loaded.map(({ place }) => place.document),
  );
  const texts = loaded.map(textOf);
  const runs = weighRuns(question.runs, texts);
  const candidates = loaded.map(({ place, tile }, at) => {
    const beside = { signatures: signatures.get(place.document) ?? null, title: tile.title, runs: runs[at] };
    const reading = readPassage(question, texts[at] ?? "", beside);
    return { place, tile, reading, lexical: shareOf(place.score), around: shareOf(around[at] ?? 0) };
  });
  const own = featuresOf(candidates).map(scoreOf);
  const scores = scoreStretches(
    candidates.map(({ place: { document } }, at) => ({ document, score: own[at] as number })),
    talkIn(candidates.map(({ reading: { language } }, at) => ({ text: texts[at] ?? "", language }))),
  );
  return candidates
    .map((candidate, at) => ({ ...candidate, rerank: own[at] as number, score: scores[at] as number }))
    .sort((a, b) => b.score - a.score || b.lexical - a.lexical || a.place.document - b.place.document)
    .map(({ place, tile, reading, lexical, rerank, score }) =>
      toPassage(place, tile, reading, score, { lexical, semantic: reading.likeness, rerank }),
    );
}

/** How near the passage, or its nearest sentence, is to the question. */
const likenessOf = ({ likeness, sentences }: PassageReading): number =>
  Math.max(likeness ?? 0, ...sentences.map((sentence) => sentence.likeness ?? 0));

async function signaturesOf(
  { semantic }: RetrievalDeps,
  { businessId, boardId }: Scope,
  found: Found,
  question: Uint8Array,
  places: readonly Place[],
): Promise<Map<number, Signatures>> {
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
  scope: Scope,
  found: Found,
  question: WeighedQuestion,
  ranking: Iterator<Ranked>,
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
    const hasRoom = ({ tileId }: Place): boolean => (taken.get(tileId) ?? 0) < perTile;
    for (const { place, tile } of await load(scope, found, places.filter(hasRoom))) {
      const text = textOf({ place, tile });
      if (passages.length >= limit || !hasRoom(place) || accept?.(text) === false) continue;
      taken.set(place.tileId, (taken.get(place.tileId) ?? 0) + 1);
      const lexical = question.mass > 0 ? place.score / question.mass : 0;
      const score = Math.min(passages.at(-1)?.score ?? lowest, lowest) - SMALLEST_STEP;
      const reading = readPassage(question, text, { title: tile.title, runs: weighRuns(question.runs, [text])[0] });
      passages.push(toPassage(place, tile, reading, score, { lexical, semantic: null, rerank: null }));
    }
  }
}

type Loaded = { readonly place: Place; readonly tile: ConnectedTile };

const textOf = ({ place, tile }: Loaded): string => tile.extractedText.slice(place.start, place.end);

/** Reads the text; a tile that was disconnected, deleted or cut short meanwhile drops out. */
async function load({ search, businessId, boardId }: Scope, found: Found, places: readonly Place[]): Promise<Loaded[]> {
  if (places.length === 0) return [];
  const tileIds = [...new Set(places.map(({ tileId }) => tileId))];
  const tiles = new Map((await search.connectedTiles(businessId, boardId, tileIds)).map((tile) => [tile.id, tile]));
  return places.flatMap((place) => {
    const tile = tiles.get(place.tileId);
    const pending = found.pending.get(place.document);
    if (tile === undefined || (pending !== undefined && pending.tile.text !== tile.extractedText)) return [];
    const { start, end } = place;
    const text = tile.extractedText;
    const isWhole = end <= text.length && safeCut(text, start) === start && safeCut(text, end) === end;
    return isWhole ? [{ place, tile }] : [];
  });
}

function toPassage(
  { start, end, coverage }: Place,
  { id, title, type, sourceUrl, extractedText }: ConnectedTile,
  reading: PassageReading,
  score: number,
  parts: Passage["parts"],
): Passage {
  const text = extractedText.slice(start, end);
  return { tileId: id, title, type, sourceUrl, text, start, end, score, parts, coverage, reading, tileText: extractedText };
}
