import { getAttribute, readXml, type Pieces } from "../../markup/xml.ts";

/** The list that a paragraph is an item of, and the depth of the item from 0. */
export type ListLevel = { readonly list: string; readonly depth: number };

/** The heading level from 1 and the list that a style sets; null if it sets none. */
export type ParagraphStyle = { readonly heading: number | null; readonly list: ListLevel | null };

/** Returns the style with that id. */
export type Styles = (id: string) => ParagraphStyle;

type StyleDefinition = { name: string; basedOn: string; outline: number | null; list: string | null; depth: number };

const PLAIN: ParagraphStyle = { heading: null, list: null };
const MAX_PARENTS = 10;

/** Returns the heading level of a built-in style, or null. Built-in style names are English in documents of every language. */
function getHeadingLevelOfStyle(name: string): number | null {
  const found = /^heading ?([1-6])$/i.exec(name)?.[1];
  return found === undefined ? (/^title$/i.test(name) ? 1 : null) : Number(found);
}

/** Converts an outline level, which counts from 0, to a heading level. Returns null for 9, which is body text. */
export const getHeadingLevelOfOutline = (written: string | null): number | null =>
  /^[0-5]$/.test(written ?? "") ? Number(written) + 1 : null;

/** Reads the paragraph styles (ECMA-376, part 1, 17.7), including inherited properties. */
export function readStyles(part: Pieces | null): Styles {
  const styles = new Map<string, StyleDefinition>();
  const current: { style: StyleDefinition | null } = { style: null };
  if (part !== null) {
    readXml(part, {
      open(name, attributes) {
        const value = getAttribute(attributes, "val");
        const { style } = current;
        if (name === "style") {
          current.style = { name: "", basedOn: "", outline: null, list: null, depth: 0 };
          styles.set(getAttribute(attributes, "styleId") ?? "", current.style);
        } else if (style === null || value === null) return;
        else if (name === "name") style.name = value;
        else if (name === "basedOn") style.basedOn = value;
        else if (name === "outlineLvl") style.outline = getHeadingLevelOfOutline(value);
        else if (name === "numId") style.list = value;
        else if (name === "ilvl") style.depth = Number(value) || 0;
      },
      close(name) {
        if (name === "style") current.style = null;
      },
    });
  }
  return (id) => {
    let heading = styles.has(id) ? null : getHeadingLevelOfStyle(id);
    let list: ListLevel | null = null;
    for (let style = styles.get(id), left = MAX_PARENTS; style !== undefined && left > 0; style = styles.get(style.basedOn), left--) {
      heading ??= getHeadingLevelOfStyle(style.name) ?? style.outline;
      if (style.list !== null) list ??= { list: style.list, depth: style.depth };
    }
    return heading === null && list === null ? PLAIN : { heading, list };
  };
}

/** Returns the marker of the next item of a list, such as "- " or "3. ", or an empty string if its items have none. */
export type ListMarkers = (level: ListLevel) => string;

/** Reads the number formats of lists (ECMA-376, part 1, 17.9). The result counts the items. */
export function readNumbering(part: Pieces | null): ListMarkers {
  const formats = new Map<string, Map<number, string>>();
  const lists = new Map<string, string>();
  const current = { abstract: "", list: "", depth: 0 };
  if (part !== null) {
    readXml(part, {
      open(name, attributes) {
        const get = (key: string): string => getAttribute(attributes, key) ?? "";
        if (name === "abstractNum") current.abstract = get("abstractNumId");
        else if (name === "num") current.list = get("numId");
        else if (name === "abstractNumId") lists.set(current.list, get("val"));
        else if (name === "lvl") current.depth = Number(get("ilvl")) || 0;
        else if (name === "numFmt" && current.list === "") {
          const levels = formats.get(current.abstract) ?? new Map<number, string>();
          formats.set(current.abstract, levels.set(current.depth, get("val")));
        }
      },
    });
  }
  const counts = new Map<string, number[]>();
  return ({ list, depth }) => {
    const format = formats.get(lists.get(list) ?? "")?.get(depth) ?? "bullet";
    if (format === "none") return "";
    if (format === "bullet") return "- ";
    const numbers = (counts.get(list) ?? []).slice(0, depth + 1);
    numbers[depth] = (numbers[depth] ?? 0) + 1;
    counts.set(list, numbers);
    return `${numbers[depth]}. `;
  };
}
