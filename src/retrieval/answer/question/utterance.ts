import { isStopWord } from "../../text/language/stop-words.ts";
import { foldWord, splitWords } from "../../text/tokenise.ts";
import {
  ARTICLES,
  CONNECTORS,
  COURTESIES,
  DAY_WORDS,
  GREETINGS,
  isGermanQuestionWord,
  isQuestionWord,
  LONE_WORDS,
  PRONOUNS,
  RELATIVE_WORDS,
} from "./utterance-words.ts";

/** What was typed instead of a question that can be answered on its own. */
export type Utterance = "greeting" | "follow_up";

export const DECLINED: Readonly<Record<Utterance, string>> = {
  greeting: "This is not a question about the content of this board. Ask for something that its tiles may say.",
  follow_up:
    "This question depends on something said before, and each question is answered on its own. Ask again, and name what it is about.",
};

/** Longer texts are questions of their own. */
const MAX_LENGTH = 80;
const MAX_WORDS = 8;
const CAPITAL = /^\p{Lu}(?:[\p{L}\p{M}]|$)/u;
const DIGIT = /\p{N}/u;

/**
 * Recognises greetings, thanks, and questions that mean nothing without an earlier one: "why?", "and the year before?", "and who built
 * it?". Returns null for every other text. It looks at words alone, in the languages of the lists, and when in doubt returns null: a
 * real question that is declined is worse than a poor answer.
 */
export function recogniseUtterance(text: string): Utterance | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return null;
  const typed = splitWords(trimmed);
  const words = typed.map(foldWord);
  if (words.length === 0 || words.length > MAX_WORDS) return null;
  if (words.some((word) => GREETINGS.has(word)) && words.every((word) => GREETINGS.has(word) || COURTESIES.has(word))) return "greeting";
  // A name says what is asked about. So do German nouns, except those such as "Jahr".
  if (typed.some((word, at) => at > 0 && word !== "I" && CAPITAL.test(word) && !isTimeWord(foldWord(word)))) return null;
  return dependsOnEarlier(words) ? "follow_up" : null;
}

function dependsOnEarlier(words: readonly string[]): boolean {
  const { rest, isConnected } = stripConnector(words);
  const content = rest.filter((word) => !isStopWord(word));
  const hasNumber = rest.some((word) => DIGIT.test(word));
  if (!hasNumber && content.every((word) => LONE_WORDS.has(word))) return true;
  const isAsking = rest.some(isQuestionWord);
  // "and in 2019?", "and on Sunday?"
  if (!isAsking && isConnected && content.every((word) => isTimeWord(word) || DIGIT.test(word))) return true;
  // "the year before?", but not "first day"
  if (!isAsking && !hasNumber && ARTICLES.has(rest[0] ?? "") && content.every((word) => RELATIVE_WORDS.has(word))) return true;
  // "and who built it?", "how old is she?", "who built it?"
  const refersBack = rest.some((word) => PRONOUNS.person.has(word)) || endsWithPronoun(rest);
  if (!isConnected) return content.length === 1 && !hasNumber && refersBack;
  return content.length <= 2 && (refersBack || rest.some((word) => PRONOUNS.thing.has(word)));
}

const isTimeWord = (word: string): boolean => RELATIVE_WORDS.has(word) || DAY_WORDS.has(word);

function endsWithPronoun(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return PRONOUNS.last.has(last) || (PRONOUNS.lastInGerman.has(last) && words.some(isGermanQuestionWord));
}

/** Removes the words that connect a question to an earlier one: "and", "what about". */
function stripConnector(words: readonly string[]): { readonly rest: readonly string[]; readonly isConnected: boolean } {
  const connector = CONNECTORS.find((each) => each.every((word, at) => words[at] === word));
  return connector === undefined ? { rest: words, isConnected: false } : { rest: words.slice(connector.length), isConnected: true };
}
