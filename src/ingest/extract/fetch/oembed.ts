import { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { isoDate } from "../../clean/dates.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchJson } from "./request.ts";
import { sourceChanged } from "../sources/errors.ts";
import { known, numberAt, textAt } from "../../read/tree.ts";

export type OembedOptions = {
  readonly service: string;
  /** The endpoint with what it needs besides `url` and `format`. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mapError?: (status: number, text: string) => IngestError | null;
};

/** Embedding may be off where the thing itself is shown, so what a status of this endpoint means ends no chain. */
const asMereStatus = (error: IngestError | null): IngestError | null =>
  error === null
    ? null
    : new IngestError(error.code, error.message, {
        stage: "fetch",
        retryable: error.retryable,
        ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      });

/** What an oEmbed endpoint (oembed.com, section 2.3) tells of an address, with its `html` for those who know how to read it. */
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
    mapError: (status, text) => asMereStatus(call.mapError?.(status, text) ?? null),
  });
  const title = textAt(response, "title");
  const html = textAt(response, "html");
  if (title === null && html === null && textAt(response, "author_name") === null) throw sourceChanged(call.service);
  const metadata: TileMetadata = known({
    author: textAt(response, "author_name"),
    authorUrl: textAt(response, "author_url"),
    siteName: textAt(response, "provider_name"),
    thumbnailUrl: textAt(response, "thumbnail_url"),
    durationSeconds: numberAt(response, "duration"),
    publishedAt: isoDate(textAt(response, "upload_date")),
  });
  return { title, text: textAt(response, "description"), metadata, html };
}
