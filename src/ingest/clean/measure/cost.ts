/** Estimates of the time and memory that building and reading a page's DOM tree takes, computed without building it. */
export type Cost = {
  /** Text nodes and comments after serialising and parsing the page again; each character that must be escaped starts a new one. */
  readonly nodes: number;
  readonly attributes: number;
  /** Sum of the squared depths of all elements and nodes: rules read the text of all descendants of an element. */
  readonly nesting: number;
  /** Sum of text lengths times depth: the text of an element is copied once for each of its ancestors. */
  readonly copiedLength: number;
  /** Bytes of the heap, at most. */
  readonly memory: number;
};

/** Bytes that the tree and the descriptions of its blocks take for each element, attribute and node, and each character of these. */
const BYTES = { element: 1_700, attribute: 450, node: 300, valueLength: 5, textLength: 4 };

/** Within these limits all known kinds of pages take at most about two seconds. Ordinary pages stay below half of each limit. */
const MAX_COST: Cost = { nodes: 60_000, attributes: 60_000, nesting: 15_000_000, copiedLength: 40_000_000, memory: 54_000_000 };

export const isAffordable = (cost: Cost): boolean =>
  cost.nodes <= MAX_COST.nodes &&
  cost.attributes <= MAX_COST.attributes &&
  cost.nesting <= MAX_COST.nesting &&
  cost.copiedLength <= MAX_COST.copiedLength &&
  cost.memory <= MAX_COST.memory;

/** Elements whose text is a single node. They are removed before the article is selected. */
const RAW_TEXT_ELEMENTS = new Set(["script", "style"]);
const ESCAPED_CHARACTERS = ["&", "<", ">", "\u00a0"];

function countEscapes(text: string): number {
  let count = 0;
  for (const character of ESCAPED_CHARACTERS) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  }
  return count;
}

/** Sums up the cost of a page during a pass. `depth` is the depth of the element, or of the parent of a text or comment. */
export class CostMeter {
  readonly #cost = { nodes: 0, attributes: 0, nesting: 0, copiedLength: 0, memory: 0 };
  #rawDepth = 0;

  get cost(): Cost {
    return { ...this.#cost };
  }

  open(name: string, depth: number, attributes: Readonly<Record<string, string>>): void {
    const values = Object.values(attributes);
    this.#cost.attributes += values.length;
    this.#cost.memory += BYTES.element + BYTES.attribute * values.length;
    for (const value of values) this.#cost.memory += BYTES.valueLength * value.length;
    this.#cost.nesting += depth ** 2;
    if (RAW_TEXT_ELEMENTS.has(name)) this.#rawDepth++;
  }

  close(name: string): void {
    if (RAW_TEXT_ELEMENTS.has(name)) this.#rawDepth = Math.max(0, this.#rawDepth - 1);
  }

  text(text: string, depth: number): void {
    if (this.#rawDepth > 0) return;
    this.#addNodes(1 + countEscapes(text), depth);
    this.#cost.copiedLength += text.length * depth;
    this.#cost.memory += BYTES.textLength * text.length;
  }

  comment(depth: number): void {
    this.#addNodes(1, depth);
  }

  /** Resets the open elements. */
  restart(): void {
    this.#rawDepth = 0;
  }

  #addNodes(count: number, depth: number): void {
    this.#cost.nodes += count;
    this.#cost.memory += BYTES.node * count;
    this.#cost.nesting += count * depth ** 2;
  }
}
