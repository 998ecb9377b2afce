import type { TileType } from "#domain/content/tile.ts";
import type { FileFormat } from "../read/format.ts";
import { isFeedText } from "../read/feed/detect.ts";

/** A file: the type of its tile, the name of its format in messages, and the format to parse; null if it can't be parsed. */
export type FileContent = {
  readonly form: "file";
  readonly type: TileType;
  readonly name: string;
  readonly format: FileFormat | null;
  /** What users can do if it can't be parsed. */
  readonly advice?: string;
};

/** The kind of a response body: a page, plain text, a feed, or a file. */
export type Content = { readonly form: "html" } | { readonly form: "text" } | { readonly form: "feed" } | FileContent;

/** Bytes at the start that are examined. */
const HEAD_BYTES = 1_024;
const MARKUP_BYTES = 4_096;

const createFile = (type: TileType, name: string, format: FileFormat | null = null, advice?: string): FileContent => ({
  form: "file",
  type,
  name,
  format,
  ...(advice === undefined ? {} : { advice }),
});

const PDF = createFile("PDF", "PDF", "pdf");
const OFFICE = createFile("DOCUMENT", "office document or book", "zip");
const RTF = createFile("DOCUMENT", "rich text document", "rtf");
const OLD_OFFICE = createFile(
  "DOCUMENT",
  "document in the old binary format of Office",
  null,
  "Open it, save it as DOCX, XLSX or PPTX, and add that, or paste the part you need as a text tile.",
);
const PICTURE = createFile("IMAGE", "picture", "image");
const AUDIO = createFile("AUDIO", "audio file", "audio");
const VIDEO = createFile("VIDEO", "video file", "video");
const PLAYLIST = createFile(
  "VIDEO",
  "playlist of a stream (HLS or DASH), which contains no text",
  null,
  "Use the link of the page that shows the video, or paste its text.",
);

