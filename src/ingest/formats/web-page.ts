import type { FetchedResource } from "#domain/content/fetch.ts";
import type { Ingested } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import type { CleanedPage } from "../clean/page.ts";
import { truncationWarning } from "../clean/text.ts";
import type { LinkKind } from "../extract/kind.ts";
import { MAX_INTERSTITIAL_BYTES, findInterstitial } from "../extract/fetch/interstitials.ts";
import { omitEmpty } from "../read/json-access.ts";
import { sniffContent } from "./content.ts";
import { throwUnsupported } from "./file/unsupported.ts";
import { FILE_TYPES, noLinkTextError, readTextFile, toPageType } from "./file/plain-text.ts";
import type { ExtractContext, Extractor, HandOff } from "../extract/extractor.ts";
import { throwForStatus } from "../extract/fetch/status.ts";

const MAX_BYTES = 3 * 1024 * 1024;
const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.5";

/** Returns the kind of the address after redirects. A login or consent page does not change the link's kind. */
function getKindAfterRedirects({ kind: before, detectKind }: ExtractContext, address: URL): LinkKind {
  const after = detectKind(address);
  return after.type === "WEBSITE" && !FILE_TYPES.has(before.type) ? before : after;
}

function toMetadata(kind: LinkKind, page: CleanedPage): TileMetadata {
  const { pageType, author, siteName, publishedAt, thumbnailUrl, language, canonicalUrl, wordCount } = page;
  return {
    ...omitEmpty({ subtype: kind.subtype, pageType, author, siteName, publishedAt, thumbnailUrl, language, canonicalUrl }),
    wordCount,
  };
}

/** Reads the main text of a page. Throws `IngestError` `no_text` if there is none. */
export async function readHtmlPage(resource: FetchedResource, kind: LinkKind, context: ExtractContext): Promise<Ingested> {
  const page = await context.reader.page(
    { body: resource.body, contentType: resource.headers["content-type"], url: resource.url },
    context.signal,
  );
  const cut = truncationWarning("page");
  if (page.text.trim() === "") throw noLinkTextError(page.warnings[0]?.message ?? "No text was found on the page.");
  return {
    type: toPageType(kind),
    title: page.title,
    text: page.text,
    metadata: toMetadata(kind, page),
    warnings: resource.truncated && !page.warnings.some(({ code }) => code === cut.code) ? [...page.warnings, cut] : page.warnings,
  };
}

async function extract(context: ExtractContext): Promise<Ingested | HandOff> {
  const resource =
    context.fetched ??
    (await context.fetcher.fetch({ url: context.url.href, accept: ACCEPT, maxBytes: MAX_BYTES, signal: context.signal }));
  const address = new URL(resource.url);
  // The extractor that handed over the response has determined its kind.
  const kind = context.fetched === undefined ? getKindAfterRedirects(context, address) : context.kind;
  if (kind.type !== context.kind.type && context.isServed(kind))
    return { handOffTo: address, kind, ...(FILE_TYPES.has(kind.type) ? { fetched: resource } : {}) };
  const content = sniffContent(resource.body, resource.headers["content-type"]);
  const start = resource.body.subarray(0, MAX_INTERSTITIAL_BYTES);
  const html = content.form === "html" ? context.decode(start, resource.headers["content-type"]).text : null;
  const interstitial = findInterstitial("The site", resource, html);
  if (interstitial !== null) throw interstitial;
  throwForStatus(resource, context.now());
  if (content.form === "html") return readHtmlPage(resource, kind, context);
  const refined: LinkKind = { type: content.form === "file" ? content.type : "FEED" };
  const isMoreSpecific = content.form !== "text" && refined.type !== "WEBSITE" && refined.type !== context.kind.type;
  if (isMoreSpecific && context.isServed(refined)) return { handOffTo: address, kind: refined, fetched: resource };
  if (content.form !== "file") return readTextFile(resource, kind, context);
  return throwUnsupported(content, resource.body);
}

/** Reads a page that a browser rendered, whatever its address. Nothing is fetched. */
export const renderedPage: Extractor = {
  name: "rendered-page",
  accepts: () => false,
  async extract(context) {
    if (context.fetched === undefined) throw new Error("A rendered page is read without its bytes.");
    return readHtmlPage(context.fetched, context.kind, context);
  },
};

/** Reads web pages and plain text. Hands files and feeds, with the response, to their extractors. */
export const webPage: Extractor = { name: "web-page", accepts: () => true, extract };
