import type { FetchedResource } from "#domain/fetch.ts";
import { IngestError, type Ingested } from "#domain/job.ts";
import type { TileMetadata, TileType, TileWarning } from "#domain/tile.ts";
import type { CleanedPage } from "../clean/page.ts";
import { capText, countWords, wellFormed } from "../clean/text.ts";
import { detectKind, type Kind } from "../detect.ts";
import { type Content, tellContent } from "./content.ts";
import type { ExtractContext, Extractor, Moved } from "./extractor.ts";
import { refuseBadStatus } from "./status.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.5";
const FILE_TYPES: ReadonlySet<TileType> = new Set(["PDF", "DOCUMENT", "IMAGE", "AUDIO", "VIDEO", "FEED"]);
const CUT: TileWarning = { code: "truncated", message: "The page is very long; only its beginning was kept." };

/** The kind after redirects: a log-in or consent page doesn't unmake what the link was. */
function settleKind(before: Kind, address: URL): Kind {
  const after = detectKind(address);
  return after.type === "WEBSITE" && !FILE_TYPES.has(before.type) ? before : after;
}

/** A name that promised a file, where a page came, was wrong about it. */
const typeOfPage = (kind: Kind): TileType => (FILE_TYPES.has(kind.type) ? "WEBSITE" : kind.type);

function describe(kind: Kind, page: CleanedPage): TileMetadata {
  const optional = {
    subtype: kind.subtype,
    author: page.author,
    siteName: page.siteName,
    publishedAt: page.publishedAt,
    thumbnailUrl: page.thumbnailUrl,
    language: page.language,
    canonicalUrl: page.canonicalUrl,
  };
  const known = Object.entries(optional).filter(([, value]) => value !== null && value !== undefined);
  return { ...(Object.fromEntries(known) as TileMetadata), wordCount: page.wordCount };
}

const noText = (why: string): IngestError =>
  new IngestError("no_text", `${why} Open the link, copy the text you need and paste it as a text tile.`, { stage: "extract" });

async function readPage(resource: FetchedResource, kind: Kind, context: ExtractContext): Promise<Ingested> {
  const { text: html } = context.decode(resource.body, resource.headers["content-type"]);
  const page = await context.cleaner.clean({ html, url: resource.url }, context.signal);
  if (page.text.trim() === "") throw noText(page.warnings[0]?.message ?? "The page holds no text.");
  return {
    type: typeOfPage(kind),
    title: page.title,
    text: page.text,
    metadata: describe(kind, page),
    warnings: resource.truncated && !page.warnings.some((one) => one.code === CUT.code) ? [...page.warnings, CUT] : page.warnings,
  };
}

function readWords(resource: FetchedResource, kind: Kind, context: ExtractContext): Ingested {
  const decoded = context.decode(resource.body, resource.headers["content-type"]).text;
  const capped = capText(wellFormed(decoded.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")).trim());
  if (capped.text === "") throw noText("The address answers with an empty document.");
  const keeps = kind.type === "DOCUMENT" || kind.type === "FEED";
  return {
    type: keeps ? kind.type : typeOfPage(kind),
    title: null,
    text: capped.text,
    metadata: { ...(kind.subtype === undefined ? {} : { subtype: kind.subtype }), wordCount: countWords(capped.text) },
    warnings: capped.truncated || resource.truncated ? [CUT] : [],
  };
}

function refuseFile(content: Extract<Content, { form: "file" }>): never {
  const article = /^[aeio]/.test(content.name) ? "an" : "a";
  throw new IngestError(
    "unsupported_content",
    `This is ${article} ${content.name}; its text can't be read yet. Paste the part you need as a text tile.`,
    { stage: "extract" },
  );
}

async function extract(context: ExtractContext): Promise<Ingested | Moved> {
  const resource = await context.fetcher.fetch({ url: context.url.href, accept: ACCEPT, maxBytes: MAX_BYTES, signal: context.signal });
  const address = new URL(resource.url);
  const kind = settleKind(context.kind, address);
  if (kind.type !== context.kind.type && context.isServed(kind)) return { moved: address, kind };
  refuseBadStatus(resource, Date.now());
  const content = tellContent(resource.body, resource.headers["content-type"]);
  if (content.form === "html") return readPage(resource, kind, context);
  if (content.form === "text") return readWords(resource, kind, context);
  const refined: Kind = { type: content.type };
  if (content.type !== context.kind.type && context.isServed(refined)) return { moved: address, kind: refined };
  return refuseFile(content);
}

/** Any address that answers with a page or with plain words; files wait for extractors of their own. */
export const webPage: Extractor = { name: "web-page", accepts: () => true, extract };
