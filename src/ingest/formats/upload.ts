import type { UploadedFile } from "#domain/content/file.ts";
import type { TileType } from "#domain/content/tile.ts";
import { sniffContent } from "./content.ts";

/**
 * The kind of an upload: by its first bytes, then by what it calls itself. What is only words is a document, and so is a file that nothing
 * can read, such as a program: it is no website, which is what a link to it stays.
 */
export function detectFile(head: Uint8Array, { mediaType }: UploadedFile): TileType {
  const content = sniffContent(head, mediaType);
  if (content.form === "file") return content.type === "WEBSITE" ? "DOCUMENT" : content.type;
  if (content.form === "html") return "WEBSITE";
  return content.form === "feed" ? "FEED" : "DOCUMENT";
}
