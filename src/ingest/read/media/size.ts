/** Width and height in pixels. */
export type PixelSize = { readonly width: number; readonly height: number };

const MAX_SIDE = 1_000_000;

/** Decodes a range of bytes, one character for each byte. */
export const decodeLatin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", from, Math.min(to, bytes.length));

/** Whether a JPEG marker starts a frame (ITU-T T.81, table B.1): C0 to CF, except DHT, JPG and DAC. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readJpegSize(view: DataView): PixelSize | null {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (isFrameMarker(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Reads the size of a WebP picture (RFC 9649) from the extended header (2.7), or the lossy (2.5) or lossless (2.6) frame. */
function readWebpSize(view: DataView, chunk: string): PixelSize | null {
  const readUint24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  if (chunk === "VP8X") return { width: readUint24(24) + 1, height: readUint24(27) + 1 };
  if (chunk === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== "VP8L") return null;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Reads the size of an AVIF or HEIC picture (ISO/IEC 23008-12, 6.5.3): the largest `ispe` box, because tiles and thumbnails have one too. */
function readHeifSize(bytes: Uint8Array, view: DataView): PixelSize | null {
  const head = decodeLatin1(bytes, 0, 65_536);
  let best: PixelSize | null = null;
  for (let at = head.indexOf("ispe"); at >= 0 && at + 16 <= bytes.length; at = head.indexOf("ispe", at + 4)) {
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (best === null || size.width * size.height > best.width * best.height) best = size;
  }
  return best;
}

function readSize(bytes: Uint8Array): PixelSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = decodeLatin1(bytes, 0, 32);
  // PNG (ISO/IEC 15948, 11.2.2) begins with IHDR; GIF89a 18 and BMP have the size in their headers.
  if (head.startsWith("\x89PNG") && head.slice(12, 16) === "IHDR") return { width: view.getUint32(16), height: view.getUint32(20) };
  if (/^GIF8[79]a/.test(head)) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (head.startsWith("\xff\xd8")) return readJpegSize(view);
  if (/^RIFF[^]{4}WEBP/.test(head)) return readWebpSize(view, head.slice(12, 16));
  if (head.slice(4, 8) === "ftyp") return readHeifSize(bytes, view);
  if (head.startsWith("BM")) return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
  return null;
}

/** Reads the size from a picture's header. Returns null if it is missing or implausible. Never throws. */
export function readPixelSize(bytes: Uint8Array): PixelSize | null {
  try {
    const size = readSize(bytes);
    return size !== null && size.width > 0 && size.height > 0 && size.width <= MAX_SIDE && size.height <= MAX_SIDE ? size : null;
  } catch {
    // The header is truncated.
    return null;
  }
}
