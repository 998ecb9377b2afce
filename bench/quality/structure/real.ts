import type { Section } from "../../output/report.ts";
import { readArticles, readSegments, type SetPage } from "../data.ts";
import { readOurs, readPlain } from "../readers.ts";
import { getLine, type PageElement, parseRoot } from "./dom.ts";
import { formatShare, containsCells, normaliseText, type Share, sumShares } from "./scores.ts";

type UnitKind = "table rows" | "list items" | "definitions" | "captions";
/** A row with its cells, or an item, a term, a definition or a caption as the only cell. */
type Unit = { readonly kind: UnitKind; readonly cells: readonly string[] };
/** Text that is known to belong to a page's main part, and text that is known not to. */
export type Known = {
  /** The whole main part, or empty if unknown. */
  readonly truth: string;
  readonly segments: readonly string[];
  readonly unwanted: readonly string[];
};
type Counts = Readonly<Record<UnitKind, Share>>;

const KINDS: readonly UnitKind[] = ["table rows", "list items", "definitions", "captions"];
/** Shorter ones occur in texts by coincidence. */
const MIN_UNIT_LENGTH = 8;
const MIN_SEGMENT_LENGTH = 25;
/** Only the start of a longer unit is compared. */
const MAX_CELL_LENGTH = 80;
/** Characters that a reader may insert between two cells of a row. */
const MAX_CELL_GAP = 10;
const MAX_LEVELS = 12;
const OUTSIDE_MAIN_PART = "nav, form, footer, [role=navigation]";
const STRUCTURES = "table, ul, ol, dl, figure, [class*=caption]";

/** Removes blanks, because readers insert them differently between elements. */
const squeeze = (text: string): string => normaliseText(text).replaceAll(" ", "");
const getText = (element: PageElement): string => squeeze(getLine(element)).slice(0, MAX_CELL_LENGTH);

/** Whether at most half of the text of an element is links. */
function isMainlyText(element: PageElement): boolean {
  const linked = [...element.querySelectorAll("a")].reduce((sum, link) => sum + getLine(link).length, 0);
  return linked * 2 <= getLine(element).length;
}

function listUnits(structure: PageElement): readonly Unit[] {
  const single =
    (kind: UnitKind) =>
    (element: PageElement): Unit => ({ kind, cells: [getText(element)] });
  const children = [...structure.children];
  switch (structure.tagName) {
    case "TABLE":
      // A table that contains another one is a layout.
      if (structure.querySelector("table") !== null) return [];
      return [...structure.querySelectorAll("tr")]
        .map((row): Unit => ({ kind: "table rows", cells: [...row.children].map(getText).filter((cell) => cell !== "") }))
        .filter(({ cells }) => cells.length > 1);
    case "UL":
    case "OL":
      return children.filter((item) => item.tagName === "LI" && item.querySelector("ul, ol") === null).map(single("list items"));
    case "DL":
      return [...structure.querySelectorAll("dt, dd")].map(single("definitions"));
    case "FIGURE":
      return [...structure.querySelectorAll("figcaption")].map(single("captions"));
    default:
      return children.length <= 3 && structure.querySelector(STRUCTURES) === null ? [single("captions")(structure)] : [];
  }
}

/** Whether the nearest ancestor with two known segments of the main part has one before and one after the structure. */
function isBetweenSegments(structure: PageElement, segments: readonly string[], texts: Map<PageElement, string>): boolean {
  const ownText = squeeze(getLine(structure));
  let ancestor = structure.parentElement;
  for (let level = 0; level < MAX_LEVELS && ancestor !== null && ancestor.tagName !== "BODY"; level++) {
    const text = texts.get(ancestor) ?? squeeze(getLine(ancestor));
    texts.set(ancestor, text);
    const positions = segments.map((segment) => text.indexOf(segment)).filter((position) => position >= 0);
    if (positions.length >= 2) {
      const at = text.indexOf(ownText);
      return at >= 0 && positions.some((position) => position < at) && positions.some((position) => position > at);
    }
    ancestor = ancestor.parentElement;
  }
  return false;
}

