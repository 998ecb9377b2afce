import { omitEmpty } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { type FetchOptions, fetchPage } from "./request.ts";
import { sourceChanged } from "../sources/errors.ts";

/** A page's cleaned words, for what no better source tells of. Throws `IngestError`: a bad status, a bar, or no words. */
export async function fetchCleanPage(context: ExtractContext, asked: FetchOptions): Promise<PartialResult> {
  const response = await fetchPage(context, asked);
  const page = await context.reader.clean({ html: response.text, url: response.resource.url }, context.signal);
  if (page.text.trim() === "") throw sourceChanged(asked.service);
  const { title, text, author, publishedAt, thumbnailUrl, language, canonicalUrl, warnings } = page;
  return {
    title,
    text,
    metadata: omitEmpty({ siteName: asked.service, author, publishedAt, thumbnailUrl, language, canonicalUrl }),
    warnings,
    isComplete: !warnings.some(({ code }) => code === "login_wall" || code === "javascript_required" || code === "thin_content"),
  };
}
