import { leaveOutAskedTime } from "./asked-time.ts";
import { alignToCodePoint } from "../text/characters.ts";
import { findCompounds } from "../text/compounds.ts";
import { detectLanguage } from "../text/language/language.ts";
import { STEMMED_LANGUAGES } from "../text/language/stem.ts";
import { isStopWord } from "../text/language/stop-words.ts";
import { toPrefixTerm } from "../text/prefixes.ts";
import { foldWord, splitWords, tokenise } from "../text/tokenise.ts";
import { WEIGHTS } from "../weights.ts";

/** A word of a question, or a prefix. */
export type QueryTerm = {
  /** Unique within the question. */
  readonly key: string;
  /** The folded word as it was typed, or the prefix. */
  readonly typed: string;
  /** Index terms that count as this word: its stems in the languages that the question may be in. */
  readonly forms: readonly string[];
  /** Occurrences in the question, times the weight of a match relative to a whole word. */
  readonly count: number;
};

export type Question = {
  /** In order, each once; without stop words unless there is nothing else. */
  readonly words: readonly QueryTerm[];
  readonly prefixes: readonly QueryTerm[];
  /** Keys of adjacent words, ignoring stop words. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Languages in which its words are stemmed. */
  readonly languages: readonly string[];
  /** Character 4-grams as typed, which keep endings, capitals and short words that stems lose. */
  readonly ngrams: readonly string[];
};

/** What exceeds these limits is ignored. */
const MAX_CHARACTERS = 20_000;
const MAX_TERMS = 128;
const MAX_NGRAMS = 400;
const NGRAM_LENGTH = 4;
/** From the first letter or digit to the last. Takes linear time, unlike a pattern that trims punctuation from the end. */
const QUESTION_BODY = /[\p{L}\p{N}].*[\p{L}\p{N}\p{M}]/su;

/**
 * Reads the terms to look up for a question. Repeated words count more: what a long question repeats matters (CISI nDCG@10 .40
 * against .31).
 */
export function parseQuestion(text: string): Question {
  const cut = text.length > MAX_CHARACTERS ? text.slice(0, alignToCodePoint(text, MAX_CHARACTERS)) : text;
  const words = splitWords(cut);
  const asked = splitWords(leaveOutAskedTime(cut));
  const contentWords = asked.filter((word) => !isStopWord(foldWord(word)));
  const kept = contentWords.length > 0 ? contentWords : words;
  const languages = detectLanguages(cut);
  const compounds = mapCompounds(cut);
  const terms = mergeTerms(
    kept.map((word) => ({ word, forms: [...listForms(word, languages), ...listForms(compounds.get(word) ?? "", languages)] })),
    1,
  );
  const keys = new Set(terms.map(({ key }) => key));
  const prefixes = mergeTerms(
    kept.map((word) => ({ word, forms: deduplicate(listForms(word, languages).map(toPrefixTerm)) })),
    WEIGHTS.bm25.prefix,
  );
  return { words: terms, prefixes, pairs: listPairs(kept, languages, keys), languages, ngrams: listNgrams(cut) };
}

/** Hyphenated words written as one word, by their longer half: a passage with either spelling contains the word. */
const mapCompounds = (text: string): ReadonlyMap<string, string> =>
  new Map(findCompounds(text).map(({ first, second }) => [second.length > first.length ? second : first, `${first}${second}`]));

/** Languages to stem a question in; all of them if its language is not clear. */
function detectLanguages(text: string): readonly string[] {
  const language = detectLanguage(text);
  if (language === "en") return ["en"];
  return language === null ? ["en", ...STEMMED_LANGUAGES] : [language, "en"];
}

const deduplicate = (terms: readonly (string | null)[]): string[] => [...new Set(terms.filter((term) => term !== null))];

/** Returns the stems of a word in each language. A word that folds into several (½) gives its first part only. */
const listForms = (word: string, languages: readonly string[]): string[] =>
  deduplicate(languages.map((language) => tokenise(word, language)[0] ?? null));

const getKey = (forms: readonly string[]): string => forms[0] ?? "";

type WordForms = { readonly word: string; readonly forms: readonly string[] };

function mergeTerms(all: readonly WordForms[], weight: number): QueryTerm[] {
  const terms = new Map<string, { key: string; typed: string; forms: readonly string[]; count: number }>();
  for (const { word, forms } of all) {
    const key = getKey(forms);
    const known = terms.get(key);
    if (known !== undefined) known.count += weight;
    else if (key !== "" && terms.size < MAX_TERMS) terms.set(key, { key, typed: foldWord(word), forms, count: weight });
  }
  return [...terms.values()];
}

function listPairs(words: readonly string[], languages: readonly string[], keys: ReadonlySet<string>): [string, string][] {
  const order = words.map((word) => getKey(listForms(word, languages)));
  const pairs = new Map<string, [string, string]>();
  for (let i = 0; i + 1 < order.length && pairs.size < MAX_TERMS; i++) {
    const [first, second] = [order[i] as string, order[i + 1] as string];
    if (first !== second && keys.has(first) && keys.has(second)) pairs.set(`${first} ${second}`, [first, second]);
  }
  return [...pairs.values()];
}

function listNgrams(text: string): string[] {
  const [body = ""] = QUESTION_BODY.exec(text) ?? [];
  const padded = ` ${body.replaceAll(/\s+/g, " ")} `;
  const ngrams = new Set<string>();
  for (let at = 0; at + NGRAM_LENGTH <= padded.length && ngrams.size < MAX_NGRAMS; at++) ngrams.add(padded.slice(at, at + NGRAM_LENGTH));
  return [...ngrams];
}
