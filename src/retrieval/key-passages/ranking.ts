import { type Candidate, FRAGMENT_QUALITY, extractCandidates, extractTerms } from "./candidates.ts";

/** A text to extract key sentences from. */
export type KeyText = { readonly title: string; readonly text: string };

export type KeySentence = Omit<Candidate, "position" | "quality"> & {
  /** Index of its text, in the order in which they were added. */
  readonly source: number;
  /** Relevance to the subjects of all texts, or to the question; higher is better, never below 0. */
  readonly score: number;
};

export type KeyRanking = {
  /** The best `MAX_RANKED`, best first; ties in the order of the texts. */
  readonly sentences: readonly KeySentence[];
  /** Whether any text contains a content word of the question. */
  readonly matchesQuestion: boolean;
  /** Idf of a term over all sentences; 0 for an unknown term. */
  getWeight(term: string): number;
  /** How much a term is a subject of the texts: rare in general, but repeated. */
  getSalience(term: string): number;
  /** Indexes of the texts that contain all of these terms. */
  findSources(terms: readonly string[]): readonly number[];
};

/** Collects texts one by one, so that a caller can pause between them, and ranks their sentences. */
export type KeyCollector = { add(text: KeyText): void; rank(question?: string): KeyRanking };

/** Sentences that a ranking returns. */
const MAX_RANKED = 2_000;
const MAX_TITLE_LENGTH = 500;
const MAX_QUESTION_LENGTH = 20_000;

/** Weights of the subjects of all texts, the subjects of its own text, the position, and the title; set by hand. */
const BOARD_WEIGHT = 0.4;
const SOURCE_WEIGHT = 0.25;
const POSITION_WEIGHT = 0.2;
const TITLE_WEIGHT = 0.15;
/** Weight of a sentence's quality relative to its coverage of the question. */
const QUALITY_WEIGHT_WITH_QUESTION = 0.5;

/** A candidate with the numbers of its terms. */
type Numbered = { readonly candidate: Candidate; readonly source: number; readonly ids: readonly number[] };

/** Terms of a text's title, and for each term, by number, how many of its sentences contain it. */
type Source = { readonly title: ReadonlySet<number>; readonly counts: ReadonlyMap<number, number> };

/**
 * Collects texts for centroid-based extractive summarisation (Radev et al. 2004), which also uses a sentence's position, the repeated
 * terms of its text, and the title. Deterministic; takes time linear in the length of the texts.
 */
export function createKeyCollector(): KeyCollector {
  const numbers = new Map<string, number>();
  const textCounts: number[] = [];
  const sentences: Numbered[] = [];
  const sources: Source[] = [];
  const seen = new Set<string>();

  function assignNumber(term: string): number {
    let number = numbers.get(term);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(term, number);
      textCounts.push(0);
    }
    return number;
  }

  return {
    add({ title, text }) {
      const counts = new Map<number, number>();
      for (const candidate of extractCandidates(text)) {
        const ids = candidate.terms.map(assignNumber);
        for (const id of ids) {
          const count = counts.get(id) ?? 0;
          if (count === 0) textCounts[id] = (textCounts[id] as number) + 1;
          counts.set(id, count + 1);
        }
        const key = ids.join(" ");
        // A sentence that is repeated in several texts, such as a notice, counts once.
        if (seen.has(key)) continue;
        seen.add(key);
        sentences.push({ candidate, source: sources.length, ids });
      }
      sources.push({ title: new Set(extractTerms(title.slice(0, MAX_TITLE_LENGTH)).map(assignNumber)), counts });
    },

    rank(question = "") {
      const whole = sentences.filter(({ candidate }) => candidate.quality > FRAGMENT_QUALITY);
      const asked = extractTerms(question.slice(0, MAX_QUESTION_LENGTH)).flatMap((term) => numbers.get(term) ?? []);
      return rank(whole.length > 0 ? whole : sentences, { sources, textCounts, numbers, question: asked });
    },
  };
}

