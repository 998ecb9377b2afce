import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../../truncate.ts";
import type { ParsedDocument } from "../../format.ts";
import { attributeOf, readXml } from "../../markup/xml.ts";
import type { Archive } from "../zip.ts";
import { readNumberStyles } from "./number-format.ts";
import { readProperties } from "../properties.ts";
import { relationsOf } from "../relations.ts";
import { readSheet, readStrings, type Workbook } from "./sheet.ts";
import { writeTable } from "../table.ts";

const WORKBOOK = "xl/workbook.xml";
const MAX_SHEETS = 200;

type SheetPlace = { readonly name: string; readonly relation: string };

function readWorkbook(bytes: Uint8Array | null): { readonly sheets: readonly SheetPlace[]; readonly counts1904: boolean } {
  const sheets: SheetPlace[] = [];
  const told = { counts1904: false };
  if (bytes !== null) {
    readXml(bytes, {
      open(name, attributes) {
        if (name === "workbookPr") told.counts1904 = /^(?:1|true|on)$/.test(attributeOf(attributes, "date1904") ?? "");
        if (name !== "sheet") return;
        sheets.push({ name: attributeOf(attributes, "name") ?? "", relation: attributeOf(attributes, "id") ?? "" });
      },
      isFull: () => sheets.length >= MAX_SHEETS,
    });
  }
  return { sheets, ...told };
}

/** Reads a workbook (ECMA-376, part 1, 18: SpreadsheetML): each sheet as a heading and a table, dates as ISO 8601 where their style tells. */
export function readXlsx(archive: Archive): ParsedDocument {
  const { sheets, counts1904 } = readWorkbook(archive.read(WORKBOOK));
  const relations = relationsOf(archive, WORKBOOK);
  const partOf = (kind: string): Uint8Array | null => {
    const target = [...relations.values()].find((relation) => relation.kind === kind)?.target;
    return target === undefined ? null : archive.read(target);
  };
  const book: Workbook = { strings: readStrings(partOf("sharedStrings")), styles: readNumberStyles(partOf("styles")), counts1904 };
  const blocks: string[] = [];
  let length = 0;
  let isCut = false;
  for (const { name, relation } of sheets) {
    const target = relations.get(relation);
    const bytes = target?.kind === "worksheet" && length < MAX_TEXT_LENGTH ? archive.read(target.target) : null;
    if (bytes === null) continue;
    const sheet = readSheet(bytes, book, MAX_TEXT_LENGTH - length);
    const table = writeTable(sheet.rows);
    isCut ||= sheet.isCut;
    if (table === "") continue;
    blocks.push(`## ${name}`, table);
    length += name.length + table.length;
  }
  const { title, metadata } = readProperties(archive.read("docProps/core.xml"));
  return {
    title,
    text: blocks.join("\n\n"),
    metadata: { ...metadata, stats: { sheets: sheets.length } },
    warnings: isCut || length >= MAX_TEXT_LENGTH ? [FILE_TRUNCATED_WARNING] : [],
  };
}
