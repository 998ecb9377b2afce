import type { TileWarning } from "#domain/content/tile.ts";
import { unreadableError } from "../errors.ts";
import type { ParsedDocument } from "../format.ts";
import { readPictureTags } from "./picture-tags.ts";
import { type PixelSize, readPixelSize } from "./size.ts";
import { readSvg } from "./svg.ts";

const METADATA_ONLY: TileWarning = {
  code: "no_text",
  message: "Only the picture's metadata was read. Describe it in a text tile, or configure a model that reads pictures.",
};

/** Signatures of formats whose size is not read: TIFF, JPEG XL. */
const UNSIZED_FORMATS = /^(?:II\*\0|MM\0\*|\xff\x0a|\0\0\0\x0cJXL )/;

const toSizeFields = (size: PixelSize | null): { stats?: Record<string, number> } =>
  size === null ? {} : { stats: { width: size.width, height: size.height } };

/**
 * Reads a picture's metadata: its size in pixels as `stats`, caption and keywords as text, date and author. Of a drawing (SVG) the
 * text is read too. Throws `IngestError` `unreadable_file` if the file is not a picture.
 */
export async function readImage(bytes: Uint8Array): Promise<ParsedDocument> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString("latin1");
  if (/^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)?\s*</.test(head)) {
    const drawing = readSvg(bytes);
    if (drawing === null) throw unreadableError();
    const { title, text, size } = drawing;
    return { title, text, metadata: toSizeFields(size), warnings: text === "" ? [METADATA_ONLY] : [] };
  }
  const size = readPixelSize(bytes);
  if (size === null && !UNSIZED_FORMATS.test(head) && head.slice(4, 8) !== "ftyp") throw unreadableError();
  const tags = readPictureTags(bytes);
  return { ...tags, metadata: { ...tags.metadata, ...toSizeFields(size) }, warnings: [METADATA_ONLY] };
}
