import { attributeOf, readXml } from "../../markup/xml.ts";

/** The list that a paragraph is an item of: which, and how deep. */
export type ListPlace = { readonly list: string; readonly depth: number };

/** What a paragraph's style makes of it; null where it says nothing. */
export type ParagraphStyle = { readonly heading: number | null; readonly item: ListPlace | null };

export type Styles = (id: string) => ParagraphStyle;

type Told = { name: string; basedOn: string; outline: number | null; list: string | null; depth: number };

const PLAIN: ParagraphStyle = { heading: null, item: null };
const MAX_PARENTS = 10;

/** A heading's depth, from 1, of a style's name, which is English in every language; null where it is none. */
function headingOfName(name: string): number | null {
  const found = /^heading ?([1-6])$/i.exec(name)?.[1];
  return found === undefined ? (/^title$/i.test(name) ? 1 : null) : Number(found);
}

/** An outline level counts from 0; 9 is the body's. */
export const headingOfOutline = (written: string | null): number | null => (/^[0-5]$/.test(written ?? "") ? Number(written) + 1 : null);

/** Reads the styles of paragraphs (ECMA-376, part 1, 17.7), with what they inherit. */
export function readStyles(bytes: Uint8Array | null): Styles {
  const styles = new Map<string, Told>();
  const here: { style: Told | null } = { style: null };
  if (bytes !== null) {
    readXml(bytes, {
      open(name, attributes) {
        const value = attributeOf(attributes, "val");
        const { style } = here;
        if (name === "style") {
          here.style = { name: "", basedOn: "", outline: null, list: null, depth: 0 };
          styles.set(attributeOf(attributes, "styleId") ?? "", here.style);
        } else if (style === null || value === null) return;
        else if (name === "name") style.name = value;
        else if (name === "basedOn") style.basedOn = value;
        else if (name === "outlineLvl") style.outline = headingOfOutline(value);
        else if (name === "numId") style.list = value;
        else if (name === "ilvl") style.depth = Number(value) || 0;
      },
      close(name) {
        if (name === "style") here.style = null;
      },
    });
  }
  return (id) => {
    let heading = styles.has(id) ? null : headingOfName(id);
    let item: ListPlace | null = null;
    for (let style = styles.get(id), left = MAX_PARENTS; style !== undefined && left > 0; style = styles.get(style.basedOn), left--) {
      heading ??= headingOfName(style.name) ?? style.outline;
      if (style.list !== null) item ??= { list: style.list, depth: style.depth };
    }
    return heading === null && item === null ? PLAIN : { heading, item };
  };
}

/** The mark of the next item of a list, such as "- " or "3. "; empty where the list has none. */
export type Marks = (place: ListPlace) => string;

/** Reads how lists are counted (ECMA-376, part 1, 17.9), and counts them. */
export function readNumbering(bytes: Uint8Array | null): Marks {
  const forms = new Map<string, Map<number, string>>();
  const lists = new Map<string, string>();
  const here = { abstract: "", list: "", depth: 0 };
  if (bytes !== null) {
    readXml(bytes, {
      open(name, attributes) {
        const told = (key: string): string => attributeOf(attributes, key) ?? "";
        if (name === "abstractNum") here.abstract = told("abstractNumId");
        else if (name === "num") here.list = told("numId");
        else if (name === "abstractNumId") lists.set(here.list, told("val"));
        else if (name === "lvl") here.depth = Number(told("ilvl")) || 0;
        else if (name === "numFmt" && here.list === "") {
          const levels = forms.get(here.abstract) ?? new Map<number, string>();
          forms.set(here.abstract, levels.set(here.depth, told("val")));
        }
      },
    });
  }
  const counts = new Map<string, number[]>();
  return ({ list, depth }) => {
    const form = forms.get(lists.get(list) ?? "")?.get(depth) ?? "bullet";
    if (form === "none") return "";
    if (form === "bullet") return "- ";
    const counted = (counts.get(list) ?? []).slice(0, depth + 1);
    counted[depth] = (counted[depth] ?? 0) + 1;
    counts.set(list, counted);
    return `${counted[depth]}. `;
  };
}
