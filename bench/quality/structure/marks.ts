import { getLine, type PageElement, parseRoot } from "./dom.ts";

/** A table whose rows must remain rows, with the caption that must remain next to it. */
export type KeptTable = { readonly caption: string | null; readonly rows: readonly (readonly string[])[] };

/** The main part of a page, and the parts of it that must be in the extracted text. */
export type Content = {
  readonly name: string;
  readonly kind: string;
  readonly lang: string;
  readonly layouts: readonly string[];
  readonly section: string;
  readonly title: string;
  /** The main part without its marks. */
  readonly html: string;
  readonly facts: readonly string[];
  readonly tables: readonly KeptTable[];
};

const HEAD = /^<!--\n([\s\S]*?)\n-->\n/;
const FACT = /\[\[([\s\S]*?)\]\]/g;
const BOILERPLATE = /\{\{([\s\S]*?)\}\}/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0", quot: '"' };

/** Returns the text of HTML without tags. */
const stripTags = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replace(/&([a-z]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, " ")
    .trim();

const listMarkedTexts = (html: string, mark: RegExp): readonly string[] => [
  ...new Set([...html.matchAll(mark)].map(([, inner = ""]) => stripTags(inner))),
];

function readTables(html: string): readonly KeptTable[] {
  const root = parseRoot(`<!doctype html><html><body>${html}</body></html>`);
  const marked = new Map<PageElement, string[][]>();
  for (const row of root.querySelectorAll("tr[row]")) {
    const table = row.closest("table");
    if (table === null) continue;
    const cells = [...row.children].map(getLine).filter((cell) => cell !== "");
    marked.set(table, [...(marked.get(table) ?? []), cells]);
  }
  return [...marked].map(([table, rows]) => {
    const caption = [...root.querySelectorAll("[keep]")].find((element) => findTable(element) === table);
    return { caption: caption === undefined ? null : getLine(caption), rows };
  });
}

/** Finds the table of a caption: around it, in the same figure, or next to it. */
function findTable(caption: PageElement): PageElement | null {
  const around = caption.closest("table") ?? caption.closest("figure")?.querySelector("table");
  if (around !== null && around !== undefined) return around;
  return [caption.nextElementSibling, caption.previousElementSibling].find((beside) => beside?.tagName === "TABLE") ?? null;
}

/**
 * Reads a file of `contents`: a comment with its kind, language, layouts, section and title, and the HTML of the main part, in which
 * `[[…]]` marks a fact, `<tr row>` a row that must remain a row, and `keep` the caption of a table.
 */
export function readContent(name: string, file: string): Content {
  const head = HEAD.exec(file);
  if (head === null) throw new Error(`The content ${name} has no head.`);
  const field = (key: string): string => {
    const value = new RegExp(`^${key}: (.+)$`, "m").exec(head[1] ?? "")?.[1];
    if (value === undefined) throw new Error(`The head of the content ${name} has no ${key}.`);
    return value;
  };
  const marked = file.slice(head[0].length);
  const html = marked.replace(FACT, "$1");
  return {
    name,
    kind: field("kind"),
    lang: field("lang"),
    layouts: field("layouts").split(", "),
    section: field("section"),
    title: field("title"),
    html: html.replace(/<tr row\b/g, "<tr").replace(/(<\w+) keep\b/g, "$1"),
    facts: listMarkedTexts(marked, FACT),
    tables: readTables(html),
  };
}

/** Removes the marks of boilerplate, `{{…}}`, from a page, and returns the marked text. */
export function readBoilerplate(page: string): { readonly html: string; readonly boilerplate: readonly string[] } {
  return { html: page.replace(BOILERPLATE, "$1"), boilerplate: listMarkedTexts(page, BOILERPLATE) };
}
