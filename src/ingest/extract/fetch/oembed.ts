import { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { isoDate } from "../../clean/dates.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources.ts";
import { fetchJson } from "./request.ts";
import { sourceChanged } from "../errors.ts";
import { known, numberAt, textAt } from "../../read/tree.ts";

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
  const title = textAt(answer, "title");
  const html = textAt(answer, "html");
  if (title === null && html === null && textAt(answer, "author_name") === null) throw sourceChanged(call.service);
  const metadata: TileMetadata = known({
    author: textAt(answer, "author_name"),
    authorUrl: textAt(answer, "author_url"),
    siteName: textAt(answer, "provider_name"),
    thumbnailUrl: textAt(answer, "thumbnail_url"),
    durationSeconds: numberAt(answer, "duration"),
    publishedAt: isoDate(textAt(answer, "upload_date")),
  });
  return { title, text: textAt(answer, "description"), metadata, html };
}
