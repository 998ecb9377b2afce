/** What a page's tree costs to read, in figures that can be told without building it. */
export type Cost = {
  /** Runs of text and comments, as parsing a page written out again tells them: each character that must be escaped ends one. */
  readonly pieces: number;
  readonly attributes: number;
  /** The squares of the depths of all elements and pieces: Readability looks, for each element, at all text of all that is inside it. */
  readonly nesting: number;
  /** Characters of text times their depth: the text of an element is copied for each one around it. */
  readonly copied: number;
  /** For each parent of list items, its items times the elements inside it, since each item is judged by its whole list. */
  readonly listing: number;
};

/** Limits within which every shape of page that is known takes at most about two seconds. Ordinary pages stay below half of each. */
const MAX_COST: Cost = { pieces: 60_000, attributes: 60_000, nesting: 15_000_000, copied: 40_000_000, listing: 2_000_000 };

export const isAffordable = (cost: Cost): boolean =>
  cost.pieces <= MAX_COST.pieces &&
  cost.attributes <= MAX_COST.attributes &&
  cost.nesting <= MAX_COST.nesting &&
  cost.copied <= MAX_COST.copied &&
  cost.listing <= MAX_COST.listing;

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
  readonly #cost = { pieces: 0, attributes: 0, nesting: 0, copied: 0, listing: 0 };
  /** Of each open element, by its depth: its list items, and how many elements came before what is inside it. */
  readonly #items: number[] = [0];
  readonly #before: number[] = [0];
  #elements = 0;
  #raw = 0;

  /** Of a fragment, the items that stand in no element are a list as well. */
  get cost(): Cost {
    return { ...this.#cost, listing: this.#cost.listing + (this.#items[0] ?? 0) * this.#elements };
  }

  open(name: string, depth: number, attributes: number): void {
    this.#elements++;
    this.#cost.attributes += attributes;
    this.#cost.nesting += depth ** 2;
    if (name === "li") this.#items[depth - 1] = (this.#items[depth - 1] ?? 0) + 1;
    this.#items[depth] = 0;
    this.#before[depth] = this.#elements;
    if (RAW.has(name)) this.#raw++;
  }

  close(name: string, depth: number): void {
    this.#cost.listing += (this.#items[depth] ?? 0) * (this.#elements - (this.#before[depth] ?? 0));
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
