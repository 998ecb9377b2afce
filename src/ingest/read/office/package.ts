import { encryptedError, unsupportedError } from "../errors.ts";
import type { ParsedDocument } from "../format.ts";
import { type Archive, openZip } from "./archive/zip.ts";
import { readXml, type Pieces } from "../markup/xml.ts";

const ODF_TYPE = /^application\/vnd\.oasis\.opendocument\.(?:text|presentation|spreadsheet)/;
const MAX_MEDIA_TYPE_BYTES = 200;

/** Reads the start of a file of ASCII characters. */
function readAscii(archive: Archive, name: string): string {
  const [first = new Uint8Array()] = archive.read(name) ?? [];
  return Buffer.from(first.subarray(0, MAX_MEDIA_TYPE_BYTES)).toString("latin1").trim();
}

/** Whether the XML file contains an element of that name. */
function hasElement(part: Pieces | null, wanted: string): boolean {
  let isFound = false;
  if (part !== null) readXml(part, { open: (name) => void (isFound ||= name === wanted), isFull: () => isFound });
  return isFound;
}

/**
 * Reads a document that is a ZIP archive. Its format is detected by the files in it: Office Open XML (ECMA-376, part 2: the main part is
 * in `word/`, `ppt/` or `xl/`), OpenDocument (ISO/IEC 26300, part 3: `mimetype`, `content.xml`) or EPUB 3.3 (OCF:
 * `META-INF/container.xml`). Throws `IngestError` with `unsupported_content` for other archives.
 */
export async function readPackage(bytes: Uint8Array): Promise<ParsedDocument> {
  const archive = openZip(bytes);
  const has = (name: RegExp): boolean => archive.names.some((each) => name.test(each));
  if (has(/^word\/[^/]+\.xml$/i)) return (await import("./word/docx.ts")).readDocx(archive);
  if (has(/^ppt\/presentation\.xml$/i)) return (await import("./pptx.ts")).readPptx(archive);
  if (has(/^xl\/workbook\.xml$/i)) return (await import("./excel/xlsx.ts")).readXlsx(archive);
  if (has(/^xl\/workbook\.bin$/i)) throw unsupportedError("This is a binary Excel workbook (XLSB), which can't be read. Save it as XLSX.");
  if (has(/^META-INF\/container\.xml$/)) return (await import("./epub.ts")).readEpub(archive);
  if (ODF_TYPE.test(readAscii(archive, "mimetype")) || (has(/^content\.xml$/) && has(/^META-INF\/manifest\.xml$/))) {
    if (hasElement(archive.read("META-INF/manifest.xml"), "encryption-data")) throw encryptedError("document");
    return (await import("./odf/odf.ts")).readOdf(archive);
  }
  if (has(/^Index\/Document\.iwa$/))
    throw unsupportedError("This is a document of Pages, Numbers or Keynote, which can't be read. Export it as PDF or DOCX.");
  throw unsupportedError("This is a zip archive, which is not unpacked. Add its files one by one.");
}
