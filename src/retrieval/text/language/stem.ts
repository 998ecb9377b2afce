import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as english } from "stemmer";

type Stemmer = (word: string) => string;

/** Stemmers of languages in Latin letters, by ISO 639-1 code. */
const LATIN: Readonly<Record<string, Stemmer>> = {
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
  ro: romanian,
  sv: swedish,
  tr: turkish,
};

/** Languages with a stemmer of their own; any other text in Latin letters is stemmed as English. */
export const STEMMED_LANGUAGES: readonly string[] = Object.keys(LATIN);

/** Returns the language whose stemmer is used for a language. */
export const toStemmedLanguage = (language: string): string => (Object.hasOwn(LATIN, language) ? language : "en");

/** Stemmers chosen by script. Other languages of the script use them too, which is harmless: content and question are stemmed alike. */
const SCRIPTS: readonly (readonly [RegExp, Stemmer])[] = [
  [/^\p{Script=Cyrillic}/u, russian],
  [/^\p{Script=Arabic}/u, arabic],
  [/^\p{Script=Greek}/u, greek],
  [/^\p{Script=Devanagari}/u, hindi],
];

const ASCII_WORD = /^[a-z]+$/;
const LATIN_WORD = /^\p{Script=Latin}+$/u;

/**
 * Stems a word in lower case (NFC) by its script or, in Latin letters, by the language of its text, and folds it with `fold`.
 * Snowball's stemmers (snowballstem.org) run before folding, because they need accents. Porter's (1980), for English and unknown
 * languages, runs after it.
 */
export function stemWord(word: string, language: string, fold: (word: string) => string): string {
  if (ASCII_WORD.test(word)) return (LATIN[language] ?? english)(word);
  if (LATIN_WORD.test(word) && LATIN[language] !== undefined) return fold(LATIN[language](word));
  for (const [script, stem] of SCRIPTS) if (script.test(word)) return fold(stem(word));
  const folded = fold(word);
  return ASCII_WORD.test(folded) ? english(folded) : folded;
}
