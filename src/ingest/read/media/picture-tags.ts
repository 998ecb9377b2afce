import type { TileMetadata } from "#domain/content/tile.ts";
import exifr from "exifr";
import { toIsoDate } from "../../clean/dates.ts";
import { getValue, omitEmpty, getString } from "../json-access.ts";

/** Title, captions and metadata from a picture's tags. */
export type PictureTags = { readonly title: string | null; readonly text: string; readonly metadata: TileMetadata };

const NO_TAGS: PictureTags = { title: null, text: "", metadata: {} };

/** Default captions of cameras and programs. */
const DEFAULT_CAPTION =
  /^(?:olympus digital camera|samsung(?: camera pictures)?|sony dsc|minolta digital camera|digital camera|default|untitled|exif_jpeg_picture|jpeg|image|dcim|ascii|charset=.*|screenshot)$/i;

/** Decodes tags that are bytes: UTF-16 of Windows, and Exif user comments, which start with the name of their encoding (4.6.6.3). */
function decodeTag(bytes: Uint8Array): string {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 40_000));
  const code = body.toString("latin1", 0, 8);
  if (code === "ASCII\0\0\0" || code === "\0".repeat(8)) return body.toString("latin1", 8);
  const isComment = code === "UNICODE\0";
  if (!isComment && !body.includes(0)) return body.toString("latin1");
  return body.subarray(isComment ? 8 : 0).toString("utf16le");
}

/** The text of a tag: a string, bytes, a text with its language (`{ lang, value }`), or a list of them. */
function getTag(value: unknown, ...path: string[]): string | null {
  const found = getValue(value, ...path);
  const list = Array.isArray(found) ? found.slice(0, 200) : [found];
  const texts = list
    .map((each) => (each instanceof Uint8Array ? decodeTag(each) : typeof each === "string" ? each : (getString(each, "value") ?? "")))
    .map((each) => each.replaceAll("\0", "").trim())
    .filter((each) => each !== "");
  const joined = texts.join(", ").slice(0, 20_000);
  return joined === "" || DEFAULT_CAPTION.test(joined) ? null : joined;
}

/** Returns the time of the picture as ISO 8601. Exif (CIPA DC-008, 4.6.5.4.1) writes `YYYY:MM:DD HH:MM:SS`, and the zone in another tag. */
function getCreationDate(tags: unknown): string | null {
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

const BOX_HEADER_BYTES = 8;
const LARGE_BOX_HEADER_BYTES = 16;

/**
 * Whether a HEIF or AVIF file has a `meta` box that can be reached from box to box (ISO/IEC 14496-12, 4.2). Without this check, exifr
 * searches for it in an endless loop if a box has length 0.
 */
function hasMetaBox(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + LARGE_BOX_HEADER_BYTES <= bytes.length;) {
    if (readBoxName(bytes, at) === "meta") return true;
    const isLarge = view.getUint32(at) === 1;
    const length = isLarge ? Number(view.getBigUint64(at + BOX_HEADER_BYTES)) : view.getUint32(at);
    if (length < (isLarge ? LARGE_BOX_HEADER_BYTES : BOX_HEADER_BYTES)) return false;
    at += length;
  }
  return false;
}

const readBoxName = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", at + 4, at + 8);

async function readTags(bytes: Uint8Array): Promise<unknown> {
  if (readBoxName(bytes, 0) === "ftyp" && !hasMetaBox(bytes)) return null;
  try {
    // oxlint-disable-next-line import/no-named-as-default-member -- as a CommonJS module it has only a default export
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
    // A picture without tags, or with damaged ones, is valid.
    return null;
  }
}

/**
 * Reads title, captions, keywords, place, author and date from a picture's tags: IPTC IIM 4.2, XMP (ISO 16684-1, Dublin Core and
 * Photoshop), Exif (CIPA DC-008). Never throws.
 */
export async function readPictureTags(bytes: Uint8Array): Promise<PictureTags> {
  const tags = await readTags(bytes);
  if (tags === null || tags === undefined) return NO_TAGS;
  const title =
    getTag(tags, "dc", "title") ??
    getTag(tags, "iptc", "ObjectName") ??
    getTag(tags, "iptc", "Headline") ??
    getTag(tags, "photoshop", "Headline") ??
    getTag(tags, "ifd0", "XPTitle");
  const blocks = [
    getTag(tags, "iptc", "Headline") ?? getTag(tags, "photoshop", "Headline"),
    getTag(tags, "dc", "description") ?? getTag(tags, "iptc", "Caption") ?? getTag(tags, "ifd0", "ImageDescription"),
    getTag(tags, "userComment") ?? getTag(tags, "ifd0", "XPComment"),
    getTag(tags, "dc", "subject") ?? getTag(tags, "iptc", "Keywords") ?? getTag(tags, "ifd0", "XPKeywords"),
    ["City", "State", "Country"]
      .map((name) => getTag(tags, "photoshop", name) ?? getTag(tags, "iptc", name))
      .filter((each) => each !== null)
      .join(", "),
  ].filter((each): each is string => each !== null && each !== "" && each !== title);
  return {
    title,
    text: [...new Set(blocks)].join("\n\n"),
    metadata: omitEmpty({
      author: getTag(tags, "dc", "creator") ?? getTag(tags, "iptc", "Byline") ?? getTag(tags, "ifd0", "Artist"),
      publishedAt: getCreationDate(tags),
    }),
  };
}
