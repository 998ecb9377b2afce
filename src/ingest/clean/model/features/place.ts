import { METADATA_NAMES, NON_CONTENT_NAMES } from "../../prune/names.ts";
import { isHeadingTag, logSize, share } from "../measures.ts";
import { combineOdds } from "../odds.ts";
import type { OutlineElement } from "../outline.ts";
import { type Add, getElement, type PageFacts } from "./facts.ts";

const TAGS = "p li td th dt dd pre blockquote figcaption div section article summary details caption tr address form".split(" ");
const AROUND = "main article nav header footer aside form table ul ol dl figure section details blockquote pre address li".split(" ");
const SITE_ROLE = /^(?:navigation|banner|contentinfo|search|menu|menubar|toolbar|tablist|dialog|alertdialog|complementary)$/;
const CONTENT_ROLE = /^(?:main|article)$/;
/** Elements of one name around a block are counted up to this number. */
const MAX_AROUND = 9;
/** Names tell less with each level above a block. */
const FADING = 0.7;
const UNKNOWN = -1000;
const MIN_DESCRIPTION_LETTERS = 20;

/** What is known of an element from its names and those of the elements around it. */
type ElementOdds = { readonly own: number; readonly sum: number; readonly least: number; readonly greatest: number };

/** The place of each element of a page: names, roles, and elements around it. */
export type Places = {
  readonly odds: readonly ElementOdds[];
  readonly roles: readonly number[];
  /** How many elements around each are named as navigation, advertisements and the like, and as metadata. */
  readonly named: readonly (readonly [number, number])[];
  /** How many elements of each of the names in `AROUND` are around each, one row after another. */
  readonly around: Uint8Array;
};

export function findPlaces({ outline: { elements }, odds }: PageFacts): Places {
  const around = new Uint8Array(elements.length * AROUND.length);
  const places = { odds: [] as ElementOdds[], roles: [] as number[], named: [] as [number, number][], around };
  for (const [at, { tag, role, names, parent }] of elements.entries()) {
    const values = names.map((name) => odds("name", name));
    const above = places.odds[parent] ?? { own: 0, sum: 0, least: 0, greatest: 0 };
    const own = combineOdds(values);
    places.odds.push({
      own,
      sum: own + FADING * above.sum,
      least: Math.min(above.least, ...values),
      greatest: Math.max(above.greatest, ...values),
    });
    places.roles.push(SITE_ROLE.test(role) ? -1 : CONTENT_ROLE.test(role) ? 1 : (places.roles[parent] ?? 0));
    const [beside, metadata] = places.named[parent] ?? [0, 0];
    const count = (known: ReadonlySet<string>): number => (names.some((name) => known.has(name)) ? 1 : 0);
    places.named.push([beside + count(NON_CONTENT_NAMES), metadata + count(METADATA_NAMES)]);
    const row = at * AROUND.length;
    if (parent >= 0) around.copyWithin(row, parent * AROUND.length, (parent + 1) * AROUND.length);
    const which = AROUND.indexOf(tag);
    if (which >= 0) around[row + which] = Math.min(MAX_AROUND, (around[row + which] as number) + 1);
  }
  return places;
}

const classifyTag = ({ tag }: OutlineElement): number => (isHeadingTag(tag) ? -Number(tag[1]) : TAGS.indexOf(tag) + 1);

/** Describes where in a page a block is: its position, its elements, and what they are named. */
export function describePlace(add: Add, at: number, facts: PageFacts, places: Places): void {
  const { outline, measures, description, letters, titleAt, titles, repeats } = facts;
  const block = outline.blocks[at] as (typeof outline.blocks)[number];
  const element = getElement(outline, block);
  const own = letters[at] as string;
  add("repeats", repeats.get(own) ?? 1);
  add("title", at === titleAt ? 2 : titles.includes(own) ? 1 : 0);
  add("description", description.length >= MIN_DESCRIPTION_LETTERS && own.startsWith(description) ? 1 : 0);
  add("blocks after title", titleAt < 0 ? UNKNOWN : Math.sign(at - titleAt) * logSize(Math.abs(at - titleAt)));
  const distance = at >= titleAt ? logSize(measures.length(Math.max(0, titleAt), at)) : -logSize(measures.length(at, titleAt));
  add("characters after title", titleAt < 0 ? UNKNOWN : distance);
  add("index", at / measures.count);
  add("position", share(measures.length(0, at), measures.whole));
  add("blocks to end", logSize(measures.count - at));
  add("tag", classifyTag(element));
  add("depth", element.depth);
  add("hidden", element.isHidden ? 1 : 0);
  const [beside, metadata] = places.named[block.element] as readonly [number, number];
  add("in named as no content", beside);
  add("in named as metadata", metadata);
  add("role", places.roles[block.element] as number);
  for (const [which, tag] of AROUND.entries()) add(`in ${tag}`, places.around[block.element * AROUND.length + which] as number);
  const odds = places.odds[block.element] as ElementOdds;
  add("name odds", odds.own);
  add("parent's name odds", places.odds[element.parent]?.own ?? 0);
  add("sum of name odds", odds.sum);
  add("least name odds", odds.least);
  add("greatest name odds", odds.greatest);
}
