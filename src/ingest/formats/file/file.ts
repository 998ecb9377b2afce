import type { FetchedResource } from "#domain/content/fetch.ts";
import type { Ingested } from "#domain/content/job.ts";
import type { TileMetadata, TileType } from "#domain/content/tile.ts";
import { createSemaphore, type Semaphore } from "#runtime/turns/semaphore.ts";
import { countWords } from "../../clean/text.ts";
import type { ParsedDocument } from "../../read/format.ts";
import { tooLargeError } from "../../read/errors.ts";
import { omitEmpty } from "../../read/json-access.ts";
import { type FileContent, sniffContent } from "../content.ts";
import type { ExtractContext, Extractor, HandOff } from "../../extract/extractor.ts";
import { buildTranscript } from "../../extract/transcript/transcript.ts";
import { throwForStatus } from "../../extract/fetch/status.ts";
import { readHtmlPage } from "../web-page.ts";
import { isForModel, readByModel } from "./by-model.ts";
import { runInSlot } from "./run-in-slot.ts";
import { getFileName } from "./name.ts";
import { throwUnsupported } from "./unsupported.ts";
import { FILE_TYPES, noLinkTextError, readTextFile } from "./plain-text.ts";

const MIB = 1024 * 1024;
/** Bytes of the first request, for types whose metadata is at the start of the file. */
const FIRST_BYTES: Partial<Record<TileType, number>> = { IMAGE: 2 * MIB, AUDIO: 2 * MIB, VIDEO: 2 * MIB };
const MAX_FIRST_BYTES = 4 * MIB;
const MAX_BYTES = 24 * MIB;
/** Large files, and files that models read, that one process handles at once. Each is in memory up to three times. */
const LARGE_CONCURRENCY = 1;
const BY_MODEL_CONCURRENCY = 4;
/** More of each for businesses with nothing of the kind running, one each. A slow origin or model delays nobody else's file. */
const RESERVED_LARGE = 2;
const RESERVED_BY_MODEL = 4;
const ACCEPT: Partial<Record<TileType, string>> = { IMAGE: "image/*,*/*;q=0.5", AUDIO: "audio/*,*/*;q=0.5", VIDEO: "video/*,*/*;q=0.5" };
const NEEDS_WHOLE_FILE: ReadonlySet<TileType> = new Set(["PDF", "DOCUMENT"]);

const fetchFile = (context: ExtractContext, url: string, maxBytes: number): Promise<FetchedResource> =>
  context.fetcher.fetch({ url, accept: ACCEPT[context.kind.type] ?? "*/*", maxBytes, signal: context.signal });

const getDeclaredSize = ({ headers }: FetchedResource): number | null =>
  /^\d{1,15}$/.test(headers["content-length"] ?? "") && headers["content-encoding"] === undefined
    ? Number(headers["content-length"])
    : null;

const fileTooLargeError = (): Error => tooLargeError("The file is larger than 24 MiB. Upload it, or paste the part you need.");

/** Detects whether a file is audio or video. MP4, Matroska, Ogg and ASF may be either: the content type decides, then the link's extension. */
function detectMediaType(content: FileContent, resource: FetchedResource, expected: TileType): TileType {
  if (content.type !== "AUDIO" && content.type !== "VIDEO") return content.type;
  const label = /^(audio|video)\//i.exec(resource.headers["content-type"] ?? "")?.[1]?.toUpperCase();
  const mayBeEither = /^(?:OggS|....ftyp(?!M4[ABP])|\x1A\x45\xDF\xA3|\x30\x26\xB2\x75)/s.test(
    Buffer.from(resource.body.subarray(0, 12)).toString("latin1"),
  );
  if (!mayBeEither) return content.type;
  if (label === "AUDIO" || label === "VIDEO") return label;
  return expected === "AUDIO" || expected === "VIDEO" ? expected : content.type;
}

/** Scales a duration that was computed from a partial file to its full size; undefined where that is unknown. */
function estimateDuration(
  { metadata, isDurationFromBytes }: ParsedDocument,
  resource: FetchedResource,
  length: number,
): number | undefined {
  const seconds = metadata.durationSeconds;
  if (seconds === undefined || !isDurationFromBytes || !resource.truncated) return seconds;
  const size = getDeclaredSize(resource);
  return size === null || length === 0 ? undefined : Math.round((seconds * size) / length);
}

