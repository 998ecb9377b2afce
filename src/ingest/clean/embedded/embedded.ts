import { countWords, normaliseText } from "../text.ts";
import { THIN_WORDS } from "../warnings.ts";
import { Describer } from "./describe.ts";
import type { Json } from "./json.ts";
import { getTypes, type LinkedData } from "./linked-data.ts";

const THREAD = /\b(?:DiscussionForumPosting|SocialMediaPosting|Question)\b/;
/** What a page can be about. A page about the first of these has the others beside it. */
const SUBJECTS = [THREAD, /Article|BlogPosting/, /Product|Recipe|Event|JobPosting/, /FAQPage/, /ItemList/];
/** A shorter description says nothing that a title does not. */
const MIN_LENGTH = 200;
/** The same beside a text of fewer words, in whose place anything says more. */
const MIN_LENGTH_ALONE = 40;
const MIN_TEXT_WORDS = 15;
/** If more of a thread is in the text that was read, linked data repeats it. */
const MAX_READ_SHARE = 0.3;
const PREFIX_LENGTH = 100;
/** Each line that is looked for costs a search of the whole text: so many lines of linked data tell how much of it was read. */
const MAX_COMPARED_LINES = 200;
const MAX_COMPARED_LENGTH = 200_000;

/**
 * Completes the text that was read from a page's elements by its linked data, where that says more: a thread of which hardly anything was
 * read replaces the text, anything else is added to a text of a few words. `readState` reads what the page says to its scripts, and is
 * called for such a text if linked data says no more.
 */
export function addEmbedded(text: string, linked: LinkedData, readState: () => string): string {
  const nodes = linked.content;
  const hasThread = nodes.some((node) => THREAD.test(getTypes(node)));
  const words = countWords(text.slice(0, 2_000));
  const isThin = words < THIN_WORDS;
  const least = words < MIN_TEXT_WORDS ? MIN_LENGTH_ALONE : MIN_LENGTH;
  if (!hasThread && !isThin) return text;
  const described = describeSubject(nodes);
  const embedded = described.length < least && isThin ? readState() : described;
  if (embedded.length < least) return text;
  const isMissing = computeReadShare(embedded.split("\n"), text) <= MAX_READ_SHARE;
  if (hasThread && isMissing) return embedded;
  return isThin && isMissing ? [removeLines(text, embedded), embedded].filter((part) => part !== "").join("\n\n") : text;
}

function describeSubject(nodes: readonly Json[]): string {
  const subject = SUBJECTS.find((one) => nodes.some((node) => one.test(getTypes(node))));
  const describer = new Describer();
  const described = nodes.filter((node) => subject?.test(getTypes(node))).map((node) => describer.describe(node));
  return described.filter((one) => one !== "").join("\n\n");
}

/** Removes the lines of a short text that are lines of another one, such as questions whose answers the page does not show. */
function removeLines(text: string, other: string): string {
  const lines = new Set(other.split("\n").map(normaliseText));
  const isNew = (line: string): boolean => line === "" || !lines.has(normaliseText(line));
  return text
    .split("\n")
    .filter(isNew)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Estimates which share of these lines is in a text, by lines evenly spread. */
function computeReadShare(lines: readonly string[], text: string): number {
  const letters = normaliseText(text.slice(0, MAX_COMPARED_LENGTH));
  const step = Math.ceil(lines.length / MAX_COMPARED_LINES);
  let [read, all] = [0, 0];
  for (let at = 0; at < lines.length; at += step) {
    const line = lines[at] as string;
    all += line.length;
    if (letters.includes(normaliseText(line).slice(0, PREFIX_LENGTH))) read += line.length;
  }
  return read / Math.max(1, all);
}
