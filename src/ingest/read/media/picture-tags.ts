import type { TileMetadata } from "#domain/content/tile.ts";
import { DOMParser, onErrorStopParsing } from "@xmldom/xmldom";
import ExifReader from "exifreader";
import { toIsoDate } from "../../clean/dates.ts";
import { getArray, getString, getValue, omitEmpty } from "../json-access.ts";

/** Title, captions and metadata from a picture's tags. */
export type PictureTags = { readonly title: string | null; readonly text: string; readonly metadata: TileMetadata };

const NO_TAGS: PictureTags = { title: null, text: "", metadata: {} };

/** Default captions of cameras and programs, and what ExifReader returns for a tag outside the file. */
const DEFAULT_CAPTION =
  /^(?:olympus digital camera|samsung(?: camera pictures)?|sony dsc|minolta digital camera|digital camera|default|untitled|exif_jpeg_picture|jpeg|image|dcim|ascii|charset=.*|screenshot|<faulty value>)$/i;

/** The tags that are read. The character set is that of the other tags of IPTC. */
const TAGS = {
  exif: [
    ...["ImageDescription", "Artist", "UserComment", "XPTitle", "XPComment", "XPKeywords"],
    ...["DateTimeOriginal", "OffsetTimeOriginal", "DateTimeDigitized", "OffsetTimeDigitized"],
  ],
  iptc: [
    ...["Coded Character Set", "Object Name", "Headline", "Caption/Abstract", "Keywords", "By-line"],
    ...["City", "Province/State", "Country/Primary Location Name"],
  ],
  xmp: ["title", "description", "subject", "creator", "Headline", "City", "State", "Country", "DateCreated", "CreateDate"],
};

const MAX_VALUES = 200;
const MAX_CHARACTERS = 20_000;
const MAX_COMMENT_BYTES = 40_000;
/** Longer XMP is skipped: it contains a picture, or was made to take long. */
const MAX_XMP_CHARACTERS = 262_144;
/** ExifReader searches the rest of a line from each of these marks. A picture has one or a few. */
const XMP_END = "<?xpacket end=";
const MAX_XMP_ENDS = 100;

/** Returns the text without NULs. Null for an empty one and a default caption. */
function cleanCaption(text: string): string | null {
  const cleaned = text.replaceAll("\0", "").trim().slice(0, MAX_CHARACTERS);
  return cleaned === "" || DEFAULT_CAPTION.test(cleaned) ? null : cleaned;
}

/** Returns the text of a tag, or of all tags of this name. */
function getTag(tags: unknown, group: keyof typeof TAGS, name: string): string | null {
  const found = getValue(tags, group, name);
  const texts = (Array.isArray(found) ? found : [found]).slice(0, MAX_VALUES).map((tag) => getString(tag, "description"));
  return cleanCaption(texts.filter((text) => text !== null).join(", "));
}

/** Returns the user comment of Exif, which starts with the name of its encoding (CIPA DC-008, 4.6.6.3). */
function getComment(tags: unknown): string | null {
  const bytes = Buffer.from(getArray(tags, "exif", "UserComment", "value").slice(0, MAX_COMMENT_BYTES) as number[]);
  const code = bytes.toString("latin1", 0, 8);
  if (code === "UNICODE\0") return cleanCaption(bytes.toString("utf16le", 8));
  return cleanCaption(bytes.toString("latin1", code === "ASCII\0\0\0" ? 8 : 0));
}

/** Returns the time of the picture as ISO 8601. Exif (CIPA DC-008, 4.6.5.4.1) writes `YYYY:MM:DD HH:MM:SS`, and the zone in another tag. */
function getCreationDate(tags: unknown): string | null {
  for (const [group, name, zone] of [
    ["exif", "DateTimeOriginal", "OffsetTimeOriginal"],
    ["exif", "DateTimeDigitized", "OffsetTimeDigitized"],
    ["xmp", "DateCreated", ""],
    ["xmp", "CreateDate", ""],
  ] as const) {
    const written = getTag(tags, group, name)?.replace(/^(\d{4}):(\d{2}):(\d{2})/, "$1-$2-$3") ?? null;
    const offset = zone === "" ? null : getTag(tags, group, zone);
    const date = toIsoDate(written === null ? null : `${written}${/^[+-]\d{2}:\d{2}$/.test(offset ?? "") ? offset : ""}`);
    if (date !== null) return date;
  }
  return null;
}

const domParser = {
  parseFromString(xml: string, type: string): unknown {
    if (xml.length > MAX_XMP_CHARACTERS) throw new RangeError("The XMP is too long.");
    return new DOMParser({ onError: onErrorStopParsing }).parseFromString(xml, type);
  },
};

function hasManyXmpEnds(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(XMP_END); at >= 0 && count <= MAX_XMP_ENDS; at = buffer.indexOf(XMP_END, at + 1)) count++;
  return count > MAX_XMP_ENDS;
}

function readTags(bytes: Uint8Array): unknown {
  if (hasManyXmpEnds(bytes)) return null;
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // oxlint-disable-next-line import/no-named-as-default-member -- as a CommonJS module it has only a default export
    return ExifReader.loadView(view, { expanded: true, includeTags: TAGS, domParser });
  } catch {
    // A picture without tags, or with damaged ones, is valid.
    return null;
  }
}

/**
 * Reads title, captions, keywords, place, author and date from a picture's tags: IPTC IIM 4.2, XMP (ISO 16684-1, Dublin Core and
 * Photoshop), Exif (CIPA DC-008). Never throws.
 */
export function readPictureTags(bytes: Uint8Array): PictureTags {
  const tags = readTags(bytes);
  if (tags === null) return NO_TAGS;
  const title =
    getTag(tags, "xmp", "title") ??
    getTag(tags, "iptc", "Object Name") ??
    getTag(tags, "iptc", "Headline") ??
    getTag(tags, "xmp", "Headline") ??
    getTag(tags, "exif", "XPTitle");
  const place = [
    getTag(tags, "xmp", "City") ?? getTag(tags, "iptc", "City"),
    getTag(tags, "xmp", "State") ?? getTag(tags, "iptc", "Province/State"),
    getTag(tags, "xmp", "Country") ?? getTag(tags, "iptc", "Country/Primary Location Name"),
  ];
  const blocks = [
    getTag(tags, "iptc", "Headline") ?? getTag(tags, "xmp", "Headline"),
    getTag(tags, "xmp", "description") ?? getTag(tags, "iptc", "Caption/Abstract") ?? getTag(tags, "exif", "ImageDescription"),
    getComment(tags) ?? getTag(tags, "exif", "XPComment"),
    getTag(tags, "xmp", "subject") ?? getTag(tags, "iptc", "Keywords") ?? getTag(tags, "exif", "XPKeywords"),
    place.filter((each) => each !== null).join(", "),
  ].filter((each): each is string => each !== null && each !== "" && each !== title);
  return {
    title,
    text: [...new Set(blocks)].join("\n\n"),
    metadata: omitEmpty({
      author: getTag(tags, "xmp", "creator") ?? getTag(tags, "iptc", "By-line") ?? getTag(tags, "exif", "Artist"),
      publishedAt: getCreationDate(tags),
    }),
  };
}