/** Converts a parsed file. `length` is the size of the body, which was transferred to the parser's thread. */
function toIngested(type: TileType, read: ParsedDocument, resource: FetchedResource, length: number): Ingested {
  const title = read.title ?? getFileName(resource);
  const spoken = buildTranscript(read.lines ?? []);
  const before = read.text === "" || spoken.text === "" ? read.text : `${read.text}\n\n`;
  // A picture or recording without text has at least its name.
  const text = before + spoken.text || (NEEDS_WHOLE_FILE.has(type) ? "" : (title ?? ""));
  if (text === "") throw noLinkTextError("The file has no text.");
  const { durationSeconds: _durationOfPart, ...metadata } = read.metadata;
  const fullMetadata: TileMetadata = omitEmpty({
    ...metadata,
    durationSeconds: estimateDuration(read, resource, length),
    thumbnailUrl: type === "IMAGE" ? resource.url : metadata.thumbnailUrl,
  });
  return {
    type,
    title,
    text,
    ...(spoken.segments.length === 0
      ? {}
      : { segments: spoken.segments.map((one) => ({ ...one, start: one.start + before.length, end: one.end + before.length })) }),
    metadata: { ...fullMetadata, wordCount: countWords(text) },
    warnings: read.warnings,
  };
}

type Semaphores = { readonly large: Semaphore; readonly byModel: Semaphore };

async function readFile(
  context: ExtractContext,
  resource: FetchedResource,
  content: FileContent,
  semaphores: Semaphores,
): Promise<Ingested> {
  if (content.format === null) return throwUnsupported(content, resource.body);
  const type = detectMediaType(content, resource, context.kind.type);
  const format = type === "AUDIO" ? "audio" : type === "VIDEO" ? "video" : content.format;
  const { length } = resource.body;
  const name = getFileName(resource);
  const size = resource.truncated ? getDeclaredSize(resource) : length;
  // The model needs a copy, because the body is transferred to the parser's thread.
  const complete = !resource.truncated && isForModel(context, type, length) ? new Uint8Array(resource.body) : null;
  const read = await context.reader.document(resource.body, format, context.signal);
  const bytes = { complete, fetchWhole: (maxBytes: number) => fetchAgain(context, resource.url, maxBytes) };
  return toIngested(type, await readByModel(context, { type, read, name, size }, bytes, semaphores.byModel), resource, length);
}

async function fetchAgain(context: ExtractContext, address: string, maxBytes: number): Promise<FetchedResource> {
  const whole = await fetchFile(context, address, maxBytes);
  throwForStatus(whole, context.now());
  return whole;
}

/** Fetches and reads a file whose first response was truncated. */
async function readLarge(context: ExtractContext, address: string, size: number | null, semaphores: Semaphores): Promise<Ingested> {
  if (size !== null && size > MAX_BYTES) throw fileTooLargeError();
  return runInSlot(semaphores.large, context, context.signal, async () => {
    const whole = await fetchAgain(context, address, MAX_BYTES);
    if (whole.truncated && whole.body.length >= MAX_BYTES) throw fileTooLargeError();
    const content = sniffContent(whole.body, whole.headers["content-type"]);
    if (content.form !== "file") throw noLinkTextError("The address returned different content on the second request.");
    return readFile(context, whole, content, semaphores);
  });
}

async function extract(context: ExtractContext, semaphores: Semaphores): Promise<Ingested | HandOff> {
  const { kind, url } = context;
  const first = context.fetched ?? (await fetchFile(context, url.href, FIRST_BYTES[kind.type] ?? MAX_FIRST_BYTES));
  const address = URL.parse(first.url) ?? url;
  const after = context.detectKind(address);
  const isElsewhere = after.type !== "WEBSITE" && !FILE_TYPES.has(after.type);
  const content = sniffContent(first.body, first.headers["content-type"]);
  if (isElsewhere && content.form === "html" && context.isServed(after)) return { handOffTo: address, kind: after };
  throwForStatus(first, context.now());
  if (content.form === "html") return readHtmlPage(first, { type: "WEBSITE" }, context);
  if (content.form === "feed" && context.isServed({ type: "FEED" })) return { handOffTo: address, kind: { type: "FEED" }, fetched: first };
  if (content.form !== "file") {
    const document = await readTextFile(first, kind, context);
    return { ...document, title: /^#{1,2} ([^\n]{1,300})/.exec(document.text)?.[1] ?? getFileName(first) };
  }
  if (first.truncated && content.format !== null && NEEDS_WHOLE_FILE.has(content.type))
    return readLarge(context, first.url, getDeclaredSize(first), semaphores);
  return readFile(context, first, content, semaphores);
}

const TYPES: ReadonlySet<TileType> = new Set(["PDF", "DOCUMENT", "IMAGE", "AUDIO", "VIDEO"]);

/** Creates the extractor of files, with a semaphore for large files and one for files that a model reads. */
export function createFileExtractor(): Extractor {
  const semaphores = {
    large: createSemaphore({ slots: LARGE_CONCURRENCY, reserved: RESERVED_LARGE }),
    byModel: createSemaphore({ slots: BY_MODEL_CONCURRENCY, reserved: RESERVED_BY_MODEL }),
  };
  return { name: "file", accepts: (kind) => TYPES.has(kind.type), extract: (context) => extract(context, semaphores) };
}

/**
 * Reads files: PDF, office documents, books, rich text, plain text, pictures, audio and video, detected by their bytes. They are found by
 * the link's extension, or by the response of a previous extractor, which is fetched again only if it is incomplete.
 */
export const file: Extractor = createFileExtractor();
