import { chooseDiverse, computeSimilarity, toVector } from "./diverse.ts";
import type { KeyRanking, KeySentence } from "./ranking.ts";
import type { Steps } from "./steps.ts";
import { hasHan } from "../text/characters.ts";
import { tokenise } from "../text/tokenise.ts";

/** A subject of several sentences. */
export type Theme = {
  /** The sentence that states it best. */
  readonly lead: KeySentence;
  /** Other sentences about it, the most similar first. */
  readonly support: readonly KeySentence[];
  /** Its key words, the most salient first, as the lead spells them. */
  readonly words: readonly string[];
  /** Indexes of the texts about it, those of the lead and its support first. */
  readonly sources: readonly number[];
};

/** Similarity from which on two leads are one theme, and below which a sentence does not support a theme. */
const LEAD_REPEAT_THRESHOLD = 0.3;
const MIN_SUPPORT_SIMILARITY = 0.15;
const MAX_SUPPORT = 3;
/** Similarity from which on a supporting sentence repeats another. */
const SUPPORT_REPEAT_THRESHOLD = 0.7;
const MAX_WORDS = 3;
/** Sentences considered as support. */
const MAX_SUPPORT_CANDIDATES = 400;

/** Finds at most `limit` distinct themes of ranked sentences, the strongest first. */
export function* findThemes(ranking: KeyRanking, limit: number): Steps<Theme[]> {
  const { sentences, getSalience } = ranking;
  const leads = yield* chooseDiverse({ sentences, getWeight: getSalience }, { limit, repeatThreshold: LEAD_REPEAT_THRESHOLD });
  const vectors = leads.map(({ terms }) => toVector(terms, getSalience));
  const support = leads.map((): { readonly sentence: KeySentence; readonly similarity: number }[] => []);
  for (const sentence of sentences.slice(0, MAX_SUPPORT_CANDIDATES)) {
    if (leads.includes(sentence)) continue;
    yield;
    const vector = toVector(sentence.terms, getSalience);
    const similarities = vectors.map((lead) => computeSimilarity(vector, lead));
    const similarity = Math.max(0, ...similarities);
    if (similarity >= MIN_SUPPORT_SIMILARITY) support[similarities.indexOf(similarity)]?.push({ sentence, similarity });
  }
  const themes: Theme[] = [];
  for (const [at, lead] of leads.entries()) {
    const others = (support[at] ?? []).sort((a, b) => b.similarity - a.similarity).map(({ sentence }) => sentence);
    const kept = yield* chooseDiverse(
      { sentences: others, getWeight: getSalience },
      { limit: MAX_SUPPORT, repeatThreshold: SUPPORT_REPEAT_THRESHOLD },
    );
    const terms = selectKeyTerms(lead, others, ranking);
    const near = [lead, ...kept].map(({ source }) => source);
    const sources = [...new Set([...near, ...(terms.length > 1 ? yield* ranking.findSources(terms.slice(0, 2)) : [])])];
    themes.push({ lead, support: kept, words: restoreWords(lead.text, terms), sources });
  }
  return themes;
}

/** Selects the lead's most salient terms, preferring those that its support shares. */
function selectKeyTerms(lead: KeySentence, others: readonly KeySentence[], { getSalience }: KeyRanking): string[] {
  const rank = (term: string): number => getSalience(term) * (1 + others.filter(({ terms }) => terms.includes(term)).length);
  return lead.terms
    .filter((term) => (term.length > 2 || (term.length > 1 && hasHan(term))) && !/^\p{N}+$/u.test(term))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MAX_WORDS);
}

/** Replaces index terms, which are stemmed and folded, with the words of the text. */
function restoreWords(text: string, terms: readonly string[]): string[] {
  const words = new Map<string, string>();
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu))
    for (const term of tokenise(word)) if (!words.has(term)) words.set(term, word);
  return terms.map((term) => words.get(term) ?? term);
}
