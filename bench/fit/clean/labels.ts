import { getText, parsePage } from "#ingest/clean/dom.ts";
import { type OutlineBlock, outlinePage } from "#ingest/clean/model/outline.ts";
import { normaliseText } from "#ingest/clean/text.ts";
import type { StructurePage } from "../../quality/structure/pages.ts";
import { alignWords, splitWords } from "./align.ts";

/** For each block the share of its words that are content; null if that is not known. */
export type Labels = readonly (number | null)[];

/** Shorter texts are found everywhere. */
const MIN_PART_LENGTH = 12;
/** A reference with fewer words, or less of which is in the page, is taken as wrong: the page needs scripts, or another one was annotated. */
const MIN_REFERENCE_WORDS = 15;
const MIN_FOUND = 0.35;

/** Labels the blocks of a composed page: those of its content, and those of its layout. Its titles stay unknown. */
export function labelByContent(blocks: readonly OutlineBlock[], { content, boilerplate }: StructurePage): Labels {
  const { body } = parsePage(`<html><body>${content.html}</body></html>`);
  const parts = new Set(outlinePage(body).outline.blocks.map(({ text }) => normaliseText(text)));
  const whole = normaliseText(getText(body));
  const pieces = boilerplate.map(normaliseText).filter((piece) => piece !== "");
  const names = [content.title, content.section].map(normaliseText);
  return blocks.map(({ text }) => {
    const letters = normaliseText(text);
    if (names.includes(letters)) return null;
    if (parts.has(letters) || (letters.length >= MIN_PART_LENGTH && whole.includes(letters))) return 1;
    return pieces.some((piece) => letters.includes(piece) || piece.includes(letters)) ? 0 : null;
  });
}

/** Labels blocks by the words that they share with the whole content. */
export function labelByTruth(blocks: readonly OutlineBlock[], truth: string): Labels {
  const words = blocks.map(({ text }) => splitWords(text));
  const expected = splitWords(truth);
  const aligned = alignWords(words.flat(), expected);
  let [from, found] = [0, 0];
  const labels = words.map(({ length }) => {
    const count = aligned.subarray(from, from + length).reduce((sum, one) => sum + one, 0);
    from += length;
    found += count;
    return length === 0 ? 0 : count / length;
  });
  const isRight = expected.length >= MIN_REFERENCE_WORDS && found >= expected.length * MIN_FOUND;
  return isRight ? labels : labels.map(() => null);
}

/** Labels the blocks that contain, or are part of, known content or known other text. */
export function labelByParts(blocks: readonly OutlineBlock[], wanted: readonly string[], unwanted: readonly string[]): Labels {
  const [isWanted, isUnwanted] = [createMatcher(wanted), createMatcher(unwanted)];
  return blocks.map(({ text }) => (isWanted(text) ? 1 : isUnwanted(text) ? 0 : null));
}

/** Returns whether a text contains one of the parts, or is a part of one. Short parts must be whole words of it. */
function createMatcher(parts: readonly string[]): (text: string) => boolean {
  const letters = parts.map(normaliseText);
  const long = letters.filter(({ length }) => length >= MIN_PART_LENGTH);
  const isShort = (part: string): boolean => part !== "" && part.length < MIN_PART_LENGTH;
  const equal = new Set(letters.filter(isShort));
  const short = parts.filter((_, at) => isShort(letters[at] as string)).map(spaceWords);
  return (text) => {
    const own = normaliseText(text);
    if (equal.has(own)) return true;
    if (long.some((part) => own.includes(part) || (own.length >= MIN_PART_LENGTH && part.includes(own)))) return true;
    const words = spaceWords(text);
    return short.some((part) => words.includes(part));
  };
}

const spaceWords = (text: string): string => ` ${splitWords(text).join(" ")} `;
