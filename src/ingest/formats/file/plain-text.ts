import type { FetchedResource } from "#domain/content/fetch.ts";
import { IngestError, type Ingested } from "#domain/content/job.ts";
import type { TileType } from "#domain/content/tile.ts";
import { truncationWarning } from "../../clean/text.ts";
import type { Kind } from "../../extract/kind.ts";
import type { ExtractContext } from "../../extract/extractor.ts";

export const FILE_TYPES: ReadonlySet<TileType> = new Set(["PDF", "DOCUMENT", "IMAGE", "AUDIO", "VIDEO", "FEED"]);

/** A page behind a link with a file extension is a web page. */
export const typeOfPage = (kind: Kind): TileType => (FILE_TYPES.has(kind.type) ? "WEBSITE" : kind.type);

export const noTextError = (why: string): IngestError =>
  new IngestError("no_text", `${why} Open the link, copy the text you need and paste it as a text tile.`, { stage: "extract" });

/** Reads plain text (text, Markdown, CSV, JSON …) without byte order mark and with line feeds as line ends. */
export async function readPlainText(resource: FetchedResource, kind: Kind, context: ExtractContext): Promise<Ingested> {
  const raw = { body: resource.body, contentType: resource.headers["content-type"], url: resource.url };
  const words = await context.reader.plainText(raw, context.signal);
  if (words.text === "") throw noTextError("It has no text.");
  const keeps = kind.type === "DOCUMENT" || kind.type === "FEED";
  return {
    type: keeps ? kind.type : typeOfPage(kind),
    title: null,
    text: words.text,
    metadata: { ...(kind.subtype === undefined ? {} : { subtype: kind.subtype }), wordCount: words.wordCount },
    warnings: words.truncated || resource.truncated ? [truncationWarning(keeps ? "file" : "text")] : [],
  };
}
