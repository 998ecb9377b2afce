import type { Span } from "../../text/spans.ts";
import { isDelimiter, isInsideCode, type Line, splitLines } from "./lines.ts";

/**
 * A part of a text that is read as a whole: a table, a list, code, or a paragraph below a line that announces it (a term, or words that
 * end with a colon). Offsets are those of the text.
 */
export type Block = Span & {
  readonly kind: "table" | "list" | "code" | "paragraph";
  /** What says what the items are: the head of a table, the line above a list; empty if there is none. */
  readonly head: Span;
  /** The rows of a table, the items of a list; all the rest otherwise. */
  readonly items: readonly Span[];
};

/** Text before and after the range that is searched for the rest of its blocks, in UTF-16 code units. */
const MAX_LENGTH_BEFORE = 25_000;
const MAX_LENGTH_AFTER = 4_000;
/** A longer line is a sentence, not a term. */
const MAX_LABEL_LENGTH = 80;
const COLON_END = /[:：]\s*$/;
const SENTENCE_END = /[.!?…。！？,;]["'”’»)]*\s*$/;
/** The end of an earlier sentence in the line that announces a block. */
const LAST_SENTENCE = /^.*[.!?…]["'”’»)]*\s+|^.*[。！？]/s;

/** Finds the blocks of a text that overlap a range, in order, as far as they are near it. */
export function findBlocks(text: string, { start, end }: Span): Block[] {
  const from = start <= MAX_LENGTH_BEFORE ? 0 : text.indexOf("\n", start - MAX_LENGTH_BEFORE) + 1;
  const lines = splitLines(text, from, Math.min(text.length, end + MAX_LENGTH_AFTER));
  const blocks: Block[] = [];
  let at = 0;
  if (isInsideCode(text, from)) at = closeFence(lines, -1) + 1;
  while (at < lines.length) {
    const { kind } = lines[at] as Line;
    const next =
      kind === "fence"
        ? readCode(text, lines, at)
        : kind === "row"
          ? readTable(text, lines, at)
          : kind === "item"
            ? readList(text, lines, at)
            : readAnnounced(text, lines, at);
    if (next.block !== null && next.block.end > start && next.block.start < end) blocks.push(next.block);
    at = next.at;
  }
  return blocks;
}

/** A block, if any, and the index of the line below it. */
type Reading = { readonly block: Block | null; readonly at: number };

const toBlock = (kind: Block["kind"], head: Span, items: readonly Span[]): Block => ({
  kind,
  head,
  items,
  start: head.start,
  end: items.at(-1)?.end ?? head.end,
});

const closeFence = (lines: readonly Line[], opened: number): number => {
  const closed = lines.findIndex(({ kind }, at) => at > opened && kind === "fence");
  return closed < 0 ? lines.length - 1 : closed;
};

function readCode(text: string, lines: readonly Line[], at: number): Reading {
  const last = closeFence(lines, at);
  const code = { start: (lines[at] as Line).start, end: (lines[last] as Line).end };
  return { block: toBlock("code", findLead(text, lines, at) ?? emptyAt(code), [code]), at: last + 1 };
}

function readTable(text: string, lines: readonly Line[], at: number): Reading {
  let last = at;
  while (lines[last + 1]?.kind === "row") last++;
  const rows = lines.slice(at, last + 1);
  const isHeaded = rows[1] !== undefined && isDelimiter(text.slice(rows[1].start, rows[1].end));
  const first = rows[0] as Line;
  const lead = findLead(text, lines, at);
  // A heading is no part of a table, but a line that ends with a colon is.
  const start = lead !== null && COLON_END.test(text.slice(lead.start, lead.end)) ? lead.start : first.start;
  const head = isHeaded ? { start, end: (rows[1] as Line).end } : emptyAt(first);
  return { block: toBlock("table", head, isHeaded ? rows.slice(2) : rows), at: last + 1 };
}

function readList(text: string, lines: readonly Line[], at: number): Reading {
  const items: Span[] = [];
  let next = at;
  for (;;) {
    const line = lines[next];
    const isContinued = line?.kind === "indented" || (line?.kind === "text" && lines[next - 1]?.kind !== "blank");
    if (line?.kind === "item") items.push(line);
    else if (isContinued) items.push({ start: (items.pop() as Span).start, end: (line as Line).end });
    // Items may be separated by empty lines.
    else if (!(line?.kind === "blank" && (lines[next + 1]?.kind === "item" || lines[next + 1]?.kind === "indented"))) break;
    next++;
  }
  return { block: toBlock("list", findLead(text, lines, at) ?? emptyAt(items[0] as Span), items), at: next };
}

/** Reads a paragraph below a line that announces it, or the lines right below one that ends with a colon, which are a list. */
function readAnnounced(text: string, lines: readonly Line[], at: number): Reading {
  const lead = isLead(text, lines, at) ? cutLead(text, lines[at] as Line) : null;
  if (lead === null || (lines[at] as Line).kind === "heading") return { block: null, at: at + 1 };
  const isAdjacent = lines[at + 1]?.kind === "text";
  const first = isAdjacent ? at + 1 : at + 2;
  if (lines[first]?.kind !== "text" || (!isAdjacent && lines[at + 1]?.kind !== "blank")) return { block: null, at: at + 1 };
  let last = first;
  while (lines[last + 1]?.kind === "text") last++;
  const items = isAdjacent ? lines.slice(first, last + 1) : [{ start: (lines[first] as Line).start, end: (lines[last] as Line).end }];
  // The paragraph may end with words that announce the next block. A short one, such as "23:00", is a definition.
  const isLeadAgain = COLON_END.test(text.slice((lines[last] as Line).start, (lines[last] as Line).end));
  return { block: toBlock(isAdjacent ? "list" : "paragraph", lead, items), at: isLeadAgain ? last : last + 1 };
}

/** Returns the words above the block at a line that announce it, without earlier sentences of their paragraph. */
function findLead(text: string, lines: readonly Line[], at: number): Span | null {
  let above = at - 1;
  while (lines[above]?.kind === "blank") above--;
  const line = lines[above];
  if (line === undefined || at - above > 3 || !isLead(text, lines, above)) return null;
  return cutLead(text, line);
}

/** Whether a line announces what follows: a heading, words with a colon at the end, or a short line without punctuation. */
function isLead(text: string, lines: readonly Line[], at: number): boolean {
  const line = lines[at] as Line;
  if (line.kind === "heading") return true;
  if (line.kind !== "text") return false;
  const words = text.slice(line.start, line.end);
  if (COLON_END.test(words)) return true;
  const isAlone = (lines[at - 1]?.kind ?? "blank") !== "text";
  const next = lines[at + 1]?.kind;
  return isAlone && (next === "blank" || next === "item") && words.length <= MAX_LABEL_LENGTH && !SENTENCE_END.test(words);
}

function cutLead(text: string, line: Span): Span {
  const words = text.slice(line.start, line.end).trimEnd();
  const [before = ""] = LAST_SENTENCE.exec(words) ?? [];
  return { start: line.start + before.length, end: line.start + words.length };
}

const emptyAt = ({ start }: Span): Span => ({ start, end: start });
