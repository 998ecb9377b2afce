import { omitEmpty } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { type FetchOptions, fetchPage } from "./request.ts";
import { sourceChangedError } from "../sources/errors.ts";

/** Fetches a page and returns its main text. Used as the last source, because the text has no structure. Throws `IngestError`. */
export async function fetchCleanPage(context: ExtractContext, options: FetchOptions): Promise<PartialResult> {
  const response = await fetchPage(context, options);
  const page = await context.reader.clean({ html: response.text, url: response.resource.url }, context.signal);
  if (page.text.trim() === "") throw sourceChangedError(options.service);
  const { title, text, author, publishedAt, thumbnailUrl, language, canonicalUrl, warnings } = page;
  return {
    title,
    text,
    metadata: omitEmpty({ siteName: options.service, author, publishedAt, thumbnailUrl, language, canonicalUrl }),
    warnings,
    isComplete: !warnings.some(({ code }) => code === "login_wall" || code === "javascript_required" || code === "thin_content"),
  };
}
