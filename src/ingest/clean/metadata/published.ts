import { isDateLine } from "../calendar/date-lines.ts";
import { findDate } from "../calendar/find-date.ts";
import { toIsoDate } from "../dates.ts";
import type { Measure } from "../measure/measure.ts";
import type { Json } from "../embedded/json.ts";
import { findString, getTypes, isArticle } from "../embedded/linked-data.ts";
import { listLinesAt } from "./title-lines.ts";

/** Names of `meta` elements with the date of publication: Open Graph, Dublin Core, HighWire, services of publishers. */
const META_NAME =
  /publi(?:sh|cation|shed)?[-_.]?(?:date|time|on)|date[-_.]?publi|pub-?date|^citation_date|^(?:dc(?:terms)?\.)?(?:date|issued|created)\b|sailthru\.date/;
const NOT_PUBLISHED = /modif|updat|expir|review|copyright/;
/** Clocks and time zones differ by less. */
const MAX_AHEAD_MS = 2 * 86_400_000;
/** A line with more words beside its date is a sentence about that day. */
const MAX_OTHER_WORDS = 8;
const DAY_LENGTH = "2024-05-03".length;

function isPast(date: string | null): date is string {
  return date !== null && Date.parse(date) <= Date.now() + MAX_AHEAD_MS;
}

/** The sources of the date, best first. */
function* listDates(measure: Measure, nodes: readonly Json[], title: string | null): Generator<string | null> {
  const language = measure.language;
  const find = (text: string): string | null => findDate(text, language)?.day ?? null;
  const read = (text: string | null): string | null => toIsoDate(text) ?? find(text ?? "");
  const readNode = (node: Json): string | null =>
    read(findString(node["datePublished"] ?? node["datePosted"] ?? node["uploadDate"] ?? node["dateCreated"], ["@value"]));
  for (const node of nodes) if (isArticle(node)) yield readNode(node);
  for (const [name, content] of measure.meta) if (META_NAME.test(name) && !NOT_PUBLISHED.test(name)) yield read(content);
  const { credits } = measure;
  for (const { kind, value, text } of credits) if (kind === "date") yield read(value) ?? read(text);
  for (const node of nodes) yield readNode(node);
  const times = credits.filter(({ kind }) => kind === "time").map(({ value, text }) => read(value) ?? read(text));
  const days = listLinesAt(title, measure.linear)
    .filter((line) => isDateLine(line, MAX_OTHER_WORDS))
    .map(find);
  // News beside the article have times too.
  yield times.find((time) => days.some((day) => day !== null && time?.startsWith(day.slice(0, DAY_LENGTH)))) ?? null;
  yield* [...days, ...times];
  for (const { kind, text } of credits) if (kind === "date-name" || kind === "author-name") yield find(text);
}

/** The days on which the events take place that a page is about, as the page writes them. An article may be of the same day. */
function listEventDays(nodes: readonly Json[]): ReadonlySet<string> {
  const events = nodes.some(isArticle) ? [] : nodes.filter((node) => /Event/.test(getTypes(node)));
  const days = events.flatMap((node) => [findString(node["startDate"], []), findString(node["endDate"], [])]);
  return new Set(days.filter((day) => day !== null).map((day) => day.slice(0, DAY_LENGTH)));
}

/**
 * Finds when a page was published: the first valid date, not in the future, of JSON-LD, `meta` elements, microdata, the lines at its title,
 * `time` elements, and elements named after dates or authors. The day of an event is none. Returns ISO 8601, or null.
 */
export function findPublished(measure: Measure, nodes: readonly Json[], title: string | null): string | null {
  const eventDays = listEventDays(nodes);
  for (const date of listDates(measure, nodes, title)) if (isPast(date) && !eventDays.has(date.slice(0, DAY_LENGTH))) return date;
  return null;
}
