import type { TileMetadata } from "#domain/content/tile.ts";
import exifr from "exifr";
import { toIsoDate } from "../../clean/dates.ts";
import { getValue, omitEmpty, getString } from "../json-access.ts";

/** What a picture says of itself. */
export type PictureWords = { readonly title: string | null; readonly text: string; readonly metadata: TileMetadata };

const NOTHING: PictureWords = { title: null, text: "", metadata: {} };

/** What cameras write where nobody has written a caption. */
const NO_CAPTION =
  /^(?:olympus digital camera|samsung(?: camera pictures)?|sony dsc|minolta digital camera|digital camera|default|untitled|exif_jpeg_picture|jpeg|image|dcim|ascii|charset=.*|screenshot)$/i;

/** Words that come as bytes: those of Windows in UTF-16, and user comments, which begin with the name of their code (4.6.6.3). */
function wordsOfBytes(bytes: Uint8Array): string {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 40_000));
  const code = body.toString("latin1", 0, 8);
  if (code === "ASCII\0\0\0" || code === "\0".repeat(8)) return body.toString("latin1", 8);
  const isComment = code === "UNICODE\0";
  if (!isComment && !body.includes(0)) return body.toString("latin1");
  return body.subarray(isComment ? 8 : 0).toString("utf16le");
}

/** The words at a place: a text, one of several languages (`{ lang, value }`), or a list of them. */
function wordsAt(value: unknown, ...path: string[]): string | null {
  const found = getValue(value, ...path);
  const list = Array.isArray(found) ? found.slice(0, 200) : [found];
  const words = list
    .map((each) => (each instanceof Uint8Array ? wordsOfBytes(each) : typeof each === "string" ? each : (getString(each, "value") ?? "")))
    .map((each) => each.replaceAll("\0", "").trim())
    .filter((each) => each !== "");
  const joined = words.join(", ").slice(0, 20_000);
  return joined === "" || NO_CAPTION.test(joined) ? null : joined;
}

/** A time of Exif (CIPA DC-008, 4.6.5.4.1: `YYYY:MM:DD HH:MM:SS`, the zone beside it) as ISO 8601. */
function takenAt(tags: unknown): string | null {
  for (const [block, name, zone] of [
    ["exif", "DateTimeOriginal", "OffsetTimeOriginal"],
    ["exif", "CreateDate", "OffsetTimeDigitized"],
    ["photoshop", "DateCreated", ""],
    ["xmp", "CreateDate", ""],
  ] as const) {
    const written = getString(tags, block, name)?.replace(/^(\d{4}):(\d{2}):(\d{2})/, "$1-$2-$3") ?? null;
    const offset = zone === "" ? null : getString(tags, block, zone);
    const date = toIsoDate(written === null ? null : `${written}${/^[+-]\d{2}:\d{2}$/.test(offset ?? "") ? offset : ""}`);
    if (date !== null) return date;
  }
  return null;
}

const BOX_HEAD_BYTES = 8;
const LARGE_BOX_HEAD_BYTES = 16;

/**
 * Whether a file of boxes (HEIF, AVIF; ISO/IEC 14496-12, 4.2) has its `meta` box, reached from box to box. The reader of tags looks
 * for it without an end where a box has no length.
 */
function hasMetaBox(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + LARGE_BOX_HEAD_BYTES <= bytes.length;) {
    if (nameAt(bytes, at) === "meta") return true;
    const isLarge = view.getUint32(at) === 1;
    const length = isLarge ? Number(view.getBigUint64(at + BOX_HEAD_BYTES)) : view.getUint32(at);
    if (length < (isLarge ? LARGE_BOX_HEAD_BYTES : BOX_HEAD_BYTES)) return false;
    at += length;
  }
  return false;
}

const nameAt = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", at + 4, at + 8);

async function readTags(bytes: Uint8Array): Promise<unknown> {
  if (nameAt(bytes, 0) === "ftyp" && !hasMetaBox(bytes)) return null;
  try {
    // oxlint-disable-next-line import/no-named-as-default-member -- as a CommonJS module it has but its default
    return await exifr.parse(bytes, {
      tiff: true,
      exif: true,
      gps: false,
      ifd1: false,
      interop: false,
      xmp: true,
      iptc: true,
      icc: false,
      jfif: false,
      userComment: true,
      mergeOutput: false,
      reviveValues: false,
    });
  } catch {
    // A picture of a form without tags, or with broken ones, is a picture all the same.
    return null;
  }
}

/**
 * Reads titles, captions, keywords and people in a picture's tags: IPTC IIM 4.2, XMP (ISO 16684-1, Dublin Core and Photoshop),
 * Exif (CIPA DC-008). Never throws.
 */
export async function readCaptions(bytes: Uint8Array): Promise<PictureWords> {
  const tags = await readTags(bytes);
  if (tags === null || tags === undefined) return NOTHING;
  const title =
    wordsAt(tags, "dc", "title") ??
    wordsAt(tags, "iptc", "ObjectName") ??
    wordsAt(tags, "iptc", "Headline") ??
    wordsAt(tags, "photoshop", "Headline") ??
    wordsAt(tags, "ifd0", "XPTitle");
  const blocks = [
    wordsAt(tags, "iptc", "Headline") ?? wordsAt(tags, "photoshop", "Headline"),
    wordsAt(tags, "dc", "description") ?? wordsAt(tags, "iptc", "Caption") ?? wordsAt(tags, "ifd0", "ImageDescription"),
    wordsAt(tags, "userComment") ?? wordsAt(tags, "ifd0", "XPComment"),
    wordsAt(tags, "dc", "subject") ?? wordsAt(tags, "iptc", "Keywords") ?? wordsAt(tags, "ifd0", "XPKeywords"),
    ["City", "State", "Country"]
      .map((name) => wordsAt(tags, "photoshop", name) ?? wordsAt(tags, "iptc", name))
      .filter((each) => each !== null)
      .join(", "),
  ].filter((each): each is string => each !== null && each !== "" && each !== title);
  return {
    title,
    text: [...new Set(blocks)].join("\n\n"),
    metadata: omitEmpty({
      author: wordsAt(tags, "dc", "creator") ?? wordsAt(tags, "iptc", "Byline") ?? wordsAt(tags, "ifd0", "Artist"),
      publishedAt: takenAt(tags),
    }),
  };
}
