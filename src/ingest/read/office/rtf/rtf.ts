import { toIsoDate } from "../../../clean/dates.ts";
import { FILE_TRUNCATED_WARNING, MAX_TEXT_LENGTH } from "../../truncate.ts";
import type { ParsedDocument } from "../../format.ts";
import { omitEmpty } from "../../json-access.ts";
import { findFirstHeading, normaliseDocumentTitle } from "../properties.ts";
import { RtfInterpreter } from "./interpreter.ts";
import { readTokens } from "./tokens.ts";

/**
 * Reads a rich text file (Microsoft RTF 1.9.1): paragraphs, headings by outline level, lists, tables, all code pages, `\u` characters.
 * Throws `IngestError` `unreadable_file` if its groups are nested too deeply.
 */
export function readRtf(bytes: Uint8Array): ParsedDocument {
  const interpreter = new RtfInterpreter();
  let isTruncated = false;
  for (const token of readTokens(bytes)) {
    interpreter.handle(token);
    // Bytes are decoded in batches, so the length changes with other tokens only.
    if (token.kind !== "byte" && (isTruncated = interpreter.text.length > MAX_TEXT_LENGTH)) break;
  }
  interpreter.flush();
  const text = interpreter.text.finish();
  const { title, author, created } = interpreter.properties;
  return {
    title: normaliseDocumentTitle(title) ?? findFirstHeading(text),
    text,
    metadata: omitEmpty({ author: author.trim(), publishedAt: toCreationDate(created) }),
    warnings: isTruncated ? [FILE_TRUNCATED_WARNING] : [],
  };
}

function toCreationDate([year, month = 1, day = 1, hour = 0, minute = 0]: readonly number[]): string | null {
  const pad = (value: number): string => String(value).padStart(2, "0");
  return year === undefined ? null : toIsoDate(`${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}`);
}
