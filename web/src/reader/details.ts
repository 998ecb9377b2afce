import type { Tile } from "@tessera-board/sdk";
import { getSafeUrl } from "../text/links.ts";
import { formatRelativeTime, formatDateTime, formatDuration } from "../ui/time/format-time.ts";

/** One item of metadata. `address` makes the value a link; with `at`, the value is shown as a relative time. */
export type Detail = { readonly name: string; readonly value: string; readonly address?: string; readonly at?: string };

/** The metadata of a tile. It comes from outside, so values of unexpected types are omitted. */
export function getDetails(tile: Tile): readonly Detail[] {
  const metadata: Readonly<Record<string, unknown>> = tile.metadata;
  const text = (name: string): string | undefined => {
    const value = metadata[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const count = (name: string): number | undefined => {
    const value = metadata[name];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const [seconds, words, type] = [count("durationSeconds"), count("wordCount"), text("subtype") ?? text("pageType")];
  return [
    toDetail("Author", text("author"), text("authorUrl")),
    toDetail("Site", text("siteName")),
    toDetail("Type", type && toWords(type)),
    toDetail("Published", formatDate(text("publishedAt"))),
    toDetail("Length", seconds && formatDuration(seconds)),
    toDetail("Words", words && words.toLocaleString()),
    toDetail("Language", formatLanguage(text("language"))),
    ...getStats(metadata["stats"]),
    toDetail("Canonical URL", getCanonicalUrl(text("canonicalUrl"), tile.sourceUrl), text("canonicalUrl")),
    toDetail("Added", formatDate(tile.createdAt)),
    tile.updatedAt === tile.createdAt ? null : { name: "Updated", value: formatRelativeTime(tile.updatedAt), at: tile.updatedAt },
    toDetail("External ID", tile.externalId ?? undefined),
  ].filter((one) => one !== null);
}

function toDetail(name: string, value: string | 0 | undefined, link?: string): Detail | null {
  if (value === undefined || value === 0 || value === "") return null;
  const address = getSafeUrl(link);
  return { name, value, ...(address === null ? {} : { address }) };
}

function getStats(stats: unknown): (Detail | null)[] {
  if (typeof stats !== "object" || stats === null) return [];
  return Object.entries(stats)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && Number.isFinite(entry[1]))
    .slice(0, 8)
    .map(([name, value]) => toDetail(toWords(name), value.toLocaleString()));
}

/** Splits an identifier into words: `viewCount` → `View count`, `SHORT_VIDEO` → `Short video`. */
function toWords(name: string): string {
  const words = (/^[A-Z_]+$/.test(name) ? name : name.replace(/([a-z])([A-Z])/g, "$1 $2")).replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function formatDate(value: string | undefined): string | undefined {
  if (value === undefined || Number.isNaN(Date.parse(value))) return value;
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return formatDateTime(value);
  return new Date(`${value}T00:00`).toLocaleDateString(undefined, { dateStyle: "medium" });
}

function formatLanguage(tag: string | undefined): string | undefined {
  try {
    return tag && new Intl.DisplayNames("en", { type: "language" }).of(tag);
  } catch {
    // Show an invalid language tag as it is.
    return tag;
  }
}

const getCanonicalUrl = (canonical: string | undefined, source: string | null): string | undefined =>
  canonical === source || getSafeUrl(canonical) === null ? undefined : canonical;
