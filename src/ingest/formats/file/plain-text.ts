import type { FetchedResource } from "#domain/content/fetch.ts";
import { IngestError, type Ingested } from "#domain/content/job.ts";
import type { TileType } from "#domain/content/tile.ts";
import { truncationWarning } from "../../clean/text.ts";
import type { LinkKind } from "../../extract/kind.ts";
import type { ExtractContext } from "../../extract/extractor.ts";

export const FILE_TYPES: ReadonlySet<TileType> = new Set(["PDF", "DOCUMENT", "IMAGE", "AUDIO", "VIDEO", "FEED"]);

/** Returns the type of a page: a page at an address with a file extension is a web page. */
export const toPageType = (kind: LinkKind): TileType => (FILE_TYPES.has(kind.type) ? "WEBSITE" : kind.type);

/** `reason` is a complete sentence. */
export const noLinkTextError = (reason: string): IngestError =>
  new IngestError("no_text", `${reason} Open the link, copy the text you need and paste it as a text tile.`, { stage: "extract" });

/** Reads plain text such as Markdown, CSV or JSON. Removes the byte order mark and normalises line ends to line feeds. */
export async function readTextFile(resource: FetchedResource, kind: LinkKind, context: ExtractContext): Promise<Ingested> {
  const raw = { body: resource.body, contentType: resource.headers["content-type"], url: resource.url };
  const { text, wordCount, truncated } = await context.reader.plainText(raw, context.signal);
  if (text === "") throw noLinkTextError("The file is empty.");
  const keepsType = kind.type === "DOCUMENT" || kind.type === "FEED";
  return {
    type: keepsType ? kind.type : toPageType(kind),
    title: null,
    text,
    metadata: { ...(kind.subtype === undefined ? {} : { subtype: kind.subtype }), wordCount },
    warnings: truncated || resource.truncated ? [truncationWarning(keepsType ? "file" : "text")] : [],
  };
}
