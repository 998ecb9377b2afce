import { FILE_TRUNCATED_WARNING } from "../../truncate.ts";
import { unreadableError } from "../../errors.ts";
import type { ParsedDocument } from "../../format.ts";
import type { Archive } from "../archive/zip.ts";
import { findFirstHeading, readProperties } from "../properties.ts";
import { readRelations } from "../archive/relations.ts";
import { readDocumentBody } from "./body.ts";
import { readNotes } from "./notes.ts";
import { readNumbering, readStyles } from "./styles.ts";

const DEFAULT_MAIN_PART = "word/document.xml";

/** Returns the name of the main part from the package's relationships (ECMA-376, part 1, 11.3.10), or its usual name. */
function findMainPart(archive: Archive): string {
  const target = [...readRelations(archive, "").values()].find(({ kind }) => kind === "officeDocument")?.target;
  return target !== undefined && archive.names.includes(target) ? target : DEFAULT_MAIN_PART;
}

/** Reads a Word document (WordprocessingML): headings, paragraphs, lists, tables, and footnotes and endnotes at their references. */
export function readDocx(archive: Archive): ParsedDocument {
  const part = archive.read(findMainPart(archive));
  if (part === null) throw unreadableError();
  const { blocks, isTruncated } = readDocumentBody(part, {
    styles: readStyles(archive.read("word/styles.xml")),
    markers: readNumbering(archive.read("word/numbering.xml")),
    notes: readNotes(archive),
  });
  const { title, metadata } = readProperties(archive.read("docProps/core.xml"));
  return {
    title: title ?? findFirstHeading(blocks[0] ?? ""),
    text: blocks.join("\n\n"),
    metadata,
    warnings: isTruncated ? [FILE_TRUNCATED_WARNING] : [],
  };
}
