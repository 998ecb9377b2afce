import { FILE_TRUNCATED_WARNING } from "../../truncate.ts";
import { unreadableError } from "../../errors.ts";
import type { ParsedDocument } from "../../format.ts";
import type { Archive } from "../zip.ts";
import { headingOf, readProperties } from "../properties.ts";
import { relationsOf } from "../relations.ts";
import { readBody } from "./body.ts";
import { readNotes } from "./notes.ts";
import { readNumbering, readStyles } from "./styles.ts";

const MAIN = "word/document.xml";

/** The name of the main part: that of the package's own relations (ECMA-376, part 1, 11.3.10), else the one that all programs use. */
function mainOf(archive: Archive): string {
  const told = [...relationsOf(archive, "").values()].find(({ kind }) => kind === "officeDocument")?.target;
  return told !== undefined && archive.names.includes(told) ? told : MAIN;
}

/** Reads a document of Word (WordprocessingML): headings, paragraphs, lists, tables, foot- and endnotes where they are referred to. */
export function readDocx(archive: Archive): ParsedDocument {
  const bytes = archive.read(mainOf(archive));
  if (bytes === null) throw unreadableError();
  const { blocks, isCut } = readBody(bytes, {
    styles: readStyles(archive.read("word/styles.xml")),
    marks: readNumbering(archive.read("word/numbering.xml")),
    notes: readNotes(archive),
  });
  const { title, metadata } = readProperties(archive.read("docProps/core.xml"));
  return {
    title: title ?? headingOf(blocks[0] ?? ""),
    text: blocks.join("\n\n"),
    metadata,
    warnings: isCut ? [FILE_TRUNCATED_WARNING] : [],
  };
}
