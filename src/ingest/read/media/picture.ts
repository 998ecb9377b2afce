import type { PictureHead, PictureType } from "#domain/content/thumbnail.ts";
import { decodeLatin1, type PixelSize, readPixelSize } from "./size.ts";

/**
 * Detects the media type of a picture from its first bytes (JPEG, PNG, WebP, GIF or AVIF) and counts the pixels of all its frames.
 * Returns null for other formats, and if the size is missing or truncated. Never throws.
 */
export function readPictureHead(bytes: Uint8Array): PictureHead | null {
  const mediaType = detectType(decodeLatin1(bytes, 0, 32));
  if (mediaType === null) return null;
  try {
    const size = mediaType === "image/avif" ? readAvifSize(bytes) : readPixelSize(bytes);
    return size === null ? null : { mediaType, pixels: countPixels(mediaType, bytes, size) };
  } catch {
    // A length in the header exceeds the file.
    return null;
  }
}

/** Detects the media type. AVIF is recognised by its major brand or the first compatible ones (AV1 Image File Format, 9.1.1), unless animated. */
function detectType(head: string): PictureType | null {
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  if (/^RIFF[^]{4}WEBPVP8[ LX]/.test(head)) return "image/webp";
  return /^[^]{4}ftyp(?:avif|mif1[^]{4}(?:[^]{4}){0,3}avif)/.test(head) ? "image/avif" : null;
}

function countPixels(mediaType: PictureType, bytes: Uint8Array, { width, height }: PixelSize): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === "image/gif") return countGifPixels(view, width * height);
  if (mediaType === "image/png") return width * height * Math.max(1, countPngFrames(bytes, view));
  if (mediaType === "image/webp") return width * height * Math.max(1, countWebpFrames(bytes, view));
  return width * height;
}

/** Reads the size of an AVIF picture. A box begins with its length, header included, and a name of four letters (ISO/IEC 14496-12, 4.2). */
function readAvifSize(bytes: Uint8Array): PixelSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    const name = decodeLatin1(bytes, at + 4, at + 8);
    if (name === "moov" || length < 8) return null;
    if (name === "meta") return findLargestSize(bytes, view, at, Math.min(at + length, bytes.length));
    at += length;
  }
  return null;
}

/** Finds the largest `ispe` property (ISO/IEC 23008-12, 6.5.3) between two offsets. */
function findLargestSize(bytes: Uint8Array, view: DataView, from: number, to: number): PixelSize | null {
  const text = decodeLatin1(bytes, from, to);
  let best: PixelSize | null = null;
  for (let found = text.indexOf("ispe"); found >= 0 && found + 16 <= text.length; found = text.indexOf("ispe", found + 4)) {
    const size = { width: view.getUint32(from + found + 8), height: view.getUint32(from + found + 12) };
    if (best === null || size.width * size.height > best.width * best.height) best = size;
  }
  return best !== null && best.width > 0 && best.height > 0 ? best : null;
}

/** Counts the pixels of all frames. Frames may be larger than the screen size in the header (GIF89a, 18 to 26), and are then used by browsers. */
function countGifPixels(view: DataView, screen: number): number {
  const table = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let pixels = 0;
  for (let at = 13 + table(view.getUint8(10)); at < view.byteLength;) {
    const marker = view.getUint8(at);
    if (marker === 0x21) at = skipGifBlocks(view, at + 2);
    else if (marker === 0x2c && at + 10 <= view.byteLength) {
      pixels += Math.max(screen, view.getUint16(at + 5, true) * view.getUint16(at + 7, true));
      at = skipGifBlocks(view, at + 11 + table(view.getUint8(at + 9)));
    } else break;
  }
  return Math.max(screen, pixels);
}

/** Skips sub-blocks, which begin with their length. The last one has length 0 (GIF89a, 15 and 16). */
function skipGifBlocks(view: DataView, from: number): number {
  let at = from;
  while (at < view.byteLength) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) break;
  }
  return at;
}

/** Counts the frames of an animated PNG: one `fcTL` chunk each (PNG third edition, 11.3.6). */
const countPngFrames = (bytes: Uint8Array, view: DataView): number =>
  countChunks(bytes, 8, "fcTL", (at) => ({ name: at + 4, next: at + 12 + view.getUint32(at) }));

/** Counts the frames of an animated WebP: one `ANMF` chunk each (RFC 9649, 2.7.1.1). */
const countWebpFrames = (bytes: Uint8Array, view: DataView): number =>
  countChunks(bytes, 12, "ANMF", (at) => {
    const length = view.getUint32(at + 4, true);
    return { name: at, next: at + 8 + length + (length % 2) };
  });

function countChunks(
  bytes: Uint8Array,
  from: number,
  wanted: string,
  chunkAt: (at: number) => { readonly name: number; readonly next: number },
): number {
  let count = 0;
  for (let at = from; at + 8 <= bytes.length;) {
    const { name, next } = chunkAt(at);
    if (decodeLatin1(bytes, name, name + 4) === wanted) count++;
    at = next;
  }
  return count;
}
