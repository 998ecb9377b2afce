import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../truncate.ts";
import { encryptedError, unreadableError } from "../errors.ts";
import type { ParsedDocument } from "../format.ts";
import { getAttribute, decodeXml, readXml, type Pieces } from "../markup/xml.ts";
import type { Archive } from "./archive/zip.ts";
import { htmlToMarkdown } from "./markdown/html-markdown.ts";
import { readProperties } from "./properties.ts";
import { resolveName } from "./archive/relations.ts";

const MAX_CHAPTERS = 2_000;
/** A chapter is read up to this length: 4 times the maximum of a tile, since most of it may be tags. */
const MAX_CHAPTER_CHARACTERS = 4_000_000;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const EMPTY_TAG = /<([a-z][\w:-]{0,40})((?:\s[^<>]*)?)\/>/gi;

type Item = { readonly id: string; readonly name: string; readonly kind: string; readonly properties: string };

function findPackageName(archive: Archive): string {
  const found: { name: string | null } = { name: null };
  readXml(archive.read("META-INF/container.xml") ?? [], {
    open(name, attributes) {
      if (name === "rootfile") found.name ??= getAttribute(attributes, "full-path");
    },
  });
  if (found.name === null) throw unreadableError();
  return found.name;
}

/** Reads the files of the book and their order (EPUB 3.3, 5.6 manifest, 5.7 spine). */
function readSpine(part: Pieces, packagePath: string): { readonly items: readonly Item[]; readonly chapters: readonly Item[] } {
  const items = new Map<string, Item>();
  const order: string[] = [];
  readXml(part, {
    open(name, attributes) {
      const get = (key: string): string => getAttribute(attributes, key) ?? "";
      if (name === "itemref" && order.length < MAX_CHAPTERS) order.push(get("idref"));
      if (name !== "item" || items.size > 10_000) return;
      const href = get("href");
      const path = resolveName(packagePath, URL.canParse(href) ? "" : decodeReference(href));
      items.set(get("id"), { id: get("id"), name: path, kind: get("media-type"), properties: get("properties") });
    },
  });
  return { items: [...items.values()], chapters: order.map((id) => items.get(id)).filter((item) => item !== undefined) };
}

function decodeReference(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** Reads chapter titles by file name from the table of contents (EPUB 3.3, 7: `nav` in XHTML; in EPUB 2 NCX, `navPoint`). */
function readContents(archive: Archive, items: readonly Item[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const nav = items.find(({ properties }) => /(?:^|\s)nav(?:\s|$)/.test(properties)) ?? items.find(({ kind }) => kind.endsWith("ncx+xml"));
  const part = nav === undefined ? null : archive.read(nav.name);
  if (nav === undefined || part === null) return titles;
  const entry = { target: "", parts: [] as string[], isOpen: false };
  const setTitle = (): void => {
    const title = entry.parts.join("").replace(/\s+/g, " ").trim();
    if (entry.target !== "" && title !== "" && !titles.has(entry.target)) titles.set(entry.target, title.slice(0, 300));
  };
  readXml(part, {
    open(name, attributes) {
      if (name === "a" || name === "navLabel") {
        entry.parts = [];
        entry.isOpen = true;
      }
      const target = name === "a" ? getAttribute(attributes, "href") : name === "content" ? getAttribute(attributes, "src") : null;
      if (target !== null) entry.target = resolveName(nav.name, decodeReference(target));
      if (name === "content") setTitle();
    },
    text: (text) => void (entry.isOpen && entry.parts.push(text)),
    close(name) {
      if (name === "a") setTitle();
      if (name === "a" || name === "navLabel") entry.isOpen = false;
    },
  });
  return titles;
}

/** Adds end tags to the self-closing elements of XHTML, which an HTML parser would leave open. */
const toHtml = (xhtml: string): string =>
  xhtml.replace(EMPTY_TAG, (whole, name: string, rest: string) => (VOID.test(name) ? whole : `<${name}${rest}></${name}>`));

/** Whether a chapter is encrypted. Fonts may be encrypted in readable books. */
function isEncrypted(archive: Archive, chapters: readonly Item[]): boolean {
  const names = new Set(chapters.map(({ name }) => name));
  const found = { isEncrypted: false };
  readXml(archive.read("META-INF/encryption.xml") ?? [], {
    open(name, attributes) {
      if (name === "CipherReference")
        found.isEncrypted ||= names.has(resolveName("", decodeReference(getAttribute(attributes, "URI") ?? "")));
    },
  });
  return found.isEncrypted;
}

/** Reads a book (EPUB 3.3 and 2): its chapters in spine order. Chapters without heading get their title from the table of contents. */
export function readEpub(archive: Archive): ParsedDocument {
  const path = findPackageName(archive);
  const part = archive.read(path);
  if (part === null) throw unreadableError();
  const { items, chapters } = readSpine(part, path);
  if (isEncrypted(archive, chapters)) throw encryptedError("book");
  const titles = readContents(archive, items);
  const blocks: string[] = [];
  let length = 0;
  let isTruncated = false;
  for (const { name, properties } of chapters) {
    const chapter = length < MAX_TEXT_LENGTH && !/(?:^|\s)nav(?:\s|$)/.test(properties) ? archive.read(name) : null;
    if (chapter === null) continue;
    const xhtml = decodeXml(chapter, MAX_CHAPTER_CHARACTERS);
    isTruncated ||= xhtml.length >= MAX_CHAPTER_CHARACTERS;
    const text = htmlToMarkdown(toHtml(xhtml));
    const title = titles.get(name);
    const block = title !== undefined && text !== "" && !/^#{1,6} /m.test(text.slice(0, 2_000)) ? `## ${title}\n\n${text}` : text;
    if (block !== "") blocks.push(block);
    length += block.length + 2;
  }
  const { title, metadata } = readProperties(part);
  return { title, text: blocks.join("\n\n"), metadata, warnings: length < MAX_TEXT_LENGTH && !isTruncated ? [] : [FILE_TRUNCATED_WARNING] };
}
