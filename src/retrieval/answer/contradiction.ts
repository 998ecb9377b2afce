import { detectLanguage } from "../text/language/language.ts";
import { NEGATIONS, areAntonyms } from "./antonyms.ts";

/** Question words by language. Questions for yes or no, or for a reason, are answered by a contradiction as well. */
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

/** Not negations: "whether or not" asks for both, "not only" negates nothing, "no. 12" is a number. */
const NOT_A_NEGATION =
  /\bor (?:\p{L}+ )?not\b|\bnot only\b|\bno\.? ?(?=\d)|oder nicht|nicht (?:nur|wahr)|ou (?:pas|non)\b|(?:pas|non) seulement|\bo no\b|\bno s[oó]lo\b|non solo|não (?:só|apenas)|ou não|niet alleen|of niet|inte bara|eller inte|sau nu|nu (?:numai|doar)/gu;

/** Includes letters after an apostrophe: don't, n'est. */
const WORD = /\p{L}[\p{L}\p{M}]*(?:'\p{L}+)?/gu;
/** Words of names and titles, which are ignored. */
const NAMES = /(?<=\S\s+["'(«„“]?)\p{Lu}[\p{L}\p{M}'’]*/gu;
/** "How long" asks for a length; it does not say that something is long. */
const MEASURE_PHRASE = /\bhow \p{L}+/gu;

/**
 * Whether a sentence contradicts a question, and so does not answer it, however many words they share. Either the question is
 * negated and the sentence is not (who did not sign / who signed), or, in English, neither is negated and they contain antonyms
 * (the largest / the smallest).
 *
 * Only questions for who, what, which, when, where and how much can be contradicted. `language` is the sentence's (ISO 639-1); the
 * result is false for a question in another language.
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

/** Returns the clause with the question word, in lower case, without names and apparent negations; null if there is none. */
function extractAskedClause(question: string, language: string): string | null {
  const plain = normaliseApostrophes(question).replace(NAMES, " ").toLowerCase().replace(NOT_A_NEGATION, " ");
  if (REASON_WORDS.test(plain)) return null;
  const questionWord = QUESTION_WORDS[language];
  const sentence = plain.split(/[.?!;¿¡]/u).find((part) => questionWord?.test(part) === true);
  if (questionWord === undefined || sentence === undefined) return null;
  // A clause before the question word is a condition or background.
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
