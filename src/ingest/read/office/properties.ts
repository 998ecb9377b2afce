import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../clean/dates.ts";
import { omitEmpty } from "../json-access.ts";
import { readXml, type Pieces } from "../markup/xml.ts";

/** Title and metadata from a document's properties. */
export type DocumentProperties = { readonly title: string | null; readonly metadata: TileMetadata };

/** Default titles of programs. Browsers name a page that they print "about:blank" when it has no address. */
const DEFAULT_TITLE =
  /^(?:about:\w+|untitled(?:[ -]?\d+)?|(?:power ?point )?presentation|slide 1|document ?\d*|book ?\d*|microsoft (?:word|excel|powerpoint))$/i;

/** What programs put before the name of the file that they print. */
const PROGRAM = /^microsoft (?:word|excel|powerpoint|publisher|outlook) - /i;

/** A title that is only the name of the source file, or its path. */
const FILE_NAME =
  /^[^\s]{1,120}\.(?:docx?|pptx?|xlsx?|indd|qxd|tex|dvi|pdf|odt|rtf|pages|key|html?)$|^[a-z]:\\|^\\\\|^\/(?:home|users|tmp|var)\/|^file:\/\//i;

/** Collapses white space. Returns null for empty titles, default titles of programs, and names of files. */
export function normaliseDocumentTitle(title: string | null | undefined): string | null {
  const line = (title ?? "").replace(/\s+/g, " ").trim();
  const name = line.replace(PROGRAM, "");
  if (name === "" || DEFAULT_TITLE.test(name) || FILE_NAME.test(name)) return null;
  return name === line ? name : name.replace(/\.(?:docx?|pptx?|xlsx?|pub|msg)$/i, "");
}

/** Returns the heading in the first line of Markdown text, or null. */
export const findFirstHeading = (text: string): string | null => normaliseDocumentTitle(/^#{1,3} ([^\n]{1,300})/.exec(text)?.[1]);

/**
 * Reads Dublin Core terms in XML, the first value of each: `docProps/core.xml` (ECMA-376, part 2, 11), `meta.xml` (ISO/IEC 26300, part
 * 1, 4.3) and the metadata of an EPUB package.
 */
export function readProperties(part: Pieces | null): DocumentProperties {
  const values = new Map<string, string>();
  const element = { name: "", parts: [] as string[] };
  if (part !== null) {
    readXml(part, {
      open: (name) => {
        element.name = name;
        element.parts = [];
      },
      text: (text) => void (element.parts.length < 200 && element.parts.push(text)),
      close: (name) => {
        const value = element.parts.join("").replace(/\s+/g, " ").trim().slice(0, 2_000);
        if (name === element.name && value !== "" && !values.has(name)) values.set(name, value);
        element.name = "";
      },
    });
  }
  const author = values.get("creator") ?? values.get("initial-creator") ?? null;
  return {
    title: normaliseDocumentTitle(values.get("title")),
    metadata: omitEmpty({
      author,
      publishedAt: toIsoDate(values.get("created") ?? values.get("creation-date") ?? values.get("date")),
      language: values.get("language")?.slice(0, 35) ?? null,
    }),
  };
}
