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

/** By ISO 639-1; for languages in Latin letters, which only their words tell apart. */
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

/** Languages whose words are stemmed in a way of their own; English is what every other text in Latin letters is read as. */
export const STEMMED_LANGUAGES: readonly string[] = Object.keys(LATIN);

/** Scripts that tell the stemmer by themselves; what they are also used for is stemmed alike in content and question. */
const SCRIPTS: readonly (readonly [RegExp, Stemmer])[] = [
  [/^\p{Script=Cyrillic}/u, russian],
  [/^\p{Script=Arabic}/u, arabic],
  [/^\p{Script=Greek}/u, greek],
  [/^\p{Script=Devanagari}/u, hindi],
];

const ASCII_WORD = /^[a-z]+$/;
const LATIN_WORD = /^\p{Script=Latin}+$/u;

/**
 * The stem of a word in lower case (NFC), folded by `fold`, by its script and, in Latin letters, by the language of its text:
 * Snowball's stemmers (snowballstem.org), which know their language's accents and come before the folding; Porter's (1980) for
 * English and where the language is not known, which comes after it.
 */
export function stemWord(word: string, language: string, fold: (word: string) => string): string {
  if (ASCII_WORD.test(word)) return (LATIN[language] ?? english)(word);
  if (LATIN_WORD.test(word) && LATIN[language] !== undefined) return fold(LATIN[language](word));
  for (const [script, stem] of SCRIPTS) if (script.test(word)) return fold(stem(word));
  const folded = fold(word);
  return ASCII_WORD.test(folded) ? english(folded) : folded;
}
