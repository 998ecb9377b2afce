import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { PAGE_TYPES, type PageType } from "#ingest/clean/type/page-type.ts";
import { decodePage, type SetPage } from "../data.ts";

/** A page with its main content as plain text, and its title, author and date (ISO 8601) where the benchmark has them. */
export type WcxbPage = SetPage & {
  readonly type: PageType;
  readonly truth: string;
  readonly title: string | null;
  readonly author: string | null;
  readonly published: string | null;
};

type Entry = Pick<WcxbPage, "type" | "title" | "author" | "published"> & { readonly url: string | null; readonly text: string };

/** Mean F1 on the development split, as its README lists it: over all pages, and by type in the order of `PAGE_TYPES`. */
const PUBLISHED_F1: Readonly<Record<string, string>> = {
  "rs-trafilatura": ".859 .932 .932 .844 .808 .641 .716 .707",
  "MinerU-HTML": ".827 .928 .838 .824 .794 .619 .506 .710",
  Trafilatura: ".791 .926 .888 .763 .585 .567 .553 .589",
};

/** Returns the published F1 of each system, as text: over all pages, and of each type. */
export function listPublished(): (readonly [string, ReadonlyMap<string, string>])[] {
  const names = ["all", ...PAGE_TYPES];
  return Object.entries(PUBLISHED_F1).map(([system, values]) => [
    system,
    new Map(values.split(" ").map((value, at) => [names[at] ?? "", `0${value}`])),
  ]);
}

/** A reference of whose runs of words less is in the page is wrong: the page needs scripts, or another one was annotated. */
const MIN_FOUND = 0.35;
const RUN = 3;
const ENTITY = /&#?\w+;/g;

const listRuns = (text: string): readonly string[] => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" "));
};

/** Whether a page's reference has text, and the page contains it: anywhere in the file, in scripts and data too. */
export function isReferenceRight({ html, truth }: Pick<WcxbPage, "html" | "truth">): boolean {
  const expected = listRuns(truth);
  if (expected.length === 0) return false;
  const present = new Set(listRuns(html.replace(/<[^>]*>/g, " ").replace(ENTITY, " ")));
  return expected.filter((run) => present.has(run)).length >= expected.length * MIN_FOUND;
}

/** Reads the pages of the development split of WCXB, the Web Content Extraction Benchmark, one at a time; null if the data is absent. */
export function readWcxb(data: string): { readonly size: number; readonly pages: Iterable<WcxbPage> } | null {
  const folder = join(data, "wcxb");
  const index = join(folder, "pages.json.gz");
  if (!existsSync(index)) return null;
  const entries = Object.entries(JSON.parse(gunzipSync(readFileSync(index)).toString("utf8")) as Readonly<Record<string, Entry>>);
  return { size: entries.length, pages: readPages(folder, entries) };
}

function* readPages(folder: string, entries: readonly (readonly [string, Entry])[]): Generator<WcxbPage> {
  for (const [id, { url, type, title, author, published, text }] of entries)
    yield {
      id,
      url: url ?? `https://${id}.example/`,
      type,
      title,
      author,
      published,
      truth: text,
      html: decodePage(join(folder, "html", `${id}.html.gz`)),
    };
}
