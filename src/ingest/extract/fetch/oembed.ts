import { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../clean/dates.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchJson } from "./request.ts";
import { sourceChanged } from "../sources/errors.ts";
import { omitEmpty, getNumber, getString } from "../../read/json-access.ts";

export type OembedOptions = {
  readonly service: string;
  /** The endpoint with its parameters other than `url` and `format`. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mapError?: (status: number, text: string) => IngestError | null;
};

/** Makes a permanent error of oEmbed a mere status: embedding may be disabled for content that the site itself shows. */
const toNonPermanent = (error: IngestError | null): IngestError | null =>
  error === null
    ? null
    : new IngestError(error.code, error.message, {
        stage: "fetch",
        retryable: error.retryable,
        ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      });

/** Calls an oEmbed endpoint (oembed.com, section 2.3). Also returns the embed's `html` for callers that parse it. */
export async function fetchOembed(
  context: ExtractContext,
  call: OembedOptions,
  address: string,
): Promise<PartialResult & { readonly html: string | null }> {
  const url = new URL(call.endpoint);
  url.searchParams.set("url", address);
  if (!url.searchParams.has("format") && !url.pathname.endsWith(".json")) url.searchParams.set("format", "json");
  const response = await fetchJson(context, {
    service: call.service,
    url,
    ...(call.headers === undefined ? {} : { headers: call.headers }),
    mapError: (status, text) => toNonPermanent(call.mapError?.(status, text) ?? null),
  });
  const title = getString(response, "title");
  const html = getString(response, "html");
  if (title === null && html === null && getString(response, "author_name") === null) throw sourceChanged(call.service);
  const metadata: TileMetadata = omitEmpty({
    author: getString(response, "author_name"),
    authorUrl: getString(response, "author_url"),
    siteName: getString(response, "provider_name"),
    thumbnailUrl: getString(response, "thumbnail_url"),
    durationSeconds: getNumber(response, "duration"),
    publishedAt: toIsoDate(getString(response, "upload_date")),
  });
  return { title, text: getString(response, "description"), metadata, html };
}