/** Whether a text contains the cells in order and close together. */
function containsUnit(text: string, cells: readonly string[]): boolean {
  const [first = ""] = cells;
  const reach = cells.reduce((sum, cell) => sum + cell.length + MAX_CELL_GAP, 0);
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1))
    if (containsCells(text.slice(at, at + reach), cells, 0)) return true;
  return false;
}

/** Finds the units of a page that are known to belong to its main part; their texts are normalised and without blanks. */
export function findUnits(html: string, known: Known): readonly Unit[] {
  const truth = squeeze(known.truth);
  const [segments, unwanted] = [known.segments.map(squeeze), known.unwanted.map(squeeze)];
  const root = parseRoot(html);
  for (const hidden of root.querySelectorAll("script, style, template")) hidden.remove();
  const texts = new Map<PageElement, string>();
  const units = new Map<string, Unit>();
  for (const structure of root.querySelectorAll(STRUCTURES)) {
    if (structure.closest(OUTSIDE_MAIN_PART) !== null || !isMainlyText(structure)) continue;
    const ownUnits = listUnits(structure).filter(({ cells }) => cells.join(" ").length >= MIN_UNIT_LENGTH);
    const isBetween = ownUnits.length > 0 && isBetweenSegments(structure, segments, texts);
    for (const unit of ownUnits) {
      const { kind, cells } = unit;
      // A known main part decides, except for captions, which it omits.
      const isInside = truth === "" || kind === "captions" ? isBetween : containsUnit(truth, cells);
      const isUnwanted = unwanted.some((segment) => cells.some((cell) => cell.includes(segment)));
      if (isInside && !isUnwanted) units.set(`${kind} ${cells.join("\u0001")}`, unit);
    }
  }
  return [...units.values()];
}

const countKept = (units: readonly Unit[], text: string): Counts => {
  const countKind = (kind: UnitKind): Share => {
    const all = units.filter((unit) => unit.kind === kind);
    return { part: all.filter(({ cells }) => containsUnit(text, cells)).length, whole: all.length };
  };
  return {
    "table rows": countKind("table rows"),
    "list items": countKind("list items"),
    definitions: countKind("definitions"),
    captions: countKind("captions"),
  };
};

type Measured = { readonly plain: Counts; readonly ours: Counts };

function measurePage(page: SetPage, known: Known): Measured | null {
  const units = findUnits(page.html, known);
  if (units.length === 0) return null;
  return { plain: countKept(units, squeeze(readPlain(page))), ours: countKept(units, squeeze(readOurs(page))) };
}

function buildRows(set: string, pages: readonly Measured[]): readonly (readonly string[])[] {
  return KINDS.map((kind) => {
    const sumKind = (reader: keyof Measured): Share => sumShares(pages.map((page) => page[reader][kind]));
    const ours = sumKind("ours");
    const count = pages.filter((page) => page.ours[kind].whole > 0).length;
    return [`${set}: ${kind}`, String(count), String(ours.whole), formatShare(sumKind("plain")), formatShare(ours)];
  });
}

/**
 * Measures which structures of the real pages of `articles` and `segments` are kept. Those datasets have no reference for structures,
 * so this measures what very probably belongs to the main part: rows, items and definitions in the true text of an article; for
 * captions, and if the whole text is unknown, structures between two known segments of the main part. Navigation, forms, footers, lists
 * of links and structures with an unwanted segment are left out.
 */
export function measureRealPages(data: string): Section | null {
  const articles = readArticles(data);
  const segments = readSegments(data);
  if (articles === null || segments === null) return null;
  const fromArticles = articles.flatMap((page) => {
    const known = { truth: page.truth, segments: page.truth.split("\n").filter((line) => line.length >= MIN_SEGMENT_LENGTH), unwanted: [] };
    return measurePage(page, known) ?? [];
  });
  const fromSegments = segments.flatMap((page) => {
    const known = { truth: "", segments: page.wanted, unwanted: page.unwanted };
    return measurePage(page, known) ?? [];
  });
  return {
    title: "Structures on real pages",
    note: "Kept of what very probably belongs to the main part: it is in the article's true text, or between two segments that are known to belong there.",
    columns: ["", "pages", "number", "Readability", "Tessera"],
    rows: [...buildRows("articles", fromArticles), ...buildRows("segments", fromSegments)],
  };
}
