import type { FetchedResource } from "#domain/content/fetch.ts";
import type { Ingested } from "#domain/content/job.ts";
import type { TileMetadata, TileType } from "#domain/content/tile.ts";
import { createSemaphore, type Semaphore } from "#runtime/semaphore.ts";
import { countWords } from "../../clean/text.ts";
import type { ParsedDocument } from "../../read/format.ts";
import { tooLargeError } from "../../read/errors.ts";
import { omitEmpty } from "../../read/json-access.ts";
import { type FileContent, sniffContent } from "../content.ts";
import type { ExtractContext, Extractor, HandOff } from "../../extract/extractor.ts";
import { buildTranscript } from "../../extract/transcript/transcript.ts";
import { throwForStatus } from "../../extract/fetch/status.ts";
import { readPage } from "../web-page.ts";
import { isForModel, readByModel } from "./by-model.ts";
import { runInTurn } from "./run-in-turn.ts";
import { fileNameOf } from "./name.ts";
import { throwUnsupported } from "./unsupported.ts";
import { FILE_TYPES, noText, readWords } from "./plain-text.ts";

const MIB = 1024 * 1024;
/** What is first fetched of a file; of pictures and recordings the beginning says all that can be read. */
const FIRST_BYTES: Partial<Record<TileType, number>> = { IMAGE: 2 * MIB, AUDIO: 2 * MIB, VIDEO: 2 * MIB };
const MAX_FIRST_BYTES = 4 * MIB;
const MAX_BYTES = 24 * MIB;
/** Large files at once in a process, as each of them is in memory up to three times. */
const LARGE_CONCURRENCY = 1;
/** Pictures and recordings that models read at once, as each of them is in memory up to three times. */
const BY_MODEL_CONCURRENCY = 4;
const ACCEPT: Partial<Record<TileType, string>> = { IMAGE: "image/*,*/*;q=0.5", AUDIO: "audio/*,*/*;q=0.5", VIDEO: "video/*,*/*;q=0.5" };
const NEEDS_ITS_END: ReadonlySet<TileType> = new Set(["PDF", "DOCUMENT"]);

const fetchFile = (context: ExtractContext, url: string, maxBytes: number): Promise<FetchedResource> =>
  context.fetcher.fetch({ url, accept: ACCEPT[context.kind.type] ?? "*/*", maxBytes, signal: context.signal });

const sizeTold = ({ headers }: FetchedResource): number | null =>
  /^\d{1,15}$/.test(headers["content-length"] ?? "") && headers["content-encoding"] === undefined
    ? Number(headers["content-length"])
    : null;

const beyond = (): Error => tooLargeError("The file is larger than 24 MiB. Upload it, or paste the part you need.");

/** MP4, Matroska, Ogg and ASF hold sound or pictures; the label, then the name of the link, say which. */
function mediaType(content: FileContent, resource: FetchedResource, promised: TileType): TileType {
  if (content.type !== "AUDIO" && content.type !== "VIDEO") return content.type;
  const label = /^(audio|video)\//i.exec(resource.headers["content-type"] ?? "")?.[1]?.toUpperCase();
  const isOpen = /^(?:OggS|....ftyp(?!M4[ABP])|\x1A\x45\xDF\xA3|\x30\x26\xB2\x75)/s.test(
    Buffer.from(resource.body.subarray(0, 12)).toString("latin1"),
  );
  if (!isOpen) return content.type;
  if (label === "AUDIO" || label === "VIDEO") return label;
  return promised === "AUDIO" || promised === "VIDEO" ? promised : content.type;
}

/** A length in time that was counted from the bytes of a beginning grows with the whole; unknown where that is not told. */
function durationOf({ metadata, countsBytes }: ParsedDocument, resource: FetchedResource, length: number): number | undefined {
  const seconds = metadata.durationSeconds;
  if (seconds === undefined || !countsBytes || !resource.truncated) return seconds;
  const size = sizeTold(resource);
  return size === null || length === 0 ? undefined : Math.round((seconds * size) / length);
}

