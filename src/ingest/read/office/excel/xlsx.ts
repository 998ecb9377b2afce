import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../../truncate.ts";
import type { ParsedDocument } from "../../format.ts";
import { getAttribute, readXml, type Pieces } from "../../markup/xml.ts";
import type { Archive } from "../archive/zip.ts";
import { readNumberStyles } from "./number-format.ts";
import { readProperties } from "../properties.ts";
import { readRelations } from "../archive/relations.ts";
import { readSheet, readStrings, type Workbook } from "./sheet.ts";
import { toMarkdownTable } from "../markdown/markdown-table.ts";

const WORKBOOK = "xl/workbook.xml";
const MAX_SHEETS = 200;

type SheetReference = { readonly name: string; readonly relationId: string };

function readWorkbook(part: Pieces | null): { readonly sheets: readonly SheetReference[]; readonly isDate1904: boolean } {
  const sheets: SheetReference[] = [];
  const properties = { isDate1904: false };
  if (part !== null) {
    readXml(part, {
      open(name, attributes) {
        if (name === "workbookPr") properties.isDate1904 = /^(?:1|true|on)$/.test(getAttribute(attributes, "date1904") ?? "");
        if (name !== "sheet") return;
        sheets.push({ name: getAttribute(attributes, "name") ?? "", relationId: getAttribute(attributes, "id") ?? "" });
      },
      isFull: () => sheets.length >= MAX_SHEETS,
    });
  }
  return { sheets, ...properties };
}

/** Reads a workbook (ECMA-376, part 1, 18: SpreadsheetML): each sheet as a heading and a table, cells with a date style as ISO 8601. */
export function readXlsx(archive: Archive): ParsedDocument {
  const { sheets, isDate1904 } = readWorkbook(archive.read(WORKBOOK));
  const relations = readRelations(archive, WORKBOOK);
  const readPart = (kind: string): Pieces | null => {
    const target = [...relations.values()].find((relation) => relation.kind === kind)?.target;
    return target === undefined ? null : archive.read(target);
  };
  const book: Workbook = { strings: readStrings(readPart("sharedStrings")), styles: readNumberStyles(readPart("styles")), isDate1904 };
  const blocks: string[] = [];
  let length = 0;
  let isTruncated = false;
  for (const { name, relationId } of sheets) {
    const target = relations.get(relationId);
    const part = target?.kind === "worksheet" && length < MAX_TEXT_LENGTH ? archive.read(target.target) : null;
    if (part === null) continue;
    const sheet = readSheet(part, book, MAX_TEXT_LENGTH - length);
    const table = toMarkdownTable(sheet.rows);
    isTruncated ||= sheet.isTruncated;
    if (table === "") continue;
    blocks.push(`## ${name}`, table);
    length += name.length + table.length;
  }
  const { title, metadata } = readProperties(archive.read("docProps/core.xml"));
  return {
    title,
    text: blocks.join("\n\n"),
    metadata: { ...metadata, stats: { sheets: sheets.length } },
    warnings: isTruncated || length >= MAX_TEXT_LENGTH ? [FILE_TRUNCATED_WARNING] : [],
  };
}