type Collection = {
  readonly sources: readonly Source[];
  /** Number of texts that contain each term, by number. */
  readonly textCounts: readonly number[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Numbers of the question's terms. */
  readonly question: readonly number[];
};

function rank(sentences: readonly Numbered[], { sources, textCounts, numbers, question }: Collection): KeyRanking {
  const sentenceCounts = new Float64Array(numbers.size);
  for (const { ids } of sentences) for (const id of ids) sentenceCounts[id] = (sentenceCounts[id] as number) + 1;
  const weights = sentenceCounts.map((count) => (count === 0 ? 0 : Math.log(1 + sentences.length / count)));
  const spread = Float64Array.from(textCounts, (count) => Math.log(Math.max(1, count)));
  const isAsked = new Uint8Array(numbers.size);
  let idfSum = 0;
  for (const id of question) {
    isAsked[id] = 1;
    idfSum += weights[id] as number;
  }
  const createColumn = (): Float64Array => new Float64Array(sentences.length);
  const [boardScores, sourceScores, titleShares, questionIdf] = [createColumn(), createColumn(), createColumn(), createColumn()];
  for (const [at, { ids, source }] of sentences.entries()) {
    const { title, counts } = sources[source] as Source;
    let [squares, board, own, inTitle, asked] = [0, 0, 0, 0, 0];
    for (const id of ids) {
      const weight = weights[id] as number;
      squares += weight * weight;
      board += weight * (spread[id] as number);
      const count = counts.get(id) as number;
      if (count > 1) own += weight * Math.log(count);
      if (title.size > 0 && title.has(id)) inTitle++;
      if (isAsked[id] === 1) asked += weight;
    }
    const length = Math.max(1e-9, Math.sqrt(squares));
    boardScores[at] = board / length;
    sourceScores[at] = own / length;
    titleShares[at] = title.size === 0 ? 0 : inTitle / title.size;
    questionIdf[at] = asked;
  }
  const [maxBoardScore, maxSourceScore] = [findMax(boardScores), findMax(sourceScores)];
  const scores = Float64Array.from(sentences, ({ candidate: { position, quality } }, at) => {
    const subjects =
      (BOARD_WEIGHT * (boardScores[at] as number)) / maxBoardScore + (SOURCE_WEIGHT * (sourceScores[at] as number)) / maxSourceScore;
    const relevance =
      (quality === FRAGMENT_QUALITY ? 1 : quality) *
      (subjects + (POSITION_WEIGHT * 4) / (4 + position) + TITLE_WEIGHT * (titleShares[at] as number));
    return idfSum > 0 ? QUALITY_WEIGHT_WITH_QUESTION * relevance + (questionIdf[at] as number) / idfSum : relevance;
  });
  const getWeight = (term: string): number => weights[numbers.get(term) ?? -1] ?? 0;
  return {
    sentences: selectBest(sentences, scores),
    matchesQuestion: idfSum > 0,
    getWeight,
    getSalience: (term) => getWeight(term) * Math.log(1 + (sentenceCounts[numbers.get(term) ?? -1] ?? 0)),
    findSources(terms) {
      const ids = terms.map((term) => numbers.get(term) ?? -1);
      return sources.flatMap(({ counts }, source) => (ids.every((id) => counts.has(id)) ? [source] : []));
    },
  };
}

/** Returns the best sentences; ties in the order of the texts. */
function selectBest(sentences: readonly Numbered[], scores: Float64Array): KeySentence[] {
  const order = Uint32Array.from(scores.keys()).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  return Array.from(order.subarray(0, MAX_RANKED), (at) => {
    const { candidate, source } = sentences[at] as Numbered;
    const { start, end, text, heading, terms } = candidate;
    return { source, start, end, text, heading, terms, score: scores[at] as number };
  });
}

/** Returns the largest value, or 1 if none is above 0, because scores are divided by it. */
function findMax(values: Float64Array): number {
  let max = 0;
  for (const value of values) if (value > max) max = value;
  return max > 0 ? max : 1;
}
