import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../truncate.ts";
import { encryptedError, unreadableError } from "../errors.ts";
import type { ParsedDocument } from "../format.ts";
import { attributeOf, decodeXml, readXml } from "../markup/xml.ts";
import type { Archive } from "./zip.ts";
import { htmlToMarkdown } from "./html-markdown.ts";
import { readProperties } from "./properties.ts";
import { resolveName } from "./relations.ts";

const MAX_CHAPTERS = 2_000;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const EMPTY_TAG = /<([a-z][\w:-]{0,40})((?:\s[^<>]*)?)\/>/gi;

type Item = { readonly id: string; readonly name: string; readonly kind: string; readonly properties: string };

function packageName(archive: Archive): string {
  const found: { name: string | null } = { name: null };
  readXml(archive.read("META-INF/container.xml") ?? new Uint8Array(), {
    open(name, attributes) {
      if (name === "rootfile") found.name ??= attributeOf(attributes, "full-path");
    },
  });
  if (found.name === null) throw unreadableError();
  return found.name;
}

/** The files of the book and their order of reading (EPUB 3.3, 5.6 manifest, 5.7 spine). */
function readSpine(bytes: Uint8Array, packagePath: string): { readonly items: readonly Item[]; readonly chapters: readonly Item[] } {
  const items = new Map<string, Item>();
  const order: string[] = [];
  readXml(bytes, {
    open(name, attributes) {
      const told = (key: string): string => attributeOf(attributes, key) ?? "";
      if (name === "itemref" && order.length < MAX_CHAPTERS) order.push(told("idref"));
      if (name !== "item" || items.size > 10_000) return;
      const href = told("href");
      const path = resolveName(packagePath, URL.canParse(href) ? "" : decoded(href));
      items.set(told("id"), { id: told("id"), name: path, kind: told("media-type"), properties: told("properties") });
    },
  });
  return { items: [...items.values()], chapters: order.map((id) => items.get(id)).filter((item) => item !== undefined) };
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** The titles of files in the table of contents (EPUB 3.3, 7: `nav` of XHTML; before that NCX, `navPoint`), by the files' names. */
function readContents(archive: Archive, items: readonly Item[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const nav = items.find(({ properties }) => /(?:^|\s)nav(?:\s|$)/.test(properties)) ?? items.find(({ kind }) => kind.endsWith("ncx+xml"));
  const bytes = nav === undefined ? null : archive.read(nav.name);
  if (nav === undefined || bytes === null) return titles;
  const here = { target: "", parts: [] as string[], isOpen: false };
  const tell = (): void => {
    const title = here.parts.join("").replace(/\s+/g, " ").trim();
    if (here.target !== "" && title !== "" && !titles.has(here.target)) titles.set(here.target, title.slice(0, 300));
  };
  readXml(bytes, {
    open(name, attributes) {
      if (name === "a" || name === "navLabel") {
        here.parts = [];
        here.isOpen = true;
      }
      const target = name === "a" ? attributeOf(attributes, "href") : name === "content" ? attributeOf(attributes, "src") : null;
      if (target !== null) here.target = resolveName(nav.name, decoded(target));
      if (name === "content") tell();
    },
    text: (text) => void (here.isOpen && here.parts.push(text)),
    close(name) {
      if (name === "a") tell();
      if (name === "a" || name === "navLabel") here.isOpen = false;
    },
  });
  return titles;
}

/** XHTML as HTML's parsers take it: an element that closes itself would stay open. */
const asHtml = (xhtml: string): string =>
  xhtml.replace(EMPTY_TAG, (whole, name: string, rest: string) => (VOID.test(name) ? whole : `<${name}${rest}></${name}>`));

/** Whether the book's own text is locked; that fonts are obfuscated locks nothing. */
function isLocked(archive: Archive, chapters: readonly Item[]): boolean {
  const names = new Set(chapters.map(({ name }) => name));
  const found = { is: false };
  readXml(archive.read("META-INF/encryption.xml") ?? new Uint8Array(), {
    open(name, attributes) {
      if (name === "CipherReference") found.is ||= names.has(resolveName("", decoded(attributeOf(attributes, "URI") ?? "")));
    },
  });
  return found.is;
}

/** Reads a book (EPUB 3.3, and 2): its chapters in the order of the spine, titled by the table of contents where they have no heading. */
export function readEpub(archive: Archive): ParsedDocument {
  const path = packageName(archive);
  const bytes = archive.read(path);
  if (bytes === null) throw unreadableError();
  const { items, chapters } = readSpine(bytes, path);
  if (isLocked(archive, chapters)) throw encryptedError("book");
  const titles = readContents(archive, items);
  const blocks: string[] = [];
  let length = 0;
  for (const { name, properties } of chapters) {
    const chapter = length < MAX_TEXT_LENGTH && !/(?:^|\s)nav(?:\s|$)/.test(properties) ? archive.read(name) : null;
    if (chapter === null) continue;
    const text = htmlToMarkdown(asHtml(decodeXml(chapter)));
    const title = titles.get(name);
    const block = title !== undefined && text !== "" && !/^#{1,6} /m.test(text.slice(0, 2_000)) ? `## ${title}\n\n${text}` : text;
    if (block !== "") blocks.push(block);
    length += block.length + 2;
  }
  const { title, metadata } = readProperties(bytes);
  return { title, text: blocks.join("\n\n"), metadata, warnings: length < MAX_TEXT_LENGTH ? [] : [FILE_TRUNCATED_WARNING] };
}
