import { getAttribute, readXml } from "../markup/xml.ts";
import type { PixelSize } from "./size.ts";

export type Drawing = { readonly title: string | null; readonly text: string; readonly size: PixelSize | null };

const WORDS = new Set(["title", "desc", "text"]);

const lengthOf = (written: string | null): number =>
  /^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(written ?? "") ? Math.round(Number.parseFloat(written ?? "")) : 0;

/** The words of a drawing (SVG 2: `title`, `desc` 5.8, `text` 11) and its size; null where the bytes are no drawing. */
export function readSvg(bytes: Uint8Array): Drawing | null {
  const blocks: string[] = [];
  const told = { root: null as string | null, title: null as string | null, size: null as PixelSize | null };
  const open: { name: string; parts: string[] }[] = [];
  readXml(bytes, {
    open(name, attributes) {
      told.root ??= name;
      if (name === "svg" && told.size === null) {
        const [, , width = 0, height = 0] = (getAttribute(attributes, "viewBox") ?? "")
          .trim()
          .split(/[\s,]+/)
          .map(Number);
        const size = {
          width: lengthOf(getAttribute(attributes, "width")) || width,
          height: lengthOf(getAttribute(attributes, "height")) || height,
        };
        told.size = size.width > 0 && size.height > 0 ? { width: Math.round(size.width), height: Math.round(size.height) } : null;
      }
      if (WORDS.has(name)) open.push({ name, parts: [] });
      else if (name === "tspan") open.at(-1)?.parts.push(" ");
    },
    text: (text) => void open.at(-1)?.parts.push(text),
    close(name) {
      if (!WORDS.has(name)) return;
      const words = (open.pop()?.parts.join("") ?? "").replace(/\s+/g, " ").trim();
      if (words === "") return;
      if (name === "title" && told.title === null) told.title = words.slice(0, 500);
      else blocks.push(words);
    },
    isFull: () => told.root !== "svg" || blocks.length > 20_000,
  });
  return told.root === "svg" ? { title: told.title, text: blocks.join("\n"), size: told.size } : null;
}
