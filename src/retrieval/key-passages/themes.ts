import { chooseDiverse, similarity, vectorOf } from "./diverse.ts";
import type { KeyRanking, KeySentence } from "./ranking.ts";
import { hasHan } from "../text/characters.ts";
import { tokenise } from "../text/tokenise.ts";

/** What several sentences are about, led by the one that says it best. */
export type Theme = {
  readonly lead: KeySentence;
  /** Others that treat it, the nearest first. */
  readonly support: readonly KeySentence[];
  /** What it is about, most telling first, as the lead writes it. */
  readonly words: readonly string[];
  /** The texts that treat it, those of the lead and its support first. */
  readonly sources: readonly number[];
};

/** Two leads more alike than this are one theme; a sentence less alike than that does not belong to a theme. */
const APART = 0.3;
const BELONGS = 0.15;
const MAX_SUPPORT = 3;
/** From which likeness on one supporting sentence says what another said. */
const REPEATS = 0.7;
const WORDS = 3;
/** Sentences that may support a theme. */
const LOOKED_AT = 400;

/** The distinct themes of what was ranked, the strongest first; fewer than `most` where there are not so many. */
export function findThemes(ranking: KeyRanking, most: number): Theme[] {
  const { sentences, salienceOf } = ranking;
  const leads = chooseDiverse({ sentences, weightOf: salienceOf }, { most, repeats: APART });
  const vectors = leads.map(({ terms }) => vectorOf(terms, salienceOf));
  const support = leads.map((): { readonly sentence: KeySentence; readonly likeness: number }[] => []);
  for (const sentence of sentences.slice(0, LOOKED_AT)) {
    if (leads.includes(sentence)) continue;
    const vector = vectorOf(sentence.terms, salienceOf);
    const likenesses = vectors.map((lead) => similarity(vector, lead));
    const likeness = Math.max(0, ...likenesses);
    if (likeness >= BELONGS) support[likenesses.indexOf(likeness)]?.push({ sentence, likeness });
  }
  return leads.map((lead, at) => {
    const others = (support[at] ?? []).sort((a, b) => b.likeness - a.likeness).map(({ sentence }) => sentence);
    const kept = chooseDiverse({ sentences: others, weightOf: salienceOf }, { most: MAX_SUPPORT, repeats: REPEATS });
    const terms = keyTerms(lead, others, ranking);
    const near = [lead, ...kept].map(({ source }) => source);
    const sources = [...new Set([...near, ...(terms.length > 1 ? ranking.sourcesWith(terms.slice(0, 2)) : [])])];
    return { lead, support: kept, words: wordsOf(lead.text, terms), sources };
  });
}

/** The lead's terms that are most its subject: those its support shares before those it has alone. */
function keyTerms(lead: KeySentence, others: readonly KeySentence[], { salienceOf }: KeyRanking): string[] {
  const worth = (term: string): number => salienceOf(term) * (1 + others.filter(({ terms }) => terms.includes(term)).length);
  return lead.terms
    .filter((term) => (term.length > 2 || (term.length > 1 && hasHan(term))) && !/^\p{N}+$/u.test(term))
    .toSorted((a, b) => worth(b) - worth(a))
    .slice(0, WORDS);
}

/** Terms as the text writes them, since an index cuts and folds words. */
function wordsOf(text: string, terms: readonly string[]): string[] {
  const words = new Map<string, string>();
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu))
    for (const term of tokenise(word)) if (!words.has(term)) words.set(term, word);
  return terms.map((term) => words.get(term) ?? term);
}
