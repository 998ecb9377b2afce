import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../truncate.ts";
import type { ParsedDocument } from "../format.ts";
import { attributeOf, readXml } from "../markup/xml.ts";
import type { Archive } from "./zip.ts";
import { readProperties } from "./properties.ts";
import { type Relation, relationsOf } from "./relations.ts";
import { writeTable } from "./table.ts";

const MAX_SLIDES = 2_000;
/** Placeholders (ECMA-376, part 1, 19.7.10) whose words are the same on each slide, or count them. */
const FURNITURE = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);
const TITLES = new Set(["title", "ctrTitle"]);
const PRESENTATION = "ppt/presentation.xml";

type Shapes = { readonly title: string | null; readonly blocks: readonly string[] };

/** The words of a slide, of its notes or of a diagram, shape by shape. */
function readShapes(bytes: Uint8Array): Shapes {
  const blocks: string[] = [];
  const found = { title: null as string | null };
  const here = { kind: "", lines: [] as string[], line: [] as string[], level: 0, inText: false, skipped: 0 };
  const table = { rows: [] as string[][], depth: 0 };
  const endLine = (): void => {
    const line = here.line
      .join("")
      .replace(/[^\S\n]+/g, " ")
      .trim();
    here.line = [];
    if (line !== "") here.lines.push("  ".repeat(here.level) + (here.level > 0 ? "- " : "") + line);
  };
  const endShape = (): void => {
    endLine();
    const text = here.lines.join("\n");
    here.lines = [];
    if (text === "" || FURNITURE.has(here.kind)) return;
    if (TITLES.has(here.kind) && found.title === null) found.title = text.replace(/\s+/g, " ");
    else blocks.push(text);
  };
  readXml(bytes, {
    open(name, attributes) {
      if (name === "Fallback") here.skipped++;
      else if (name === "sp") here.kind = "";
      else if (name === "ph") here.kind = attributeOf(attributes, "type") ?? "";
      else if (name === "pPr") here.level = Math.min(8, Number(attributeOf(attributes, "lvl") ?? 0) || 0);
      else if (name === "t") here.inText = true;
      else if (name === "br") here.line.push("\n");
      else if (name === "tbl") table.depth++;
      else if (name === "tr" && table.depth === 1) table.rows.push([]);
    },
    text(text) {
      if (here.inText && here.skipped === 0) here.line.push(text);
    },
    close(name) {
      if (name === "Fallback") here.skipped--;
      else if (name === "t") here.inText = false;
      else if (name === "p") {
        endLine();
        here.level = 0;
      } else if (name === "tc" && table.depth === 1) {
        table.rows.at(-1)?.push(here.lines.join(" "));
        here.lines = [];
      } else if (name === "tbl" && --table.depth === 0) {
        blocks.push(writeTable(table.rows));
        table.rows = [];
      } else if (name === "sp") {
        endShape();
        here.kind = "";
      }
    },
  });
  endShape();
  return { title: found.title, blocks: blocks.filter((block) => block !== "") };
}

function slideNames(archive: Archive): string[] {
  const relations = relationsOf(archive, PRESENTATION);
  const names: string[] = [];
  readXml(archive.read(PRESENTATION) ?? new Uint8Array(), {
    open(name, attributes) {
      // The relation's id has a prefix, the slide's own has none.
      const key = Object.keys(attributes).find((each) => each.endsWith(":id"));
      const slide = name === "sldId" && key !== undefined ? relations.get(attributes[key] ?? "") : undefined;
      if (slide?.kind === "slide") names.push(slide.target);
    },
    isFull: () => names.length >= MAX_SLIDES,
  });
  return names;
}

const partsOf = (archive: Archive, relations: ReadonlyMap<string, Relation>, kind: string): readonly Shapes[] =>
  [...relations.values()]
    .filter((relation) => relation.kind === kind)
    .slice(0, 20)
    .map(({ target }) => archive.read(target))
    .filter((bytes) => bytes !== null)
    .map(readShapes);

const quote = (text: string): string => text.replace(/^/gm, "> ");

/** Reads slides in their order (ECMA-376, part 1, 19: PresentationML): titles as headings, tables, diagrams, notes as quotes. */
export function readPptx(archive: Archive): ParsedDocument {
  const names = slideNames(archive);
  const blocks: string[] = [];
  let length = 0;
  let firstTitle: string | null = null;
  for (const name of names) {
    const bytes = length < MAX_TEXT_LENGTH ? archive.read(name) : null;
    if (bytes === null) continue;
    const slide = readShapes(bytes);
    const relations = relationsOf(archive, name);
    const diagrams = partsOf(archive, relations, "diagramData").flatMap((part) => part.blocks);
    const notes = partsOf(archive, relations, "notesSlide")
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
