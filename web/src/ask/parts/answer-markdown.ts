import type { Answer, Citation, Generation } from "@tessera-board/sdk";
import { stripMarkdown } from "../../text/strip-markdown.ts";
import { formatDuration } from "../../ui/time/format-time.ts";

type AnswerParts = Pick<Answer, "answer" | "citations" | "mode">;

/** Formats an answer with numbered sources as Markdown, for copying. */
export function formatAnswer(question: string, { answer, citations, mode }: AnswerParts): string {
  const text = mode === "model" ? answer.replace(UNSUPPORTED, "") : answer;
  return joinParagraphs([formatQuestion(question), text, formatSources(citations)]);
}

/** Formats an answer for saving as a tile, without citation markers, which would have no target there. */
export function formatSavedAnswer(question: string, { answer, citations, mode }: AnswerParts): string {
  // Without a model, a number in brackets is text of a tile.
  const text = mode === "model" ? withoutMarkers(answer, citations.length) : answer;
  return joinParagraphs([formatQuestion(question), text.trim().replace(CLOSING_HEAD, "").trim(), formatSavedSources(citations)]);
}

/** Formats a draft or ideas with numbered sources as Markdown, for copying. */
export const formatGeneration = (generation: Generation): string =>
  joinParagraphs([...getTexts(generation), formatSources(generation.citations ?? [])]);

/** Formats a draft or ideas for saving as a tile. */
export const formatSavedGeneration = (generation: Generation): string =>
  joinParagraphs([...getTexts(generation), formatSavedSources(generation.citations ?? [])]);

const joinParagraphs = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
const formatQuestion = (question: string): string => `**${question.trim()}**`;

const getTexts = ({ output, ideas }: Generation): readonly string[] => [
  output?.text ?? "",
  ...(ideas ?? []).map(
    ({ title, hook, angle, rationale }) => `## ${title}\n${[hook, angle, rationale].filter((part) => part !== "").join("\n\n")}`,
  ),
];

const UNSUPPORTED = / ?\[unsupported\]/g;
const NUMBERS = / ?\[(\d{1,2}(?:, ?\d{1,2}){0,9})\]/g;

const EMPTY_LINE = /^\s*(?:[-*+•]|\d{1,2}[.)])?[\s,;]*$/;
/** A heading such as "Sources" with nothing below it: the model wrote only numbers there, or quoted it from a saved answer. */
const CLOSING_HEAD = /\n[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*|__)?(?:sources?|citations?|references?|quotes?)[ \t]*:?(?:\*\*|__)?[\s:,;]*$/i;

/** The answer of a model without citation markers and without marks of unsupported sentences. */
function withoutMarkers(answer: string, citations: number): string {
  const isCitation = (number: string): boolean => Number(number) >= 1 && Number(number) <= citations;
  return answer
    .split("\n")
    .flatMap((line) => {
      const rest = line
        .replace(UNSUPPORTED, "")
        .replace(NUMBERS, (marker, numbers: string) => (numbers.split(",").every(isCitation) ? "" : marker));
      // Drop lines that contained nothing but markers.
      return rest !== line && EMPTY_LINE.test(rest) ? [] : [rest];
    })
    .join("\n");
}

function formatSources(citations: readonly Citation[]): string {
  if (citations.length === 0) return "";
  return ["Sources", ...citations.map((citation, index) => `${index + 1}. ${formatSource(citation)}`)].join("\n");
}

function formatSavedSources(citations: readonly Citation[]): string {
  if (citations.length === 0) return "";
  return ["**Sources**", citations.map((citation) => `- ${formatSource(citation)}`).join("\n")].join("\n\n");
}

function formatSource({ title, quote, sourceUrl, seconds }: Citation): string {
  const at = seconds === undefined ? "" : `, at ${formatDuration(seconds)}`;
  return `${title}${at}: “${stripMarkdown(quote)}”${sourceUrl === null ? "" : ` ${sourceUrl}`}`;
}
