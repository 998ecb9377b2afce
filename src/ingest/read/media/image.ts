import type { TileWarning } from "#domain/content/tile.ts";
import { unreadableError } from "../errors.ts";
import type { ParsedDocument } from "../format.ts";
import { readCaptions } from "./captions.ts";
import { type Size, sizeOf } from "./size.ts";
import { readSvg } from "./svg.ts";

const NO_WORDS: TileWarning = {
  code: "no_text",
  message: "This is a picture; only what it says of itself was read. Describe it in a text tile, or configure a model that reads pictures.",
};

/** The signs of pictures whose size is not read: TIFF, JPEG XL. */
const OTHER = /^(?:II\*\0|MM\0\*|\xff\x0a|\0\0\0\x0cJXL )/;

const sizeFields = (size: Size | null): { stats?: Record<string, number> } =>
  size === null ? {} : { stats: { width: size.width, height: size.height } };

/**
 * Reads what a picture says of itself: its size in pixels as `stats`, its caption and keywords as text, when it was taken and by
 * whom. A drawing (SVG) has words of its own. Throws `IngestError` `unreadable_file` for what is no picture.
 */
export async function readImage(bytes: Uint8Array): Promise<ParsedDocument> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString("latin1");
  if (/^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)?\s*</.test(head)) {
    const drawing = readSvg(bytes);
    if (drawing === null) throw unreadableError();
    const { title, text, size } = drawing;
    return { title, text, metadata: sizeFields(size), warnings: text === "" ? [NO_WORDS] : [] };
  }
  const size = sizeOf(bytes);
  if (size === null && !OTHER.test(head) && head.slice(4, 8) !== "ftyp") throw unreadableError();
  const words = await readCaptions(bytes);
  return { ...words, metadata: { ...words.metadata, ...sizeFields(size) }, warnings: [NO_WORDS] };
}
