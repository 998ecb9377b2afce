/** An inline part of an answer: text, bold text, code, citation numbers, or the mark of an unsupported sentence. */
export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "strong"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "citations"; readonly numbers: readonly number[] }
  | { readonly kind: "unsupported" };

export type AnswerLine = readonly AnswerPart[];
export type AnswerBlock =
  | { readonly kind: "paragraph"; readonly lines: readonly AnswerLine[] }
  | { readonly kind: "heading"; readonly lines: readonly AnswerLine[] }
  /** The first row is the header. */
  | { readonly kind: "table"; readonly rows: readonly (readonly AnswerLine[])[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly first: number; readonly lines: readonly AnswerLine[] };

const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const BULLET = /^\s*[-*•]\s+(.*)$/;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^(?=.*-)[\s|:-]+$/;
const CELL_END = /(?<!\\)\|/;
const NUMBERED = /^\s*(\d{1,4})[.)]\s+(.*)$/;

/**
 * Parses the paragraphs, headings, lists and tables of an answer in light Markdown. `citations` is the number of citations; 0 if numbers
 * in brackets are plain text.
 */
export function parseAnswer(answer: string, citations: number): readonly AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  let isOpen = false;
  for (const row of answer.split("\n")) {
    if (row.trim() === "") {
      isOpen = false;
      continue;
    }
    const line = (text: string): AnswerLine => parseInline(text, citations);
    const [heading, bullet, numbered] = [HEADING.exec(row), BULLET.exec(row), NUMBERED.exec(row)];
    const last = blocks.at(-1);
    if (ROW.test(row)) {
      const isNext = isOpen && last?.kind === "table";
      if (isNext && RULE.test(row)) continue;
      const cells = splitCells(row).map(line);
      if (isNext) blocks[blocks.length - 1] = { ...last, rows: [...last.rows, cells] };
      else blocks.push({ kind: "table", rows: [cells] });
      isOpen = true;
      continue;
    }
    if (heading !== null) blocks.push({ kind: "heading", lines: [line(heading[1] ?? "")] });
    else if (bullet !== null || numbered !== null) {
      const item = line(bullet?.[1] ?? numbered?.[2] ?? "");
      const isOrdered = bullet === null;
      // A blank line between two items does not end the list.
      if (last?.kind === "list" && last.isOrdered === isOrdered) blocks[blocks.length - 1] = { ...last, lines: [...last.lines, item] };
      else blocks.push({ kind: "list", isOrdered, first: Number(numbered?.[1] ?? 1), lines: [item] });
    } else if (isOpen && last?.kind === "paragraph") blocks[blocks.length - 1] = { ...last, lines: [...last.lines, line(row)] };
    else blocks.push({ kind: "paragraph", lines: [line(row)] });
    isOpen = heading === null;
  }
  return blocks;
}

const splitCells = (row: string): string[] =>
  row
    .trim()
    .slice(1, -1)
    .split(CELL_END)
    .map((cell) => cell.replaceAll("\\|", "|").trim());

const MARKS = /\s?((?:\[\d{1,2}(?:, ?\d{1,2}){0,9}\])+)|\s?\[(unsupported)\]|\*\*([^*\n]{1,500})\*\*|`([^`\n]{1,500})`/g;

function parseInline(text: string, citations: number): AnswerLine {
  const parts: AnswerPart[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    const part = toInlinePart(match, citations);
    if (part === null) continue;
    if (match.index > from) parts.push({ kind: "text", text: text.slice(from, match.index) });
    parts.push(part);
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

function toInlinePart([, cited, unsupported, strong, code]: RegExpExecArray, citations: number): AnswerPart | null {
  if (strong !== undefined) return { kind: "strong", text: strong };
  if (code !== undefined) return { kind: "code", text: code };
  if (unsupported !== undefined) return citations > 0 ? { kind: "unsupported" } : null;
  const numbers = [...new Set((cited ?? "").match(/\d+/g)?.map(Number))];
  return numbers.every((number) => number >= 1 && number <= citations) ? { kind: "citations", numbers } : null;
}
