import { htmlToText } from "../../read/markup/html-text.ts";
import { isObject, type Json, toList } from "./json.ts";
import { writePostHead } from "../text.ts";
import { getTypes } from "./linked-data.ts";

const MARKUP = /<[a-z/!]|&(?:#\w{1,8}|\w{2,8});/i;
/** Contributions of readers, which have an author and a time. */
const POST = /\b(?:DiscussionForumPosting|SocialMediaPosting|Question|Answer|Comment|\w*Review)\b/;
const POST_PARENT = /\b(?:DiscussionForumPosting|SocialMediaPosting|Question|Answer|Comment|Product|ProductGroup)\b/;
const REPLIES = ["comment", "acceptedAnswer", "suggestedAnswer", "review"];
/** The properties with the text of a node, best first. */
const TEXT = ["text", "articleBody", "reviewBody", "description"];
/** Properties that are written as lines with a label. */
const FACTS: Readonly<Record<string, string>> = {
  brand: "Brand",
  offers: "Price",
  aggregateRating: "Rating",
  reviewRating: "Rating",
  material: "Material",
  color: "Colour",
  startDate: "Start",
  endDate: "End",
  location: "Place",
  hiringOrganization: "Employer",
  jobLocation: "Place",
  employmentType: "Employment",
  baseSalary: "Salary",
  validThrough: "Valid through",
  recipeYield: "Yield",
};
/** The properties of a value that tell it, in the order of writing. */
const VALUE_PARTS =
  "name streetAddress postalCode addressLocality addressRegion addressCountry address ratingValue price lowPrice highPrice minValue maxValue value priceCurrency currency unitText";
const VALUE_KEYS = VALUE_PARTS.split(" ");

const MAX_LENGTH = 1_000_000;
/** Lists in deeper lists are not indented again: each level would write all lines inside once more. */
const MAX_INDENTED = 3;
const MAX_NODES = 5_000;
const MAX_DEPTH = 50;
const MAX_VALUES = 20;

/**
 * Writes nodes of linked data as Markdown, within limits for all of them: a thread post by post, each after a line with its author and
 * day; products, events, jobs and recipes with what is known of them; lists item by item. Strings are text, without their markup.
 */
export class Describer {
  readonly #written = new Set<unknown>();
  #length = 0;
  #nodes = 0;

  /** Describes a node that a page is about. Its title is the page's. */
  describe(node: Json): string {
    return this.#describe(node, 0).join("\n\n");
  }

  /** Returns the blocks of a node, and of those that belong to it. */
  #describe(node: Json, depth: number): string[] {
    if (depth > MAX_DEPTH || this.#written.has(node) || ++this.#nodes > MAX_NODES) return [];
    this.#written.add(node);
    const types = getTypes(node);
    if (/\bListItem\b/.test(types) && isObject(node["item"])) return this.#describe({ name: node["name"], ...node["item"] }, depth);
    const isPost = POST.test(types);
    const title = depth > 0 ? this.#readLine(node["name"] ?? node["headline"]) : "";
    const text = this.#readText(TEXT.map((key) => node[key]).find((value) => typeof value === "string" && value.trim() !== ""));
    // An accepted answer is often among the others too.
    if (isPost && text !== "" && this.#written.has(text)) return [];
    if (isPost) this.#written.add(text);
    const head = isPost ? [this.#readLine(node["author"]), this.#readLine(node["datePublished"] ?? node["dateCreated"]).slice(0, 10)] : [];
    const blocks = [
      writePostHead(head),
      title !== "" && isPost ? `### ${title}` : title,
      /Article|BlogPosting|WebPage/.test(types) && typeof node["articleBody"] !== "string" ? "" : text,
      this.#listFacts(node),
      ...this.#describeSteps(node),
      this.#describeItems(node, depth),
    ];
    const inner = [...(/FAQPage/.test(types) ? ["mainEntity"] : []), ...(POST_PARENT.test(types) ? REPLIES : [])];
    for (const child of inner.flatMap((key) => toList(node[key]))) if (isObject(child)) blocks.push(...this.#describe(child, depth + 1));
    return blocks.filter((block) => block !== "");
  }

  #listFacts(node: Json): string {
    const facts = Object.entries(FACTS).map(([key, label]) => [label, this.#readLine(node[key])] as const);
    const others = toList(node["additionalProperty"])
      .slice(0, MAX_VALUES)
      .filter(isObject)
      .map((one) => [this.#readLine(one["name"]), this.#readLine(one["value"])] as const);
    return [...facts, ...others]
      .filter(([label, value]) => label !== "" && value !== "")
      .map(([label, value]) => `- ${label}: ${value}`)
      .join("\n");
  }

  #describeSteps(node: Json): string[] {
    const readAll = (value: unknown): string[] =>
      toList(value)
        .flatMap((one) => (isObject(one) && one["itemListElement"] ? toList(one["itemListElement"]) : [one]))
        .map((one) => this.#readText(isObject(one) ? (one["text"] ?? one["name"]) : one))
        .filter((line) => line !== "");
    const ingredients = readAll(node["recipeIngredient"]).map((line) => `- ${line}`);
    const steps = readAll(node["recipeInstructions"]);
    return [ingredients.join("\n"), steps.length === 1 ? (steps[0] ?? "") : steps.map((line, at) => `${at + 1}. ${line}`).join("\n")];
  }

  #describeItems(node: Json, depth: number): string {
    return toList(node["itemListElement"])
      .filter(isObject)
      .map((item) => this.#describe(item, depth + 1).join("\n"))
      .filter((item) => item !== "")
      .map((item) => `- ${depth < MAX_INDENTED ? item.replaceAll("\n", "\n  ") : item}`)
      .join("\n");
  }

  /** Returns the text of a string or number; nothing for other values, or if the limit is reached. */
  #readText(value: unknown): string {
    if (typeof value !== "string" && typeof value !== "number") return "";
    const source = String(value).slice(0, MAX_LENGTH - this.#length);
    this.#length += source.length;
    return MARKUP.test(source) ? htmlToText(source) : source.replace(/[^\S\n]+/g, " ").trim();
  }

  /** Returns a value as one line: a string, the parts of an object that tell it, or several of these. */
  #readLine(value: unknown, depth = 0): string {
    const lines = toList(value)
      .slice(0, MAX_VALUES)
      .map((one) =>
        isObject(one) && depth < 3
          ? VALUE_KEYS.map((key) => this.#readLine(one[key], depth + 1))
              .filter((part) => part !== "")
              .join(" ")
          : this.#readText(one).replace(/\s+/g, " "),
      );
    return [...new Set(lines.filter((line) => line !== ""))].join(", ");
  }
}
