import { normaliseText } from "../text.ts";
import { isBoilerplate, isByline, isNonContentHeading } from "../prune/boilerplate.ts";
import type { Outline, OutlineBlock, OutlineElement } from "./outline.ts";

export type PageHints = {
  readonly titles: readonly (string | null)[];
  readonly description: string | null;
  readonly ogType: string | null;
  readonly types: readonly string[];
  readonly url: string;
};

/** Log-odds that a block with a name or a word is content. */
export type Odds = (kind: "name" | "word", token: string) => number;

export const FEATURES: string[] = [];
let isListed = false;

const HEADING = /^h[1-6]$/;
const CURRENCY = /[£$€¥₹]\s?\d|\d\s?(?:[€£₹]|usd|eur|kr\b)/i;
const DATE = /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\b(?:ago|hours?|minutes?|days?)\b/i;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{N}]+/gu;
const TAGS = "p li td th dt dd pre blockquote figcaption div section article summary details caption tr address form".split(" ");
const ABOVE = "main article nav header footer aside form table ul ol dl figure section details blockquote pre address li".split(" ");
const HOPS = [0, 1, 2, 3, 5];
const CONTEXT_WORDS = 8;

const log = (value: number): number => Math.log2(1 + value);
const sum = (values: Float64Array, from: number, to: number): number => (values[to] ?? 0) - (values[from] ?? 0);

function accumulate(count: number, read: (at: number) => number): Float64Array {
  const sums = new Float64Array(count + 1);
  for (let at = 0; at < count; at++) sums[at + 1] = (sums[at] as number) + read(at);
  return sums;
}

export const listWords = (text: string): string[] => {
  const found: string[] = [];
  for (const [word] of text.slice(0, 200).toLowerCase().matchAll(WORD)) { found.push(/^\d+$/.test(word) ? "0" : word); if (found.length >= CONTEXT_WORDS) break; }
  return found;
};

