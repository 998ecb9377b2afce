import type { Answer, Citation, Generation } from "@tessera/sdk";
import { wordsOf } from "../../text/words.ts";
import { durationOf } from "../../ui/time/times.ts";

type AnswerParts = Pick<Answer, "answer" | "citations" | "mode">;

/** An answer with its numbered sources as light Markdown, to be copied. */
export function answerDocument(question: string, { answer, citations, mode }: AnswerParts): string {
  const text = mode === "model" ? answer.replace(UNSUPPORTED, "") : answer;
  return joined([headOf(question), text, sourcesOf(citations)]);
}

/** An answer as it is kept in a tile: without the marks of its citations, which would point nowhere in another text. */
export function savedAnswer(question: string, { answer, citations, mode }: AnswerParts): string {
  // Without a model a number in brackets is a word of a tile.
  const text = mode === "model" ? withoutMarkers(answer, citations.length) : answer;
  return joined([headOf(question), text.trim().replace(CLOSING_HEAD, "").trim(), savedSources(citations)]);
}

/** A piece, or a list of ideas, with its numbered sources as light Markdown, to be copied. */
export const generationDocument = (generation: Generation): string =>
  joined([...textsOf(generation), sourcesOf(generation.citations ?? [])]);

/** A piece, or a list of ideas, as it is kept in a tile. */
export const savedGeneration = (generation: Generation): string =>
  joined([...textsOf(generation), savedSources(generation.citations ?? [])]);

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
const headOf = (question: string): string => `**${question.trim()}**`;

const textsOf = ({ output, ideas }: Generation): readonly string[] => [
  output?.text ?? "",
  ...(ideas ?? []).map(
    ({ title, hook, angle, rationale }) => `## ${title}\n${[hook, angle, rationale].filter((part) => part !== "").join("\n\n")}`,
  ),
];

const UNSUPPORTED = / ?\[unsupported\]/g;
const NUMBERS = / ?\[(\d{1,2}(?:, ?\d{1,2}){0,9})\]/g;

const EMPTY_LINE = /^\s*(?:[-*+•]|\d{1,2}[.)])?[\s,;]*$/;
/** A heading such as "Sources" with nothing below it: a model had put numbers alone there, or it was quoted from a saved answer. */
const CLOSING_HEAD = /\n[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*|__)?(?:sources?|citations?|references?|quotes?)[ \t]*:?(?:\*\*|__)?[\s:,;]*$/i;

/** A model's answer without the numbers of its citations and without what is put behind a sentence that has none. */
function withoutMarkers(answer: string, citations: number): string {
  const isCitation = (number: string): boolean => Number(number) >= 1 && Number(number) <= citations;
  return answer
    .split("\n")
    .flatMap((line) => {
      const rest = line
        .replace(UNSUPPORTED, "")
        .replace(NUMBERS, (marker, numbers: string) => (numbers.split(",").every(isCitation) ? "" : marker));
      // A line that held nothing but numbers of citations.
      return rest !== line && EMPTY_LINE.test(rest) ? [] : [rest];
    })
    .join("\n");
}

function sourcesOf(citations: readonly Citation[]): string {
  if (citations.length === 0) return "";
  return ["Sources", ...citations.map((citation, index) => `${index + 1}. ${sourceOf(citation)}`)].join("\n");
}

function savedSources(citations: readonly Citation[]): string {
  if (citations.length === 0) return "";
  return ["**Sources**", citations.map((citation) => `- ${sourceOf(citation)}`).join("\n")].join("\n\n");
}

function sourceOf({ title, quote, sourceUrl, seconds }: Citation): string {
  const at = seconds === undefined ? "" : `, at ${durationOf(seconds)}`;
  return `${title}${at}: “${wordsOf(quote)}”${sourceUrl === null ? "" : ` ${sourceUrl}`}`;
}
