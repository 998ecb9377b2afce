import type { Tile } from "@tessera/sdk";
import { webAddress } from "../text/links.ts";
import { agoOf, dateTimeOf, durationOf } from "../ui/time/times.ts";

/** One line of what is known of a tile; `address` is where its value leads. Of one with `at`, the value is how long ago that was. */
export type Fact = { readonly name: string; readonly value: string; readonly address?: string; readonly at?: string };

/** What is known of a tile beside its text. Metadata come from outside: what has not the expected form is left out. */
export function factsOf(tile: Tile): readonly Fact[] {
  const known: Readonly<Record<string, unknown>> = tile.metadata;
  const text = (name: string): string | undefined => {
    const value = known[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const count = (name: string): number | undefined => {
    const value = known[name];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const [seconds, words, subtype] = [count("durationSeconds"), count("wordCount"), text("subtype")];
  return [
    fact("Author", text("author"), text("authorUrl")),
    fact("Site", text("siteName")),
    fact("Form", subtype && sentence(subtype)),
    fact("Published", dateIn(text("publishedAt"))),
    fact("Length", seconds && durationOf(seconds)),
    fact("Words", words && words.toLocaleString()),
    fact("Language", languageIn(text("language"))),
    ...statsOf(known["stats"]),
    fact("Full address", shownAddress(text("canonicalUrl"), tile.sourceUrl), text("canonicalUrl")),
    fact("Added", dateIn(tile.createdAt)),
    tile.updatedAt === tile.createdAt ? null : { name: "Changed", value: agoOf(tile.updatedAt), at: tile.updatedAt },
    fact("Your own id", tile.externalId ?? undefined),
  ].filter((one) => one !== null);
}

function fact(name: string, value: string | 0 | undefined, link?: string): Fact | null {
  if (value === undefined || value === 0 || value === "") return null;
  const address = webAddress(link);
  return { name, value, ...(address === null ? {} : { address }) };
}

function statsOf(stats: unknown): (Fact | null)[] {
  if (typeof stats !== "object" || stats === null) return [];
  return Object.entries(stats)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && Number.isFinite(entry[1]))
    .slice(0, 8)
    .map(([name, value]) => fact(sentence(name), value.toLocaleString()));
}

/** `viewCount` and `SHORT_VIDEO` as words: `View count`, `Short video`. */
function sentence(name: string): string {
  const words = (/^[A-Z_]+$/.test(name) ? name : name.replace(/([a-z])([A-Z])/g, "$1 $2")).replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function dateIn(value: string | undefined): string | undefined {
  if (value === undefined || Number.isNaN(Date.parse(value))) return value;
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return dateTimeOf(value);
  return new Date(`${value}T00:00`).toLocaleDateString(undefined, { dateStyle: "medium" });
}

function languageIn(tag: string | undefined): string | undefined {
  try {
    return tag && new Intl.DisplayNames("en", { type: "language" }).of(tag);
  } catch {
    // A tag that is none is shown as it came.
    return tag;
  }
}

const shownAddress = (canonical: string | undefined, source: string | null): string | undefined =>
  canonical === source || webAddress(canonical) === null ? undefined : canonical;
