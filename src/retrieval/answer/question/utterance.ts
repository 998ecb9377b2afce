import { isStopWord } from "../../text/stop-words.ts";
import { foldWord, splitWords } from "../../text/tokenise.ts";
import { CONNECTORS, COURTESIES, GREETINGS, isQuestionWord, LONE_WORDS, PRONOUNS, RELATIVE_WORDS } from "./utterance-words.ts";

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
  if (typed.some((word, at) => at > 0 && word !== "I" && CAPITAL.test(word) && !RELATIVE_WORDS.has(foldWord(word)))) return null;
  return dependsOnEarlier(words) ? "follow_up" : null;
}

function dependsOnEarlier(words: readonly string[]): boolean {
  const { rest, isConnected } = stripConnector(words);
  const content = rest.filter((word) => !isStopWord(word));
  const hasNumber = rest.some((word) => DIGIT.test(word));
  if (!hasNumber && content.every((word) => LONE_WORDS.has(word))) return true;
  const isAsking = rest.some(isQuestionWord);
  // "the year before?", "and in 2019?"
  if (
    !isAsking &&
    (isConnected || (!hasNumber && rest.length > 1)) &&
    content.every((word) => RELATIVE_WORDS.has(word) || DIGIT.test(word))
  )
    return true;
  // "and who built it?", "how old is she?", "who built it?"
  const last = rest.at(-1) ?? "";
  const isPerson = rest.some((word) => PRONOUNS.person.has(word));
  if (!isConnected) return content.length === 1 && !hasNumber && (isPerson || PRONOUNS.object.has(last));
  return content.length <= 2 && rest.some((word) => PRONOUNS.person.has(word) || PRONOUNS.thing.has(word));
}

/** Removes the words that connect a question to an earlier one: "and", "what about". */
function stripConnector(words: readonly string[]): { readonly rest: readonly string[]; readonly isConnected: boolean } {
  const connector = CONNECTORS.find((each) => each.every((word, at) => words[at] === word));
  return connector === undefined ? { rest: words, isConnected: false } : { rest: words.slice(connector.length), isConnected: true };
}
