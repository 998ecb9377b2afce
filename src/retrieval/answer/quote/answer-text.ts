import { type Passage, readExcerpt } from "../../passage.ts";
import type { Span } from "../../text/spans.ts";
import type { Block } from "./blocks.ts";
import { MAX_QUOTE_LENGTH, type QuotedSpans } from "./quote.ts";
import { formatTableRows } from "./table-rows.ts";

/** A quote with its text, and the block of the sentence for which it was made. */
export type QuotedText = QuotedSpans & {
  readonly passage: Pick<Passage, "around">;
  readonly block: Block | null;
  readonly text: string;
};

/** Returns a quote from the first sentence that answers on, or the head of a table or list with the rows or items that do. */
export function toAnswerText(quote: QuotedText): string {
  const { passage, block, text, start, marks, head } = quote;
  const [first] = marks;
  const { around } = passage;
  if (first === undefined) return formatTableRows(text, around.text, start - around.start);
  // The items of a short list explain each other.
  const isLongList = block?.kind === "list" && block.end - block.start > MAX_QUOTE_LENGTH;
  if (block !== null && (block.kind === "table" || isLongList)) return joinItems(quote, block);
  const from = Math.max(start, head === null && block !== null ? Math.min(block.start, first.start) : first.start);
  return formatTableRows(text.slice(from - start), around.text, from - around.start);
}

/** Joins the head of a table or list, if it is in the quote, with the rows or items that are marked, and what is marked around it. */
function joinItems({ passage: { around }, start, marks }: QuotedText, { head, items }: Block): string {
  const hasMark = (item: Span): boolean => marks.some((mark) => mark.start < item.end && item.start < mark.end);
  const isInBlock = (span: Span): boolean => items.some((item) => item.start < span.end && span.start < item.end);
  const parts = [...items.filter(hasMark), ...marks.filter((mark) => !isInBlock(mark))];
  if (head.end > head.start && head.start >= start) parts.push(head);
  const readGap = (before: Span | undefined, after: Span | undefined): string =>
    before === undefined || after === undefined ? "\n" : readExcerpt(around, { start: before.end, end: after.start });
  const [headGap, itemGap] = [readGap(head, items[0]), readGap(items[0], items[1])];
  const text = parts
    .sort((a, b) => a.start - b.start)
    .map((part, at) => {
      const last = parts[at - 1];
      const gap = last === undefined ? "" : last === head ? headGap : isInBlock(last) && isInBlock(part) ? itemGap : "\n\n";
      return gap + readExcerpt(around, part);
    })
    .join("");
  return formatTableRows(text, around.text, (parts[0] as Span).start - around.start);
}
