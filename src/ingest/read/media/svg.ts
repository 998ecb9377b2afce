import { getAttribute, readXml } from "../markup/xml.ts";
import type { PixelSize } from "./size.ts";

export type Drawing = { readonly title: string | null; readonly text: string; readonly size: PixelSize | null };

const TEXT_ELEMENTS = new Set(["title", "desc", "text"]);

const parseLength = (written: string | null): number =>
  /^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(written ?? "") ? Math.round(Number.parseFloat(written ?? "")) : 0;

/** Reads the text (SVG 2: `title` and `desc` 5.8, `text` 11) and the size of a drawing. Returns null if the file is not SVG. */
export function readSvg(bytes: Uint8Array): Drawing | null {
  const blocks: string[] = [];
  const found = { root: null as string | null, title: null as string | null, size: null as PixelSize | null };
  const open: { name: string; parts: string[] }[] = [];
  readXml([bytes], {
    open(name, attributes) {
      found.root ??= name;
      if (name === "svg" && found.size === null) {
        const [, , width = 0, height = 0] = (getAttribute(attributes, "viewBox") ?? "")
          .trim()
          .split(/[\s,]+/)
          .map(Number);
        const size = {
          width: parseLength(getAttribute(attributes, "width")) || width,
          height: parseLength(getAttribute(attributes, "height")) || height,
        };
        found.size = size.width > 0 && size.height > 0 ? { width: Math.round(size.width), height: Math.round(size.height) } : null;
      }
      if (TEXT_ELEMENTS.has(name)) open.push({ name, parts: [] });
      else if (name === "tspan") open.at(-1)?.parts.push(" ");
    },
    text: (text) => void open.at(-1)?.parts.push(text),
    close(name) {
      if (!TEXT_ELEMENTS.has(name)) return;
      const text = (open.pop()?.parts.join("") ?? "").replace(/\s+/g, " ").trim();
      if (text === "") return;
      if (name === "title" && found.title === null) found.title = text.slice(0, 500);
      else blocks.push(text);
    },
    isFull: () => found.root !== "svg" || blocks.length > 20_000,
  });
  return found.root === "svg" ? { title: found.title, text: blocks.join("\n"), size: found.size } : null;
}
