import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../truncate.ts";
import type { ParsedDocument } from "../format.ts";
import { getAttribute, readXml, type Pieces } from "../markup/xml.ts";
import type { Archive } from "./archive/zip.ts";
import { readProperties } from "./properties.ts";
import { type Relation, readRelations } from "./archive/relations.ts";
import { toMarkdownTable } from "./markdown/markdown-table.ts";

const MAX_SLIDES = 2_000;
/** Placeholders of headers and footers (ECMA-376, part 1, 19.7.10): dates, repeated text, slide numbers. */
const HEADER_PLACEHOLDERS = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);
const TITLE_PLACEHOLDERS = new Set(["title", "ctrTitle"]);
const PRESENTATION = "ppt/presentation.xml";

type Shapes = { readonly title: string | null; readonly blocks: readonly string[] };

/** Reads the text of a slide, its notes or a diagram, shape by shape. */
function readShapes(part: Pieces): Shapes {
  const blocks: string[] = [];
  const found = { title: null as string | null };
  const shape = { kind: "", lines: [] as string[], line: [] as string[], level: 0, inText: false, skipped: 0 };
  const table = { rows: [] as string[][], depth: 0 };
  const endLine = (): void => {
    const line = shape.line
      .join("")
      .replace(/[^\S\n]+/g, " ")
      .trim();
    shape.line = [];
    if (line !== "") shape.lines.push("  ".repeat(shape.level) + (shape.level > 0 ? "- " : "") + line);
  };
  const endShape = (): void => {
    endLine();
    const text = shape.lines.join("\n");
    shape.lines = [];
    if (text === "" || HEADER_PLACEHOLDERS.has(shape.kind)) return;
    if (TITLE_PLACEHOLDERS.has(shape.kind) && found.title === null) found.title = text.replace(/\s+/g, " ");
    else blocks.push(text);
  };
  readXml(part, {
    open(name, attributes) {
      if (name === "Fallback") shape.skipped++;
      else if (name === "sp") shape.kind = "";
      else if (name === "ph") shape.kind = getAttribute(attributes, "type") ?? "";
      else if (name === "pPr") shape.level = Math.min(8, Number(getAttribute(attributes, "lvl") ?? 0) || 0);
      else if (name === "t") shape.inText = true;
      else if (name === "br") shape.line.push("\n");
      else if (name === "tbl") table.depth++;
      else if (name === "tr" && table.depth === 1) table.rows.push([]);
    },
    text(text) {
      if (shape.inText && shape.skipped === 0) shape.line.push(text);
    },
    close(name) {
      if (name === "Fallback") shape.skipped--;
      else if (name === "t") shape.inText = false;
      else if (name === "p") {
        endLine();
        shape.level = 0;
      } else if (name === "tc" && table.depth === 1) {
        table.rows.at(-1)?.push(shape.lines.join(" "));
        shape.lines = [];
      } else if (name === "tbl" && --table.depth === 0) {
        blocks.push(toMarkdownTable(table.rows));
        table.rows = [];
      } else if (name === "sp") {
        endShape();
        shape.kind = "";
      }
    },
  });
  endShape();
  return { title: found.title, blocks: blocks.filter((block) => block !== "") };
}

function listSlides(archive: Archive): string[] {
  const relations = readRelations(archive, PRESENTATION);
  const names: string[] = [];
  readXml(archive.read(PRESENTATION) ?? [], {
    open(name, attributes) {
      // The relationship id has a namespace prefix; the slide's own id has none.
      const key = Object.keys(attributes).find((each) => each.endsWith(":id"));
      const slide = name === "sldId" && key !== undefined ? relations.get(attributes[key] ?? "") : undefined;
      if (slide?.kind === "slide") names.push(slide.target);
    },
    isFull: () => names.length >= MAX_SLIDES,
  });
  return names;
}

const readParts = (archive: Archive, relations: ReadonlyMap<string, Relation>, kind: string): readonly Shapes[] =>
  [...relations.values()]
    .filter((relation) => relation.kind === kind)
    .slice(0, 20)
    .map(({ target }) => archive.read(target))
    .filter((part) => part !== null)
    .map(readShapes);

const quote = (text: string): string => text.replace(/^/gm, "> ");

/** Reads a presentation in slide order (ECMA-376, part 1, 19: PresentationML): titles as headings, tables, diagrams, notes as quotes. */
export function readPptx(archive: Archive): ParsedDocument {
  const names = listSlides(archive);
  const blocks: string[] = [];
  let length = 0;
  let firstTitle: string | null = null;
  for (const name of names) {
    const part = length < MAX_TEXT_LENGTH ? archive.read(name) : null;
    if (part === null) continue;
    const slide = readShapes(part);
    const relations = readRelations(archive, name);
    const diagrams = readParts(archive, relations, "diagramData").flatMap((part) => part.blocks);
    const notes = readParts(archive, relations, "notesSlide")
      .flatMap((part) => part.blocks)
      .map(quote);
    const all = [...(slide.title === null ? [] : [`## ${slide.title}`]), ...slide.blocks, ...diagrams, ...notes];
    firstTitle ??= slide.title;
    blocks.push(...all);
    length += all.reduce((sum, block) => sum + block.length + 2, 0);
  }
  const { title, metadata } = readProperties(archive.read("docProps/core.xml"));
  return {
    title: title ?? firstTitle,
    text: blocks.join("\n\n"),
    metadata: { ...metadata, stats: { slides: names.length } },
    warnings: length < MAX_TEXT_LENGTH ? [] : [FILE_TRUNCATED_WARNING],
  };
}
