import { crc32, deflateSync } from "node:zlib";

const text = (words: string): Buffer => Buffer.from(words, "latin1");
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
const little16 = (value: number): Buffer => u16(value).reverse();
const little32 = (value: number): Buffer => u32(value).reverse();
const little24 = (value: number): Buffer => little32(value).subarray(0, 3);

/** A chunk of a PNG: its length, name, data and checksum. */
export const pngChunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([text(name), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
};
/** A chunk of a RIFF file, padded to an even length. */
export const riffChunk = (name: string, data: Buffer): Buffer =>
  Buffer.concat([text(name), little32(data.length), data, Buffer.alloc(data.length % 2)]);
/** A box of a BMFF file: its length, name and content. */
export const box = (name: string, ...content: readonly Buffer[]): Buffer => {
  const inner = Buffer.concat(content);
  return Buffer.concat([u32(inner.length + 8), text(name), inner]);
};
const PNG = text("\x89PNG\r\n\x1a\n");
export const png = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([PNG, ...chunks, pngChunk("IEND", Buffer.alloc(0))]);
export const webp = (...chunks: readonly Buffer[]): Buffer => riffChunk("RIFF", Buffer.concat([text("WEBP"), ...chunks]));
export const vp8x = (width: number, height: number): Buffer =>
  riffChunk("VP8X", Buffer.concat([Buffer.alloc(4), little24(width - 1), little24(height - 1)]));
export const ihdr = (width: number, height: number): Buffer =>
  pngChunk("IHDR", Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])]));
export const ispe = (width: number, height: number): Buffer => box("ispe", Buffer.alloc(4), u32(width), u32(height));
export const ftyp = (...brands: readonly string[]): Buffer =>
  box("ftyp", text(brands[0] ?? "avif"), Buffer.alloc(4), ...brands.map((brand) => text(brand)));
/** A frame of a GIF, of one colour; its bytes of image data are the fewest. */
export const gifFrame = (width: number, height: number): Buffer =>
  Buffer.concat([text(","), Buffer.alloc(4), little16(width), little16(height), Buffer.from([0, 2, 2, 0x4c, 0x01, 0])]);
export const gif = (width: number, height: number, ...frames: readonly Buffer[]): Buffer =>
  Buffer.concat([
    text("GIF89a"),
    little16(width),
    little16(height),
    Buffer.from([0x80, 0, 0, 40, 90, 140, 240, 230, 200]),
    ...frames,
    text(";"),
  ]);
export const jpeg = (width: number, height: number, before: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    text("\xff\xd8\xff\xe0"),
    u16(16),
    text("JFIF\0"),
    Buffer.alloc(9),
    before,
    text("\xff\xc0"),
    u16(11),
    Buffer.from([8]),
    u16(height),
    u16(width),
    Buffer.from([1, 1, 0x11, 0]),
    text("\xff\xd9"),
  ]);

/** Pictures by their form: their headers are right, and those of PNG and GIF can be drawn. */
export const pictures = {
  png(width: number, height: number, colour: readonly [number, number, number] = [40, 110, 150]): Buffer {
    const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => Buffer.from(colour))]);
    return png(ihdr(width, height), pngChunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))));
  },
  gif: (width: number, height: number): Buffer => gif(width, height, gifFrame(width, height)),
  jpeg: (width: number, height: number): Buffer => jpeg(width, height),
  webp: (width: number, height: number): Buffer => webp(vp8x(width, height)),
  avif: (width: number, height: number): Buffer =>
    Buffer.concat([ftyp("avif", "mif1"), box("meta", Buffer.alloc(4), box("iprp", box("ipco", ispe(width, height))))]),
} as const;
