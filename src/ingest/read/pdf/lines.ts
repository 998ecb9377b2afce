import { getValue, getArray, getNumber } from "../json-access.ts";

/** A line of a page: its words, the size of its letters, and where it stands, in points from the bottom left. */
export type Line = {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
};

type Piece = {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly ends: boolean;
};

/** Most pieces of one page; drawings with every letter by itself have more. */
const MAX_PIECES = 60_000;

function pieceOf(item: unknown): Piece | null {
  const text = getValue(item, "str");
  if (typeof text !== "string") return null;
  const [a, b, c, d, x, y] = [0, 1, 2, 3, 4, 5].map((place) => getNumber(item, "transform", place) ?? 0) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Letters that stand on their side have their size in the other half of the matrix (ISO 32000-2, 9.4.4).
  const size = Math.hypot(c, d) || Math.hypot(a, b);
  return { text, size, x, y, width: getNumber(item, "width") ?? 0, ends: getValue(item, "hasEOL") === true };
}

/** The pieces of a page's text content as lines, in the order in which the page draws them. */
export function linesOf(content: unknown): Line[] {
  const lines: Line[] = [];
  let parts: Piece[] = [];
  const endLine = (): void => {
    const text = joinPieces(parts);
    const first = parts.find((piece) => piece.text.trim() !== "");
    const last = parts.at(-1);
    if (text !== "" && first !== undefined && last !== undefined) {
      const size = parts.reduce((most, piece) => (piece.text.trim() === "" ? most : Math.max(most, piece.size)), 0);
      lines.push({ text, size: Math.round(size * 10) / 10, x: first.x, y: first.y, width: Math.max(0, last.x + last.width - first.x) });
    }
    parts = [];
  };
  for (const item of getArray(content, "items").slice(0, MAX_PIECES)) {
    const piece = pieceOf(item);
    if (piece === null) continue;
    const before = parts.at(-1);
    if (before !== undefined && piece.text.trim() !== "" && Math.abs(piece.y - before.y) > Math.max(2, before.size * 0.7)) endLine();
    parts.push(piece);
    if (piece.ends) endLine();
  }
  endLine();
  return lines;
}

/** Pieces beside each other; a gap wider than a fifth of a letter's height is a space that was not written. */
function joinPieces(parts: readonly Piece[]): string {
  let text = "";
  let end: number | null = null;
  for (const piece of parts) {
    const gap = end === null ? 0 : piece.x - end;
    if (text !== "" && gap > piece.size * 0.2 && !/\s$/.test(text) && !/^\s/.test(piece.text)) text += " ";
    text += piece.text;
    if (piece.text !== "") end = piece.x + piece.width;
  }
  // The dots that lead to a page's number in a table of contents say nothing.
  return text
    .replace(/\s+/g, " ")
    .replace(/(?: ?\.){5,} ?/g, " … ")
    .trim();
}
