import { detectLanguage } from "../../text/language/language.ts";

/** Two to four capitalised words; particles may stand between them. */
const NAME = /(?<![\p{L}\p{N}'’-])\p{Lu}[\p{L}'’-]+(?:\s+(?:(?:de|da|di|du|la|le|van|von|der|den|of|y)\s+){0,2}\p{Lu}[\p{L}'’-]+){1,3}/gu;
/** Reading more would take too long for each sentence, so nothing is said about the names of longer tiles and lists of names. */
const MAX_KNOWN_LENGTH = 100_000;
const MAX_NAMES = 8;
const MAX_SAMPLE_LENGTH = 2_000;
const STEM_LENGTH = 5;
/** Titles and articles before a name, and words that begin sentences. */
const NOT_PART_OF_NAME =
  /^(?:the|a|an|in|on|at|by|for|from|its|his|her|both|when|according|mr|mrs|ms|dr|prof|professor|president|captain|sir|lady|king|queen|saint|st|der|die|das|den|dem|ein|eine|im|am|bei|laut|herr|frau|le|la|les|un|une|dans|selon|monsieur|madame|el|los|las|una|en|según|señor|señora|il|lo|gli|secondo|signor|signora|de|het|een|volgens|meneer|mevrouw)$/i;

const fold = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
/** The beginning of a word, since endings differ by case and number. */
const toStem = (word: string): string =>
  fold(word)
    .replace(/['’]s$/, "")
    .slice(0, STEM_LENGTH);

/**
 * Whether a sentence has a name of several words none of which occurs in `known`, or a known last name after a first name that `known`
 * does not have. Names are translated, so nothing is said about texts in another language than the sentence's.
 */
export function hasUnknownName(sentence: string, question: string, known: string): boolean {
  const names = [...sentence.matchAll(NAME)].map(([name]) => name.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word)));
  if (names.length === 0 || names.length > MAX_NAMES || known.length > MAX_KNOWN_LENGTH) return false;
  const [spoken, written] = [detectLanguage(`${question} ${sentence}`), detectLanguage(known.slice(0, MAX_SAMPLE_LENGTH))];
  if (spoken !== null && written !== null && spoken !== written) return false;
  const stems = new Set((known.match(/[\p{L}'’-]+/gu) ?? []).map(toStem));
  const isKnown = (word: string): boolean => stems.has(toStem(word));
  return names.some((words) => {
    const name = words.slice(words.findIndex((word) => !NOT_PART_OF_NAME.test(word)));
    if (name.length < 2 || NOT_PART_OF_NAME.test(name[0] ?? "")) return false;
    if (!name.some(isKnown)) return true;
    const [first = "", last = ""] = [name[0], name.at(-1)];
    return name.length === 2 && !isKnown(first) && isKnown(last) && hasOtherFirstName(known, first, last);
  });
}

/** Whether the text has this last name after another capitalised word in the middle of a sentence. */
function hasOtherFirstName(text: string, first: string, last: string): boolean {
  const pattern = new RegExp(`(\\p{Lu}[\\p{L}'’-]+)\\s+${last.replaceAll(/[^\p{L}]/gu, ".")}(?![\\p{L}])`, "gu");
  const before = [...text.matchAll(pattern)].map(([, word = ""]) => word).filter((word) => !NOT_PART_OF_NAME.test(word));
  return before.length > 0 && before.every((word) => fold(word) !== fold(first));
}
