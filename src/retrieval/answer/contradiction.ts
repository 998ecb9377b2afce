import { detectLanguage } from "../text/language.ts";
import { NEGATIONS, areAntonyms } from "./antonyms.ts";

/** What a question asks for; one that only wants a yes or a no, or a reason, is answered by the contrary as well. */
const QUESTION_WORDS: Readonly<Record<string, RegExp>> = {
  en: /\b(?:who|whom|whose|what|which|when|where|how (?:many|much|long|old|far|often|large|high|late))\b/u,
  de: /\b(?:wer|wen|wem|wessen|was|welche[nmrs]?|wann|wo|wohin|woher|wie ?viele?)\b/u,
  fr: /(?<!\p{L})(?:qui|quoi|quel(?:le)?s?|quand|où|combien|lequel|laquelle)(?!\p{L})/u,
  es: /(?<!\p{L})(?:quién(?:es)?|qué|cuál(?:es)?|cuándo|dónde|adónde|cuánt[oa]s?)(?!\p{L})/u,
  it: /(?<!\p{L})(?:chi|cosa|quale|quali|quando|dove|quant[oaie])(?!\p{L})/u,
  pt: /(?<!\p{L})(?:quem|o que|qual|quais|quando|onde|quant[oa]s?)(?!\p{L})|^que /u,
  nl: /\b(?:wie|wat|welke?|wanneer|waar|hoeveel)\b/u,
  sv: /(?<!\p{L})(?:vem|vad|vilke[nt]|vilka|när|var)(?!\p{L})/u,
  ro: /(?<!\p{L})(?:cine|ce|care|când|unde|câ[tț][iăe]?|câți)(?!\p{L})/u,
};
const REASON_WORDS =
  /(?<!\p{L})(?:why|how come|warum|wieso|weshalb|pourquoi|por qué|perché|por que|porquê|waarom|varför|de ce|for what reason)(?!\p{L})/u;

/** "Whether or not" asks for both, "not only" denies nothing, and "no. 12" is a number. */
const NOT_A_NEGATION =
  /\bor (?:\p{L}+ )?not\b|\bnot only\b|\bno\.? ?(?=\d)|oder nicht|nicht (?:nur|wahr)|ou (?:pas|non)\b|(?:pas|non) seulement|\bo no\b|\bno s[oó]lo\b|non solo|não (?:só|apenas)|ou não|niet alleen|of niet|inte bara|eller inte|sau nu|nu (?:numai|doar)/gu;

/** Letters with what follows an apostrophe: don't, n'est. */
const WORD = /\p{L}[\p{L}\p{M}]*(?:'\p{L}+)?/gu;
/** Words of names and titles, which say nothing by themselves. */
const NAMES = /(?<=\S\s+["'(«„“]?)\p{Lu}[\p{L}\p{M}'’]*/gu;
/** "How long" asks for a length, and claims none. */
const MEASURE_PHRASE = /\bhow \p{L}+/gu;

/**
 * Whether a sentence says the contrary of what is asked, so that it does not answer, however many words the two share: the question
 * denies and the sentence does not (who did not sign / who signed), or one has the opposite of a word of the other and neither
 * denies (the largest / the smallest; in English). Only questions for who, what, which, when, where and how much are judged.
 * `language` is the sentence's (ISO 639-1); a question in another one is not judged.
 */
export function contradicts(question: string, sentence: string, language: string): boolean {
  const negations = NEGATIONS[language];
  if (negations === undefined || (detectLanguage(question) ?? language) !== language) return false;
  const clause = extractAskedClause(question, language);
  if (clause === null) return false;
  const sentenceWords = extractWords(sentence.toLowerCase());
  const isNegation = (word: string): boolean =>
    negations.inQuestion.has(word) || word.endsWith("n't") || (language === "fr" && word.startsWith("n'"));
  const isSentenceNegated = [...sentenceWords].some((word) => isNegation(word) || negations.inSentence.test(word));
  if (isSentenceNegated) return false;
  const words = extractWords(clause);
  return (
    [...words].some(isNegation) !== (language === "en" && hasAntonyms(extractWords(clause.replace(MEASURE_PHRASE, " ")), sentenceWords))
  );
}

/** The clause with the question word, in small letters, without names and what only looks like a denial; null where none asks so. */
function extractAskedClause(question: string, language: string): string | null {
  const plain = normaliseApostrophes(question).replace(NAMES, " ").toLowerCase().replace(NOT_A_NEGATION, " ");
  if (REASON_WORDS.test(plain)) return null;
  const questionWord = QUESTION_WORDS[language];
  const sentence = plain.split(/[.?!;¿¡]/u).find((part) => questionWord?.test(part) === true);
  if (questionWord === undefined || sentence === undefined) return null;
  // What stands before a comma and the question word is a condition, or what somebody tells of themselves.
  const clauses = sentence.split(",");
  const first = clauses.findIndex((clause) => questionWord.test(clause));
  return clauses.slice(first).join(",");
}

const normaliseApostrophes = (text: string): string => text.normalize("NFC").replaceAll("’", "'");

const extractWords = (text: string): ReadonlySet<string> => new Set(normaliseApostrophes(text).match(WORD));

function hasAntonyms(clause: ReadonlySet<string>, sentenceWords: ReadonlySet<string>): boolean {
  const questionOnly = [...clause].filter((word) => !sentenceWords.has(word));
  const sentenceOnly = [...sentenceWords].filter((word) => !clause.has(word));
  return questionOnly.some((one) => sentenceOnly.some((other) => areAntonyms(one, other)));
}