/** Describes each block of a page by numbers. Returns one row for each. */
export function describeBlocks({ elements, blocks }: Outline, hints: PageHints, odds: Odds, pageValues: readonly number[] = []): Float32Array[] {
  const n = blocks.length;
  const lengths = accumulate(n, (at) => (blocks[at] as OutlineBlock).text.length);
  const linked = accumulate(n, (at) => (blocks[at] as OutlineBlock).linked);
  const sentences = accumulate(n, (at) => (isProse(blocks[at] as OutlineBlock) ? (blocks[at] as OutlineBlock).text.length : 0));
  const whole = lengths[n] || 1;
  const titles = hints.titles.map((title) => normaliseText(title ?? "")).filter((name) => name.length >= 4);
  const letters = blocks.map(({ text }) => normaliseText(text.slice(0, 400)));
  const description = normaliseText(hints.description ?? "").slice(0, 60);
  const isHeading = (block: OutlineBlock | undefined): boolean => block !== undefined && HEADING.test((elements[block.element] as OutlineElement).tag);
  // The title: an h1, or any block that is one of the page's titles.
  let titleAt = blocks.findIndex((block, at) => (elements[block.element] as OutlineElement).tag === "h1" && titles.some((t) => t.startsWith(letters[at] as string) && (letters[at] as string).length >= 4));
  if (titleAt < 0) titleAt = blocks.findIndex((block, at) => isHeading(block) && titles.some((t) => t === letters[at] || (t.startsWith(letters[at] as string) && (letters[at] as string).length >= 12)));
  const repeats = new Map<string, number>();
  for (const text of letters) repeats.set(text, (repeats.get(text) ?? 0) + 1);
  // Odds of names.
  const nameOdds = elements.map(({ names }) => names.map((name) => odds("name", name)));
  const ownName = nameOdds.map((list) => (list.length === 0 ? 0 : list.reduce((a, b) => a + b, 0) / Math.sqrt(list.length)));
  const sumName: number[] = [];
  const minName: number[] = [];
  const maxName: number[] = [];
  const above: Uint8Array[] = [];
  const role: number[] = [];
  for (const [at, { parent, tag, role: own, isHidden }] of elements.entries()) {
    const value = ownName[at] as number;
    sumName.push(value + 0.7 * (sumName[parent] ?? 0));
    const low = Math.min(0, ...(nameOdds[at] as number[]));
    const high = Math.max(0, ...(nameOdds[at] as number[]));
    minName.push(Math.min(low, minName[parent] ?? 0));
    maxName.push(Math.max(high, maxName[parent] ?? 0));
    const flags = Uint8Array.from(above[parent] ?? new Uint8Array(ABOVE.length));
    const which = ABOVE.indexOf(tag);
    if (which >= 0) flags[which] = Math.min(9, (flags[which] as number) + 1);
    above.push(flags);
    role.push(/^(?:navigation|banner|contentinfo|search|menu|menubar|toolbar|tablist|dialog|alertdialog|complementary)$/.test(own) ? -1 : own === "main" || own === "article" ? 1 : role[parent] ?? 0);
    void isHidden;
  }
  // Kinds of elements: those with the same signatures, up to three levels.
  const kind = elements.map(({ signature }, at) => { let key = signature; let up = (elements[at] as OutlineElement).parent; for (let i = 0; i < 2 && up >= 0; i++) { key += `<${(elements[up] as OutlineElement).signature}`; up = (elements[up] as OutlineElement).parent; } return key; });
  const groups = new Map<string, { count: number; length: number; linked: number; prose: number; first: number }>();
  for (const [at, block] of blocks.entries()) {
    const key = kind[block.element] as string;
    const group = groups.get(key) ?? { count: 0, length: 0, linked: 0, prose: 0, first: at };
    group.count++;
    group.length += block.text.length;
    group.linked += block.linked;
    if (isProse(block)) group.prose += block.text.length;
    groups.set(key, group);
  }
  // Cards: elements with siblings of the same signature.
  const siblings = new Map<string, number[]>();
  for (const [at, { parent, signature, from, to }] of elements.entries()) {
    if (from === to || parent < 0) continue;
    const key = `${parent} ${signature}`;
    const list = siblings.get(key);
    if (list) list.push(at);
    else siblings.set(key, [at]);
  }
  const cards: { at: number; list: readonly number[]; index: number }[] = [];
  for (const list of siblings.values()) if (list.length >= 3) for (const [index, at] of list.entries()) cards[at] = { at, list, index };
  const cardOf = elements.map(() => undefined as { at: number; list: readonly number[]; index: number } | undefined);
  const cardDepth = elements.map(() => 0);
  for (const [at, { parent }] of elements.entries()) {
    // The outermost wins below the level of the page, unless it is a layout of few large parts.
    cardOf[at] = cards[at] ?? cardOf[parent];
    cardDepth[at] = (cardDepth[parent] ?? 0) + (cards[at] ? 1 : 0);
  }
  const outerCard = elements.map(() => undefined as { at: number; list: readonly number[]; index: number } | undefined);
  for (const [at, { parent }] of elements.entries()) outerCard[at] = outerCard[parent] ?? cards[at];
  const pageLinked = (linked[n] ?? 0) / whole;
  const pageProse = (sentences[n] ?? 0) / whole;
  const pageHeadings = blocks.filter(isHeading).length;
  const pageDates = blocks.filter(({ text, inline }) => text.length < 60 && (DATE.test(text) || inline.includes("<time>"))).length;
  const pagePrices = blocks.filter(({ text }) => text.length < 60 && CURRENCY.test(text)).length;
  const pageCode = elements.filter(({ tag }) => tag === "pre").length;
  const mains = elements.filter(({ tag, role: own }) => tag === "main" || own === "main").length;
  const articles = elements.filter(({ tag }) => tag === "article").length;
  const lists = accumulate(n, (at) => ((elements[(blocks[at] as OutlineBlock).element] as OutlineElement).tag === "li" ? (blocks[at] as OutlineBlock).text.length : 0));
  const types = hints.types.join(" ").toLowerCase();
  const path = URL.parse(hints.url)?.pathname ?? "";
  const rows: Float32Array[] = [];
  let lastHeading = -1;
  for (const [at, block] of blocks.entries()) {
    if (isHeading(block)) lastHeading = at;
    const element = elements[block.element] as OutlineElement;
    const { text } = block;
    const row: number[] = [];
    const put = (name: string, value: number): void => {
      if (!isListed) FEATURES.push(name);
      row.push(value);
    };
    const words = text.split(" ").length;
    put("length", log(text.length));
    put("words", log(words));
    put("wordLength", text.length / words);
    put("linkShare", block.linked / text.length);
    put("links", block.links);
    put("end", /[.!?…。！？]["”»)’]?$/.test(text) ? 2 : /[:;,]$/.test(text) ? 1 : 0);
    put("commas", (text.match(/[,;、]/g)?.length ?? 0) / words);
    put("digits", (text.match(/\d/g)?.length ?? 0) / text.length);
    put("upper", (text.slice(0, 300).match(/\p{Lu}/gu)?.length ?? 0) / Math.min(300, text.length));
    put("starts", /^\p{Lu}/u.test(text) ? 1 : /^\p{Ll}/u.test(text) ? 2 : /^\d/.test(text) ? 3 : 0);
    put("marks", (/@/.test(text) ? 1 : 0) + (/©|all rights reserved/i.test(text) ? 2 : 0) + (/[|»›•→]/.test(text) ? 4 : 0));
    put("currency", CURRENCY.test(text) ? 1 : 0);
    put("date", text.length < 80 && DATE.test(text) ? 1 : 0);
    put("question", text.endsWith("?") ? 1 : 0);
    put("dense", DENSE.test(text) ? 1 : 0);
    put("boilerplate", isBoilerplate(text) ? 1 : 0);
    put("byline", isByline(text) ? 1 : 0);
    const wordOdds = text.length <= 200 ? listWords(text).map((word) => odds("word", word)) : [];
    put("wordOdds", wordOdds.length === 0 ? 0 : wordOdds.reduce((a, b) => a + b, 0) / Math.sqrt(wordOdds.length));
    put("wordMin", Math.min(0, ...wordOdds));
    put("wordMax", Math.max(0, ...wordOdds));
    put("repeats", repeats.get(letters[at] as string) ?? 1);
    put("isTitle", at === titleAt ? 2 : titles.some((t) => t === letters[at]) ? 1 : 0);
    put("isDescription", description.length > 20 && (letters[at] as string).startsWith(description) ? 1 : 0);
    put("fromTitle", titleAt < 0 ? -1000 : Math.sign(at - titleAt) * log(Math.abs(at - titleAt)));
    put("titleChars", titleAt < 0 ? -1000 : at >= titleAt ? log(sum(lengths, titleAt, at)) : -log(sum(lengths, at, titleAt)));
    put("index", at / n);
    put("position", (lengths[at] as number) / whole);
    put("fromEnd", log(n - at));
    put("tag", HEADING.test(element.tag) ? -Number(element.tag[1]) : TAGS.indexOf(element.tag) + 1);
    put("depth", element.depth);
    put("hidden", element.isHidden ? 1 : 0);
    put("role", role[block.element] as number);
    const flags = above[block.element] as Uint8Array;
    for (const [which, name] of ABOVE.entries()) put(`in ${name}`, flags[which] as number);
    put("ownName", ownName[block.element] as number);
    put("parentName", ownName[element.parent] ?? 0);
    put("sumName", sumName[block.element] as number);
    put("minName", minName[block.element] as number);
    put("maxName", maxName[block.element] as number);
    const inlineOdds = block.inline.map((name) => odds("name", name));
    put("inlineName", inlineOdds.length === 0 ? 0 : inlineOdds.reduce((a, b) => a + b, 0) / Math.sqrt(inlineOdds.length));
    put("inline", block.inline.length);
    // Elements around it.
    let up = block.element;
    let steps = 0;
    for (const hop of HOPS) {
      while (steps < hop && (elements[up] as OutlineElement).parent >= 0) { up = (elements[up] as OutlineElement).parent; steps++; }
      const { from, to, images } = elements[up] as OutlineElement;
      const length = sum(lengths, from, to);
      put(`up${hop} length`, log(length));
      put(`up${hop} links`, sum(linked, from, to) / Math.max(1, length));
      put(`up${hop} prose`, sum(sentences, from, to) / Math.max(1, length));
      if (hop > 0) put(`up${hop} share`, length / whole);
      put(`up${hop} blocks`, log(to - from));
      if (hop === 0 || hop === 2) put(`up${hop} images`, log(images));
    }
    // The part of the page: the outermost ancestor with less than half of the text.
    let part = block.element;
    for (let one = block.element; one >= 0; one = (elements[one] as OutlineElement).parent) {
      const { from, to } = elements[one] as OutlineElement;
      if (sum(lengths, from, to) < whole * 0.5) part = one;
      else break;
    }
    const { from: partFrom, to: partTo, depth: partDepth } = elements[part] as OutlineElement;
    const partLength = Math.max(1, sum(lengths, partFrom, partTo));
    put("part share", partLength / whole);
    put("part links", sum(linked, partFrom, partTo) / partLength);
    put("part prose", sum(sentences, partFrom, partTo) / partLength);
    put("part position", (lengths[partFrom] as number) / whole);
    put("part depth", partDepth);
    put("part lists", sum(lists, partFrom, partTo) / partLength);
    // Elements of the same kind.
    const group = groups.get(kind[block.element] as string) as { count: number; length: number; linked: number; prose: number; first: number };
    put("group count", log(group.count));
    put("group length", log(group.length / group.count));
    put("group links", group.linked / group.length);
    put("group share", group.length / whole);
    put("group prose", group.prose / group.length);
    put("group first", group.first / n);
    for (const [name, card] of [["card", cardOf[block.element]], ["outer", outerCard[block.element]]] as const) {
      if (card === undefined) {
        for (const one of ["count", "index", "length", "links", "prose", "share", "images", "position", "spread"]) put(`${name} ${one}`, -1);
        continue;
      }
      const first = elements[card.list[0] as number] as OutlineElement;
      const last = elements[card.list.at(-1) as number] as OutlineElement;
      const length = Math.max(1, sum(lengths, first.from, last.to));
      const own = elements[card.at] as OutlineElement;
      put(`${name} count`, log(card.list.length));
      put(`${name} index`, card.index / card.list.length);
      put(`${name} length`, log(length / card.list.length));
      put(`${name} links`, sum(linked, first.from, last.to) / length);
      put(`${name} prose`, sum(sentences, first.from, last.to) / length);
      put(`${name} share`, length / whole);
      put(`${name} images`, own.images);
      put(`${name} position`, (at - own.from) / Math.max(1, own.to - own.from));
      put(`${name} spread`, (last.to - first.from) / card.list.length);
    }
    put("cardDepth", cardDepth[block.element] as number);
    // Neighbours.
    for (const step of [-2, -1, 1, 2]) {
      const other = blocks[at + step];
      put(`${step} length`, other === undefined ? -1 : log(other.text.length));
      put(`${step} links`, other === undefined ? -1 : other.linked / other.text.length);
      put(`${step} heading`, isHeading(other) ? 1 : 0);
    }
    const [before, after] = [Math.max(0, at - 6), Math.min(n, at + 7)];
    put("around length", log(sum(lengths, before, after)));
    put("around links", sum(linked, before, after) / Math.max(1, sum(lengths, before, after)));
    put("around prose", sum(sentences, before, after) / Math.max(1, sum(lengths, before, after)));
    put("before prose", sum(sentences, 0, at) / Math.max(1, sentences[n] as number));
    put("after prose", sum(sentences, at + 1, n) / Math.max(1, sentences[n] as number));
    const heading = blocks[lastHeading];
    put("heading distance", heading === undefined ? -1 : log(at - lastHeading));
    put("heading level", heading === undefined ? 0 : Number((elements[heading.element] as OutlineElement).tag[1]));
    put("heading boilerplate", heading !== undefined && isNonContentHeading(heading.text) ? 1 : 0);
    const headingOdds = heading === undefined ? [] : listWords(heading.text).map((word) => odds("word", word));
    put("heading odds", headingOdds.length === 0 ? 0 : headingOdds.reduce((a, b) => a + b, 0) / Math.sqrt(headingOdds.length));
    put("heading links", heading === undefined ? 0 : heading.linked / heading.text.length);
    // The page.
    put("page blocks", log(n));
    put("page length", log(whole));
    put("page links", pageLinked);
    put("page prose", pageProse);
    put("page headings", log(pageHeadings));
    put("page dates", log(pageDates));
    put("page prices", log(pagePrices));
    put("page code", log(pageCode));
    put("page mains", mains);
    put("page articles", log(articles));
    put("page lists", (lists[n] as number) / whole);
    put("page title", titleAt < 0 ? -1 : titleAt / n);
    put("page types", (/article|blogposting|report/.test(types) ? 1 : 0) + (/product|offer/.test(types) ? 2 : 0) + (/forum|qapage|comment/.test(types) ? 4 : 0) + (/itemlist|collection/.test(types) ? 8 : 0));
    put("page path", path.split("/").filter((one) => one !== "").length);
    for (const [which, value] of pageValues.entries()) put(`page value ${which}`, value);
    isListed = true;
    rows.push(Float32Array.from(row));
  }
  return rows;
}

const isProse = ({ text, linked }: OutlineBlock): boolean => text.length >= (DENSE.test(text) ? 25 : 80) && linked < text.length * 0.5 && /[.!?…。！？]["”»)’]?$/.test(text);
