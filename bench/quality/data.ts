import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decodeBody } from "#ingest/read/plain/charset.ts";

/** A page of a dataset, with its address and its HTML. */
export type SetPage = { readonly id: string; readonly url: string; readonly html: string };
export type ArticlePage = SetPage & { readonly truth: string };
export type SegmentPage = SetPage & { readonly wanted: readonly string[]; readonly unwanted: readonly string[] };

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
/** Reads a compressed page. */
export const decodePage = (file: string): string => decodeBody(gunzipSync(readFileSync(file)), undefined).text;
const readPage = (folder: string, name: string): string => decodePage(join(folder, "html", name));

/** Reads the articles with their true text (scrapinghub's article-extraction-benchmark); null if the data is absent. */
export function readArticles(data: string): readonly ArticlePage[] | null {
  const folder = join(data, "extraction");
  const index = join(folder, "ground-truth.json");
  if (!existsSync(index)) return null;
  const pages = readJson(index) as Readonly<Record<string, { readonly url?: string; readonly articleBody?: string }>>;
  return Object.entries(pages).map(([id, { url, articleBody }]) => ({
    id,
    url: url ?? "https://example.com/",
    truth: articleBody ?? "",
    html: readPage(folder, `${id}.html.gz`),
  }));
}

type SegmentEntry = { readonly file: string; readonly with: readonly string[]; readonly without: readonly string[] };

/** Reads the pages with segments that must and must not be extracted (trafilatura's evaluation); null if the data is absent. */
export function readSegments(data: string): readonly SegmentPage[] | null {
  const folder = join(data, "extraction-segments");
  const index = join(folder, "evaldata.json");
  if (!existsSync(index)) return null;
  const pages = readJson(index) as Readonly<Record<string, SegmentEntry>>;
  return Object.entries(pages).map(([url, entry]) => ({
    id: entry.file,
    url,
    wanted: entry.with,
    unwanted: entry.without,
    html: readPage(folder, `${entry.file}.gz`),
  }));
}