/** `length` is that of the body, which was given away. */
function toIngested(type: TileType, read: ParsedDocument, resource: FetchedResource, length: number): Ingested {
  const title = read.title ?? fileNameOf(resource);
  const spoken = buildTranscript(read.lines ?? []);
  const before = read.text === "" || spoken.text === "" ? read.text : `${read.text}\n\n`;
  // A picture or a recording is at least its name.
  const text = before + spoken.text || (NEEDS_ITS_END.has(type) ? "" : (title ?? ""));
  if (text === "") throw noText("The file holds no words.");
  const { durationSeconds: _counted, ...metadata } = read.metadata;
  const told: TileMetadata = omitEmpty({
    ...metadata,
    durationSeconds: durationOf(read, resource, length),
    thumbnailUrl: type === "IMAGE" ? resource.url : metadata.thumbnailUrl,
  });
  return {
    type,
    title,
    text,
    ...(spoken.segments.length === 0
      ? {}
      : { segments: spoken.segments.map((one) => ({ ...one, start: one.start + before.length, end: one.end + before.length })) }),
    metadata: { ...told, wordCount: countWords(text) },
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
  if (content.reads === null) return throwUnsupported(content, resource.body);
  const type = mediaType(content, resource, context.kind.type);
  const form = type === "AUDIO" ? "audio" : type === "VIDEO" ? "video" : content.reads;
  const { length } = resource.body;
  const name = fileNameOf(resource);
  const size = resource.truncated ? sizeTold(resource) : length;
  // The reader takes the bytes with it.
  const kept = !resource.truncated && isForModel(context, type, length) ? new Uint8Array(resource.body) : null;
  const read = await context.reader.document(resource.body, form, context.signal);
  const bytes = { kept, fetchWhole: (maxBytes: number) => fetchAgain(context, resource.url, maxBytes) };
  return toIngested(type, await readByModel(context, { type, read, name, size }, bytes, semaphores.byModel), resource, length);
}

async function fetchAgain(context: ExtractContext, address: string, maxBytes: number): Promise<FetchedResource> {
  const whole = await fetchFile(context, address, maxBytes);
  throwForStatus(whole, context.now());
  return whole;
}

/** Fetches a file whole of which only the beginning was fetched, and reads it; few do so at once. */
async function readLarge(context: ExtractContext, address: string, size: number | null, semaphores: Semaphores): Promise<Ingested> {
  if (size !== null && size > MAX_BYTES) throw beyond();
  return runInTurn(semaphores.large, context, context.signal, async () => {
    const whole = await fetchAgain(context, address, MAX_BYTES);
    if (whole.truncated && whole.body.length >= MAX_BYTES) throw beyond();
    const content = sniffContent(whole.body, whole.headers["content-type"]);
    if (content.form !== "file") throw noText("The address answers with one thing now and another then.");
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
  if (content.form === "html") return readPage(first, { type: "WEBSITE" }, context);
  if (content.form === "feed" && context.isServed({ type: "FEED" })) return { handOffTo: address, kind: { type: "FEED" }, fetched: first };
  if (content.form !== "file") {
    const words = await readWords(first, kind, context);
    return { ...words, title: /^#{1,2} ([^\n]{1,300})/.exec(words.text)?.[1] ?? fileNameOf(first) };
  }
  if (first.truncated && content.reads !== null && NEEDS_ITS_END.has(content.type))
    return readLarge(context, first.url, sizeTold(first), semaphores);
  return readFile(context, first, content, semaphores);
}

const TYPES: ReadonlySet<TileType> = new Set(["PDF", "DOCUMENT", "IMAGE", "AUDIO", "VIDEO"]);

/** Makes the extractor of files, with a semaphore for large files and one for files that a model reads. */
export function createFileExtractor(): Extractor {
  const semaphores = {
    large: createSemaphore({ slots: LARGE_CONCURRENCY }),
    byModel: createSemaphore({ slots: BY_MODEL_CONCURRENCY }),
  };
  return { name: "file", accepts: (kind) => TYPES.has(kind.type), extract: (context) => extract(context, semaphores) };
}

/**
 * Any link whose name promises a file, and any address that turned out to be one: PDF, office documents, books, rich text, plain
 * words, pictures, sound and video, told apart by their bytes. What an extractor before fetched is not fetched again unless it was cut.
 */
export const file: Extractor = createFileExtractor();
