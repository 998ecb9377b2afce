import { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../clean/dates.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchJson } from "./request.ts";
import { sourceChangedError } from "../sources/errors.ts";
import { omitEmpty, getNumber, getString } from "../../read/json-access.ts";

export type OembedOptions = {
  readonly service: string;
  /** The endpoint with its parameters other than `url` and `format`. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mapError?: (status: number, text: string) => IngestError | null;
};

/** Changes the stage to `fetch`, so that the error is not permanent: the site may show content that can't be embedded. */
const toNonPermanent = (error: IngestError | null): IngestError | null =>
  error === null
    ? null
    : new IngestError(error.code, error.message, {
        stage: "fetch",
        retryable: error.retryable,
        ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      });

/** Calls an oEmbed endpoint (oembed.com, section 2.3). The result includes the embed's `html`, for callers that parse it. */
export async function fetchOembed(
  context: ExtractContext,
  options: OembedOptions,
  address: string,
): Promise<PartialResult & { readonly html: string | null }> {
  const url = new URL(options.endpoint);
  url.searchParams.set("url", address);
  if (!url.searchParams.has("format") && !url.pathname.endsWith(".json")) url.searchParams.set("format", "json");
  const response = await fetchJson(context, {
    service: options.service,
    url,
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    mapError: (status, text) => toNonPermanent(options.mapError?.(status, text) ?? null),
  });
  const title = getString(response, "title");
  const html = getString(response, "html");
  if (title === null && html === null && getString(response, "author_name") === null) throw sourceChangedError(options.service);
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
