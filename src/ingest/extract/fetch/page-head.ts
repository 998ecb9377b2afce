import type { PageHead } from "../../clean/head.ts";
import { toIsoDate } from "../../clean/dates.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { type FetchOptions, type TextResponse, fetchPage } from "./request.ts";
import { omitEmpty } from "../../read/json-access.ts";
import { resolveHttpUrl } from "./urls.ts";

/** Fetches a page and parses its head. Throws `IngestError` for a bad status or an interstitial. */
export async function fetchHead(context: ExtractContext, options: FetchOptions): Promise<TextResponse & { readonly head: PageHead }> {
  const response = await fetchPage(context, options);
  return { ...response, head: await context.reader.head({ html: response.text, url: response.resource.url }, context.signal) };
}

/** Reads Open Graph (ogp.me) and related meta tags. */
export function resultFromHead(head: PageHead, address: string): PartialResult {
  const { meta } = head;
  return {
    title: meta["og:title"] ?? meta["twitter:title"] ?? head.title,
    text: meta["og:description"] ?? meta["twitter:description"] ?? meta["description"] ?? null,
    metadata: omitEmpty({
      siteName: meta["og:site_name"] ?? null,
      author: meta["author"] ?? null,
      publishedAt: toIsoDate(meta["article:published_time"] ?? meta["og:updated_time"]),
      thumbnailUrl: resolveHttpUrl(meta["og:image"] ?? meta["og:image:url"] ?? meta["twitter:image"] ?? meta["twitter:image:src"], address),
      canonicalUrl: resolveHttpUrl(head.canonical ?? meta["og:url"], address),
      language: head.language,
    }),
  };
}
