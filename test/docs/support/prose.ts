import { withoutCode } from "./pages.ts";

/** Longer ones are hard to read. */
const MAX_SENTENCE_WORDS = 30;
const MAX_PARAGRAPH_LINES = 8;
/** Characters of a line on the rendered page. */
const LINE_LENGTH = 120;

const LIST_ITEM = /^\s*(?:[-*]|\d+\.)\s+/;

/** Paragraphs, list items, headings and table cells as plain text. */
function splitParagraphs(text: string): readonly string[] {
  const blocks = withoutCode(text)
    .split("\n")
    .map((line) => (LIST_ITEM.test(line) || line.startsWith("#") || line.startsWith("|") ? `\n\n${line.replace(LIST_ITEM, "")}` : line))
    .join("\n")
    .split(/\n\s*\n/);
  return blocks
    .flatMap((block) => (block.trimStart().startsWith("|") ? block.split(/(?<!\\)\|/) : [block]))
    .map(plainText)
    .filter((block) => block !== "");
}

const plainText = (block: string): string =>
  block
    .replace(/`[^`]*`/g, "code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_#>]+/g, "")
    .replace(/\s+/g, " ")
    .trim();

const splitSentences = (paragraph: string): readonly string[] => paragraph.split(/(?<=[.!?])["”)]?\s+/);

const countWords = (sentence: string): number => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The sentences and paragraphs of a page that exceed the limits. */
export function findLongProse(text: string): readonly string[] {
  return splitParagraphs(text).flatMap((paragraph) => [
    ...(paragraph.length > MAX_PARAGRAPH_LINES * LINE_LENGTH
      ? [`paragraph of ${paragraph.length} characters: ${paragraph.slice(0, 80)}`]
      : []),
    ...splitSentences(paragraph)
      .filter((sentence) => countWords(sentence) > MAX_SENTENCE_WORDS)
      .map((sentence) => `sentence of ${countWords(sentence)} words: ${sentence.slice(0, 80)}`),
  ]);
}