/** Signatures of file formats, in Latin-1, from the "file" database and the formats' specifications. */
const MAGIC: readonly (readonly [RegExp, FileContent])[] = [
  [/^[\s\S]{0,16}%PDF-/, PDF],
  [/^PK(?:\x03\x04|\x05\x06)[\s\S]*(?:mimetypeapplication\/epub|word\/|ppt\/|xl\/|vnd\.oasis|\[Content_Types\])/, OFFICE],
  [/^PK(?:\x03\x04|\x05\x06)/, createFile("DOCUMENT", "zip archive", "zip")],
  [/^\xD0\xCF\x11\xE0/, OLD_OFFICE],
  [/^\{\\rtf/, RTF],
  [
    /^(?:\x89PNG|\xFF\xD8\xFF|GIF8[79]a|II\*\0|MM\0\*|RIFF[\s\S]{4}WEBP|[\s\S]{4}ftyp(?:avif|avis|heic|heix|mif1|msf1)|\0\0\0\x0CJXL )/,
    PICTURE,
  ],
  [/^BM[\s\S]{4}\0\0\0\0[\s\S]\0\0\0/, PICTURE],
  [/^(?:ID3|fLaC|OggS|RIFF[\s\S]{4}WAVE|FORM[\s\S]{4}AIF[FC]|wvpk|MPCK|MP\+|[\s\S]{4}ftypM4[ABP]|\xFF[\xFB\xFA\xF3\xF2\xF1\xF9])/, AUDIO],
  [/^(?:[\s\S]{4}ftyp|[\s\S]{4}moov|\x1A\x45\xDF\xA3|RIFF[\s\S]{4}AVI |FLV\x01|\0\0\x01\xBA|\x30\x26\xB2\x75\x8E\x66\xCF\x11)/, VIDEO],
  [/^(?:\x1F\x8B|7z\xBC\xAF|Rar!|BZh\d|\xFD7zXZ)/, createFile("WEBSITE", "archive")],
  [/^(?:\x7FELF|MZ[\s\S]{60,}PE\0\0)/, createFile("WEBSITE", "program")],
  [/^(?:\xEF\xBB\xBF)?#EXTM3U/, PLAYLIST],
];

const BY_TYPE: readonly (readonly [RegExp, Content])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, { form: "html" }],
  [/^application\/(?:x-)?pdf$/, PDF],
  [/^(?:application|audio)\/(?:vnd\.apple\.mpegurl|x-mpegurl|mpegurl|dash\+xml)$/, PLAYLIST],
  [/^image\//, PICTURE],
  [/^audio\//, AUDIO],
  [/^video\//, VIDEO],
  [/^(?:application|text)\/(?:x-)?rtf$/, RTF],
  [/^application\/(?:msword|vnd\.ms-(?:excel|powerpoint|word)\b.*)$/, OLD_OFFICE],
  [/^application\/(?:epub\+zip|vnd\.(?:openxmlformats|oasis|ms-)[\w.+-]*)$/, OFFICE],
  [/^text\/|^application\/(?:json|xml|[\w.-]+\+(?:json|xml)|yaml|x-yaml|javascript|toml|sql|x-ndjson)$/, { form: "text" }],
];

const decodeLatin1 = (body: Uint8Array, maxBytes: number): string =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, maxBytes)).toString("latin1");
const UTF16 = /^(?:\xFF\xFE|\xFE\xFF)/;
const HTML_START = /^<(?:!doctype\s+html|html|head|body|title|meta|script|div|article|main|h1|p)[\s>/]/i;

/** Returns the body from its first element on, after declarations, comments and a document type. Returns null if a comment does not end. */
function findFirstElement(start: string): string | null {
  let rest = start
    .replace(/^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/, "")
    .replaceAll("\0", "")
    .trimStart();
  for (const [begin, end] of [
    ["<?", "?>"],
    ["<!--", "-->"],
    ["<?", "?>"],
    ["<!--", "-->"],
  ] as const) {
    while (rest.startsWith(begin)) {
      const stop = rest.indexOf(end);
      // Only pages have comments that are longer than the examined bytes.
      if (stop < 0) return begin === "<!--" ? null : rest;
      rest = rest.slice(stop + end.length).trimStart();
    }
  }
  if (/^<!doctype\s+html/i.test(rest)) return rest;
  return rest.replace(/^<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>\s*/i, "");
}

/** Whether the head contains bytes that text does not. UTF-16, which contains NULs, is recognised by its byte order mark. */
function isBinary(head: string): boolean {
  if (UTF16.test(head)) return false;
  const odd = head.match(/[\x00-\x08\x0E-\x1A\x1C-\x1F]/g)?.length ?? 0;
  return head.includes("\0") || odd > head.length * 0.1;
}

/** Detects the content by its first element. Returns null if the content type decides. */
function sniffMarkup(element: string | null): Content | null {
  if (element === null || HTML_START.test(element)) return { form: "html" };
  if (isFeedText(element)) return { form: "feed" };
  if (/^<(?:svg:)?svg[\s>]/.test(element)) return PICTURE;
  return /^<MPD[\s>]/.test(element) ? PLAYLIST : null;
}

/**
 * Detects the content of a body. Its signature takes precedence over its content type: a PDF sent as text/html is a PDF. Without either,
 * the body is a page if it begins like one.
 */
export function sniffContent(body: Uint8Array, contentType: string | undefined): Content {
  const head = decodeLatin1(body, HEAD_BYTES);
  const declared = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const byBytes = UTF16.test(head) ? undefined : MAGIC.find(([start]) => start.test(head))?.[1];
  if (byBytes) return byBytes;
  const utf16Declared = /charset\s*=\s*"?utf-?16/i.test(contentType ?? "");
  const byType = BY_TYPE.find(([type]) => type.test(declared))?.[1];
  const byMarkup = sniffMarkup(findFirstElement(decodeLatin1(body, MARKUP_BYTES)));
  if (byType?.form === "file") {
    if (byMarkup !== null) return byMarkup;
    // Plain text with the content type of a file, such as CSV as a workbook or TypeScript as a video stream.
    return byType.type === "PDF" || head === "" || isBinary(head) ? byType : { form: "text" };
  }
  if (byType?.form === "text" && declared === "text/plain") return { form: "text" };
  const isDeclaredAsText = /(?:csv|markdown|javascript|values)$/.test(declared) || (declared.endsWith("json") && byMarkup?.form !== "feed");
  if (byMarkup !== null && !isDeclaredAsText) return byMarkup;
  if (!utf16Declared && isBinary(head)) return createFile("WEBSITE", "binary file");
  return byType ?? { form: "text" };
}
