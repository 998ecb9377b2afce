import { stemmer } from "stemmer";

export type Baseline = {
  /** Returns the ids of documents that share a word with the question, best first, ties in their original order. */
  search(question: string, limit: number): string[];
};

const K1 = 1.2;
const B = 0.75;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const STOP_WORDS = new Set(
  `a about above after again against all am an and any are as at be because been before being below between both but by can could did do does
   doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most
   my no nor not now of off on once only or other our out over own same she should so some such than that the their theirs them then there
   these they this those through to too under until up very was we were what when where which while who whom why will with would you your`.split(
    /\s+/,
  ),
);

/** Plain BM25 (Robertson and Zaragoza 2009, with Lucene's idf) over whole documents: without stop words, Porter's stems, no fields. */
export function createBaseline(documents: readonly { readonly id: string; readonly title: string; readonly text: string }[]): Baseline {
  const postings = new Map<string, { readonly at: number; frequency: number }[]>();
  const lengths = documents.map(({ title, text }, at) => {
    const terms = listTerms(`${title} ${text}`);
    for (const term of terms) {
      const list = postings.get(term) ?? [];
      if (list.length === 0) postings.set(term, list);
      const last = list.at(-1);
      if (last?.at === at) last.frequency++;
      else list.push({ at, frequency: 1 });
    }
    return terms.length;
  });
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  return {
    search(question, limit) {
      const scores = new Map<number, number>();
      for (const term of listTerms(question)) {
        const list = postings.get(term) ?? [];
        const idf = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5));
        for (const { at, frequency } of list) {
          const norm = K1 * (1 - B + (B * (lengths[at] as number)) / average);
          scores.set(at, (scores.get(at) ?? 0) + (idf * frequency * (K1 + 1)) / (frequency + norm));
        }
      }
      return [...scores]
        .sort(([a, one], [b, other]) => other - one || a - b)
        .slice(0, limit)
        .map(([at]) => documents[at]?.id ?? "");
    },
  };
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

function listTerms(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words
    .flatMap((word) => (UNSPACED.test(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : [word]))
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemmer(word));
}
