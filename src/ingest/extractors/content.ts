import type { TileType } from "#domain/tile.ts";

/** What a body is: a page to clean, words to keep as they are, or a file. */
export type Content =
  | { readonly form: "html" }
  | { readonly form: "text" }
  | { readonly form: "file"; readonly type: TileType; readonly name: string };

const HEAD_BYTES = 1_024;

const file = (type: TileType, name: string): Content => ({ form: "file", type, name });

/** First bytes of formats, in Latin-1, as the "file" database and the formats' own papers give them. */
const MAGIC: readonly (readonly [RegExp, Content])[] = [
  [/^[\s\S]{0,16}%PDF-/, file("PDF", "PDF")],
  [
    /^PK(?:\x03\x04|\x05\x06)[\s\S]*(?:mimetypeapplication\/epub|word\/|ppt\/|xl\/|vnd\.oasis|\[Content_Types\])/,
    file("DOCUMENT", "office document or book"),
  ],
  [/^PK(?:\x03\x04|\x05\x06)/, file("DOCUMENT", "zip archive")],
  [/^\xD0\xCF\x11\xE0/, file("DOCUMENT", "office document")],
  [/^\{\\rtf/, file("DOCUMENT", "rich text document")],
  [
    /^(?:\x89PNG|\xFF\xD8\xFF|GIF8[79]a|II\*\0|MM\0\*|RIFF[\s\S]{4}WEBP|[\s\S]{4}ftyp(?:avif|avis|heic|heix|mif1))/,
    file("IMAGE", "picture"),
  ],
  [/^(?:ID3|fLaC|OggS|RIFF[\s\S]{4}WAVE|[\s\S]{4}ftypM4[AB]|\xFF[\xFB\xF3\xF2\xF1\xF9])/, file("AUDIO", "sound file")],
  [/^(?:[\s\S]{4}ftyp|\x1A\x45\xDF\xA3|RIFF[\s\S]{4}AVI |\0\0\x01\xBA)/, file("VIDEO", "video file")],
  [/^(?:\x1F\x8B|7z\xBC\xAF|Rar!|BZh\d|\xFD7zXZ)/, file("WEBSITE", "archive")],
  [/^(?:\x7FELF|MZ[\s\S]{60,}PE\0\0)/, file("WEBSITE", "program")],
];

const BY_TYPE: readonly (readonly [RegExp, Content])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, { form: "html" }],
  [/^application\/pdf$/, file("PDF", "PDF")],
  [/^image\//, file("IMAGE", "picture")],
  [/^audio\//, file("AUDIO", "sound file")],
  [/^video\/|^application\/(?:vnd\.apple\.mpegurl|x-mpegurl|dash\+xml)$/, file("VIDEO", "video file")],
  [/^application\/(?:msword|rtf|epub\+zip|vnd\.(?:openxmlformats|oasis|ms-)[\w.+-]*)$/, file("DOCUMENT", "office document or book")],
  [/^text\/|^application\/(?:json|xml|[\w.-]+\+(?:json|xml)|yaml|x-yaml|javascript|toml|sql|x-ndjson)$/, { form: "text" }],
];

const latin1 = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES)).toString("latin1");
const UTF16 = /^(?:\xFF\xFE|\xFE\xFF)/;
const HTML_START = /^<(?:!doctype\s+html|html|head|body|title|meta|script|div|article|main|h1|p)[\s>/]/i;

/** Whether the first thing in it, after marks, declarations and comments, is an element of HTML. */
function looksLikeHtml(head: string): boolean {
  let rest = head
    .replace(/^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/, "")
    .replaceAll("\0", "")
    .trimStart();
  for (const [start, end] of [
    ["<?xml", "?>"],
    ["<!--", "-->"],
  ] as const) {
    while (rest.startsWith(start)) {
      const stop = rest.indexOf(end);
      // A comment longer than the head is the mark of a page's own.
      if (stop < 0) return start === "<!--";
      rest = rest.slice(stop + end.length).trimStart();
    }
  }
  return HTML_START.test(rest);
}

/** Bytes that no text has; UTF-16 has NULs and says so by its mark. */
function isBinary(head: string): boolean {
  if (UTF16.test(head)) return false;
  const odd = head.match(/[\x00-\x08\x0E-\x1A\x1C-\x1F]/g)?.length ?? 0;
  return head.includes("\0") || odd > head.length * 0.1;
}

/**
 * What a body really is. Its first bytes are believed before its content type (a PDF sent as text/html is a PDF), and a
 * body that says nothing of itself is a page when it looks like one.
 */
export function tellContent(body: Uint8Array, contentType: string | undefined): Content {
  const head = latin1(body);
  const declared = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const byBytes = UTF16.test(head) ? undefined : MAGIC.find(([start]) => start.test(head))?.[1];
  if (byBytes) return byBytes;
  const utf16Declared = /charset\s*=\s*"?utf-?16/i.test(contentType ?? "");
  const byType = BY_TYPE.find(([type]) => type.test(declared))?.[1];
  const looksHtml = looksLikeHtml(head);
  if (byType?.form === "file") return looksHtml ? { form: "html" } : byType;
  if (byType?.form === "text" && declared === "text/plain") return { form: "text" };
  if (looksHtml && !/(?:json|csv|markdown|javascript)$/.test(declared)) return { form: "html" };
  if (!utf16Declared && isBinary(head)) return file("WEBSITE", "binary file");
  return byType ?? { form: "text" };
}
