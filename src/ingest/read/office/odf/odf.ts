import { FILE_TRUNCATED_WARNING } from "../../truncate.ts";
import { unreadableError } from "../../errors.ts";
import type { ParsedDocument } from "../../format.ts";
import type { Archive } from "../archive/zip.ts";
import { findFirstHeading, readProperties } from "../properties.ts";
import { readContent } from "./content.ts";

/**
 * Reads an OpenDocument text, presentation or spreadsheet (ISO/IEC 26300, part 1: `content.xml` 3.1.3.2, `meta.xml` 4): headings, lists,
 * tables, notes, and slides in their order.
 */
export function readOdf(archive: Archive): ParsedDocument {
  const part = archive.read("content.xml");
  if (part === null) throw unreadableError();
  const { blocks, slides, isTruncated } = readContent(part);
  const { title, metadata } = readProperties(archive.read("meta.xml"));
  return {
    title: title ?? findFirstHeading(blocks[0] ?? ""),
    text: blocks.join("\n\n"),
    metadata: slides === 0 ? metadata : { ...metadata, stats: { slides } },
    warnings: isTruncated ? [FILE_TRUNCATED_WARNING] : [],
  };
}
