import { IngestError } from "#domain/content/job.ts";
import { htmlToText } from "../../read/markup/html-text.ts";
import { omitEmpty, getNumber } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchOembed } from "../fetch/oembed.ts";
import { buildTitle } from "../posts/post-text.ts";
import type { MetaService } from "./service.ts";

/** Graph API error codes for rate limits: of the app, the user, the page, or this kind of call. */
const RATE_LIMIT_CODES = new Set([4, 17, 32, 613, 368]);
/** Graph API error codes for content that does not exist or is not visible. */
const MISSING_CODES = new Set([24]);
const MAX_HTML_LENGTH = 200_000;

/** Maps an error of the Graph API. The API's own message is not shown, because it could contain the token. */
function mapError(service: MetaService, text: string): IngestError | null {
  let code: number | null;
  try {
    code = getNumber(JSON.parse(text), "error", "code");
  } catch {
    return null;
  }
  if (code === null) return null;
  if (RATE_LIMIT_CODES.has(code))
    return new IngestError("rate_limited", `${service.name} limits requests. Try again later.`, {
      stage: "fetch",
      retryable: true,
    });
  if (MISSING_CODES.has(code))
    return new IngestError("not_found", "This does not exist, was deleted, or is not shown to everybody. Check the link.", {
      stage: "fetch",
    });
  if (code === 100) return new IngestError("http_error", `The API of ${service.name} does not support this address.`, { stage: "fetch" });
  if (code === 1 || code === 2)
    return new IngestError("server_error", `${service.name} reported an internal error. Try again later.`, {
      stage: "fetch",
      retryable: true,
    });
  return new IngestError("forbidden", `${service.name} refused the token of this server (code ${code}). Check META_TOKEN.`, {
    stage: "fetch",
  });
}

/** Reads the text of an embed's HTML, without the lines that every embed has, and the author's name. */
function readEmbed(html: string): { text: string; author: string | null } {
  const lines = htmlToText(html.slice(0, MAX_HTML_LENGTH)).split("\n");
  const author = lines
    .map((line) => /^(?:A post shared by|Posted by|Post by) (.{1,100}?)(?: \(@[\w.]{1,50}\))?(?: on .{1,60})?$/.exec(line.trim())?.[1])
    .find((name) => name !== undefined);
  const textLines = lines.filter(
    (line) => !/^\s*(?:View (?:this (?:post|profile)|more|on) .{0,60}|(?:A post shared|Post(?:ed)?) by .{1,200})$/i.test(line),
  );
  return {
    text: textLines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    author: author ?? null,
  };
}

/** Calls oEmbed with the operator's token. Returns null if there is no token. */
export async function fetchMetaOembed(context: ExtractContext, service: MetaService): Promise<PartialResult | null> {
  const token = context.settings.metaToken;
  const endpoint = service.endpoint(context.kind.subtype ?? "");
  if (token === "" || endpoint === null) return null;
  const call = new URL(endpoint);
  call.searchParams.set("access_token", token);
  const address = new URL(context.url.pathname + context.url.search, context.url.origin);
  const found = await fetchOembed(
    context,
    { service: service.name, endpoint: call.href, mapError: (_status, text) => mapError(service, text) },
    address.href,
  );
  const { text, author: named } = readEmbed(found.html ?? "");
  const author = found.metadata?.author ?? named;
  return {
    title: text === "" ? null : buildTitle(author, service.name, text),
    text: text || null,
    metadata: { ...found.metadata, ...omitEmpty({ author, siteName: service.name }) },
  };
}
