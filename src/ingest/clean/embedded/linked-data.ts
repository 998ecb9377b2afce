import { isObject, type Json, parseJson, toList } from "./json.ts";

/** Types of schema.org that describe content, and those that are read from start to end. */
const CONTENT_TYPE =
  /Article|Posting|Report|Recipe|Page|Product|Event|Movie|Book|Podcast|Video|Question|HowTo|CreativeWork|Review|Dataset|Course|ItemList/;
const ARTICLE_TYPE = /Article|Posting|Report|Recipe|Question|HowTo|Review/;
const MAX_BLOCKS = 50;
const MAX_NODES = 500;
const MAX_DEPTH = 6;
const MAX_TYPE_LENGTH = 200;
const MAX_NAMES = 10;
/** References to a node repeat its name, and each is read. */
const MAX_NAME_LENGTH = 1_000;
/** Properties that lead to the node about the content. */
const INNER = ["@graph", "mainEntity", "mainEntityOfPage"];

export const getTypes = (node: Json): string =>
  toList(node["@type"])
    .slice(0, MAX_NAMES)
    .filter((type) => typeof type === "string")
    .map((type) => type.slice(0, MAX_TYPE_LENGTH))
    .join(" ");

export const isArticle = (node: Json): boolean => ARTICLE_TYPE.test(getTypes(node));

/** The linked data (schema.org) of a page: at most 500 nodes, found by a bounded number of steps. Its values are data from outside. */
export class LinkedData {
  readonly #nodes: Json[] = [];
  readonly #namesById = new Map<string, string>();

  /** Parses blocks of JSON-LD. `nodes` are what the page says in another form. */
  constructor(blocks: readonly string[], nodes: readonly Json[] = []) {
    for (const block of blocks.slice(0, MAX_BLOCKS)) this.#visit(parseJson(block), 0);
    this.#nodes.push(...nodes);
  }

  /** The nodes about the page's content, in document order. */
  get content(): readonly Json[] {
    return this.#nodes.filter((node) => CONTENT_TYPE.test(getTypes(node)));
  }

  /** The names of people or organisations, at most ten. A reference to another node has that node's name. */
  listNames(value: unknown): readonly string[] {
    return toList(value)
      .slice(0, MAX_NAMES)
      .map((item) => findString(item, ["name"]) ?? this.#findReferredName(item))
      .filter((name) => name !== null);
  }

  #findReferredName(value: unknown): string | null {
    if (!isObject(value) || typeof value["@id"] !== "string") return null;
    return this.#namesById.get(value["@id"]) ?? null;
  }

  #visit(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const item of toList(value)) {
      if (!isObject(item) || this.#nodes.length >= MAX_NODES) continue;
      this.#nodes.push(item);
      const name = findString(item["name"], []);
      if (typeof item["@id"] === "string" && name !== null) this.#namesById.set(item["@id"], name.slice(0, MAX_NAME_LENGTH));
      // The questions of a list of frequent questions are no pages of their own.
      if (/FAQPage/.test(getTypes(item))) continue;
      for (const key of INNER) this.#visit(item[key], depth + 1);
    }
  }
}

/** Returns the first non-empty string of a value or list, or of the named properties of an object in it. */
export function findString(value: unknown, keys: readonly string[]): string | null {
  for (const item of toList(value)) {
    if (typeof item === "string" && item.trim() !== "") return item.trim();
    if (!isObject(item)) continue;
    for (const key of keys) {
      const inner = findString(item[key], []);
      if (inner !== null) return inner;
    }
  }
  return null;
}
