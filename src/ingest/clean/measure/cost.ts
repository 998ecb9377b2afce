/** What a page's tree costs to read, in figures that can be told without building it. */
export type Cost = {
  /** Runs of text and comments, as parsing a page written out again tells them: each character that must be escaped ends one. */
  readonly pieces: number;
  readonly attributes: number;
  /** The squares of the depths of all elements and pieces: Readability looks, for each element, at all text of all that is inside it. */
  readonly nesting: number;
  /** Characters of text times their depth: the text of an element is copied for each one around it. */
  readonly copied: number;
};

/** Limits within which every shape of page that is known takes at most about two seconds. Ordinary pages stay below half of each. */
const MAX_COST: Cost = { pieces: 60_000, attributes: 60_000, nesting: 15_000_000, copied: 40_000_000 };

export const isAffordable = (cost: Cost): boolean =>
  cost.pieces <= MAX_COST.pieces &&
  cost.attributes <= MAX_COST.attributes &&
  cost.nesting <= MAX_COST.nesting &&
  cost.copied <= MAX_COST.copied;

/** What they hold is one piece, and gone before the article is looked for. */
const RAW = new Set(["script", "style"]);
const MARKS = ["&", "<", ">", "\u00a0"];

function countMarks(text: string): number {
  let marks = 0;
  for (const mark of MARKS) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) marks++;
  }
  return marks;
}

/** Adds up the cost of a page in the course of one pass; `depth` is that of the element, and inside it for text and comments. */
export class CostMeter {
  readonly #cost = { pieces: 0, attributes: 0, nesting: 0, copied: 0 };
  #raw = 0;

  get cost(): Cost {
    return { ...this.#cost };
  }

  open(name: string, depth: number, attributes: number): void {
    this.#cost.attributes += attributes;
    this.#cost.nesting += depth ** 2;
    if (RAW.has(name)) this.#raw++;
  }

  close(name: string): void {
    if (RAW.has(name)) this.#raw = Math.max(0, this.#raw - 1);
  }

  text(text: string, depth: number): void {
    if (this.#raw > 0) return;
    this.#addPieces(1 + countMarks(text), depth);
    this.#cost.copied += text.length * depth;
  }

  comment(depth: number): void {
    this.#addPieces(1, depth);
  }

  /** Forgets which elements are open. */
  restart(): void {
    this.#raw = 0;
  }

  #addPieces(count: number, depth: number): void {
    this.#cost.pieces += count;
    this.#cost.nesting += count * depth ** 2;
  }
}
