import { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../clean/dates.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources.ts";
import { fetchJson } from "./request.ts";
import { sourceChanged } from "../errors.ts";
import { omitEmpty, getNumber, getString } from "../../read/json-access.ts";

export type OembedCall = {
  readonly service: string;
  /** The endpoint with what it needs besides `url` and `format`. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly refusal?: (status: number, text: string) => IngestError | null;
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
export async function askOembed(
  context: ExtractContext,
  call: OembedCall,
  address: string,
): Promise<PartialResult & { readonly html: string | null }> {
  const url = new URL(call.endpoint);
  url.searchParams.set("url", address);
  if (!url.searchParams.has("format") && !url.pathname.endsWith(".json")) url.searchParams.set("format", "json");
  const answer = await fetchJson(context, {
    service: call.service,
    url,
    ...(call.headers === undefined ? {} : { headers: call.headers }),
    refusal: (status, text) => asMereStatus(call.refusal?.(status, text) ?? null),
  });
  const title = getString(answer, "title");
  const html = getString(answer, "html");
  if (title === null && html === null && getString(answer, "author_name") === null) throw sourceChanged(call.service);
  const metadata: TileMetadata = omitEmpty({
    author: getString(answer, "author_name"),
    authorUrl: getString(answer, "author_url"),
    siteName: getString(answer, "provider_name"),
    thumbnailUrl: getString(answer, "thumbnail_url"),
    durationSeconds: getNumber(answer, "duration"),
    publishedAt: toIsoDate(getString(answer, "upload_date")),
  });
  return { title, text: getString(answer, "description"), metadata, html };
}
