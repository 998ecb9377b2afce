import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../clean/dates.ts";
import { omitEmpty } from "../json-access.ts";
import { readXml } from "../markup/xml.ts";

/** What a document says of itself. */
export type Properties = { readonly title: string | null; readonly metadata: TileMetadata };

/** What programs write where nobody has given a title. */
const EMPTY_TITLE =
  /^(?:untitled(?:[ -]?\d+)?|(?:power ?point )?presentation|slide 1|document ?\d*|book ?\d*|microsoft (?:word|excel|powerpoint)\b.*)$/i;

export function saidTitle(title: string | null | undefined): string | null {
  const line = (title ?? "").replace(/\s+/g, " ").trim();
  return line === "" || EMPTY_TITLE.test(line) ? null : line;
}

/** The first line of a text in Markdown, where it is a heading. */
export const headingOf = (text: string): string | null => saidTitle(/^#{1,3} ([^\n]{1,300})/.exec(text)?.[1]);

/**
 * Reads Dublin Core terms in XML, the first of each: `docProps/core.xml` (ECMA-376, part 2, 11), `meta.xml` (ISO/IEC 26300, part 1, 4.3)
 * and the metadata of an EPUB package.
 */
export function readProperties(bytes: Uint8Array | null): Properties {
  const told = new Map<string, string>();
  const open = { name: "", parts: [] as string[] };
  if (bytes !== null) {
    readXml(bytes, {
      open: (name) => {
        open.name = name;
        open.parts = [];
      },
      text: (text) => void (open.parts.length < 200 && open.parts.push(text)),
      close: (name) => {
        const value = open.parts.join("").replace(/\s+/g, " ").trim().slice(0, 2_000);
        if (name === open.name && value !== "" && !told.has(name)) told.set(name, value);
        open.name = "";
      },
    });
  }
  const author = told.get("creator") ?? told.get("initial-creator") ?? null;
  return {
    title: saidTitle(told.get("title")),
    metadata: omitEmpty({
      author,
      publishedAt: toIsoDate(told.get("created") ?? told.get("creation-date") ?? told.get("date")),
      language: told.get("language")?.slice(0, 35) ?? null,
    }),
  };
}
