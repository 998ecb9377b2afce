import type { UploadedFile } from "#domain/content/file.ts";
import type { TileType } from "#domain/content/tile.ts";
import { sniffContent } from "./content.ts";

/**
 * Returns the type of an upload, by its first bytes, then by its declared type. Plain text and unreadable files, such as programs, are
 * documents; a link to those stays a web page.
 */
export function detectFile(head: Uint8Array, { mediaType }: UploadedFile): TileType {
  const content = sniffContent(head, mediaType);
  if (content.form === "file") return content.type === "WEBSITE" ? "DOCUMENT" : content.type;
  if (content.form === "html") return "WEBSITE";
  return content.form === "feed" ? "FEED" : "DOCUMENT";
}
