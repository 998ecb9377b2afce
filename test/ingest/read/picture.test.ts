import * as fc from "fast-check";
import { expect, it } from "vitest";
import { MAX_PIXELS } from "#domain/content/thumbnail.ts";
import { readPictureHead } from "#ingest/read/media/picture.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import * as made from "../../support/pictures.ts";

const { box, ftyp, gif, gifFrame, ihdr, ispe, jpeg, pictures, png, pngChunk, riffChunk, vp8x, webp } = made;
const text = (words: string): Buffer => Buffer.from(words, "latin1");
const pixelsIn = (bytes: Uint8Array): number | null => readPictureHead(bytes)?.pixels ?? null;
const FORMS = Object.entries(pictures).map(([form, make]) => [form, make] as const);

it.each(FORMS)("the header of a picture identifies %s and its size", (form, make) => {
  expect(readPictureHead(make(30, 20))).toEqual({ mediaType: `image/${form}`, pixels: 600 });
});

it("the header of a picture has the size of a WebP without the extended header", () => {
  const lossless = Buffer.alloc(10);
  lossless[0] = 0x2f;
  lossless.writeUInt32LE((30 - 1) | ((20 - 1) << 14), 1);
  expect(pixelsIn(webp(riffChunk("VP8L", lossless)))).toBe(600);
});

it.each([
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["an SVG behind a declaration", '<?xml version="1.0"?><svg/>'],
  ["a page", "<!doctype html><script>alert(1)</script>"],
  ["a page behind a mark of a picture's name", "PNG<html>"],
  ["a PNG's beginning alone", "\x89PNG"],
  ["a PNG without its header chunk", "\x89PNG\r\n\x1a\n\0\0\0\rIDATxxxxxxxxxxxxxxxxxxxxx"],
  ["a bitmap", "BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0"],
  ["a TIFF", "II*\0\x08\0\0\0"],
  ["an icon", "\0\0\x01\0\x01\0\x10\x10"],
  ["HEIC", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
  ["JPEG XL", "\0\0\0\x0cJXL \r\n\x87\n"],
  ["a PDF", "%PDF-1.7"],
  ["a sound in RIFF", "RIFF\0\0\0\0WAVEfmt "],
  ["a GIF of an unknown version", "GIF90a\x01\0\x01\0"],
  ["nothing", ""],
])("the header of a picture is not found in %s", (_, bytes) => {
  expect(readPictureHead(text(bytes))).toBeNull();
});

it.each([
  ["a PNG", pictures.png(0, 20)],
  ["a JPEG with its height in a later segment", jpeg(30, 0)],
  ["a GIF", gif(0, 0)],
  ["an AVIF", pictures.avif(0, 1)],
  ["an AVIF without a size", Buffer.concat([ftyp("avif"), box("meta", Buffer.alloc(4))])],
  ["a JPEG with bytes between its segments", jpeg(30, 20, text("\0<script>"))],
  ["a JPEG without a frame", text("\xff\xd8\xff\xe0\0\x10JFIF\0")],
])("the header of %s without a size is read as null", (_, bytes) => {
  expect(readPictureHead(bytes)).toBeNull();
});

it("the header of a picture reports too many pixels of a small file", () => {
  for (const make of [jpeg, (width: number, height: number) => png(ihdr(width, height)), pictures.avif])
    expect(pixelsIn(make(20_000, 20_000))).toBeGreaterThan(MAX_PIXELS);
  expect(pixelsIn(webp(vp8x(16_384, 16_384)))).toBeGreaterThan(MAX_PIXELS);
  expect(pixelsIn(pictures.avif(70_000, 70_000))).toBeGreaterThan(MAX_PIXELS);
});

it("the header of a picture counts the frames of animations", () => {
  const frames = Array.from({ length: 3 }, () => gifFrame(30, 20));
  expect(pixelsIn(gif(30, 20, ...frames))).toBe(1_800);
  expect(pixelsIn(png(ihdr(30, 20), ...Array.from({ length: 3 }, () => pngChunk("fcTL", Buffer.alloc(26)))))).toBe(1_800);
  expect(pixelsIn(webp(vp8x(30, 20), ...Array.from({ length: 3 }, () => riffChunk("ANMF", Buffer.alloc(17)))))).toBe(1_800);
  const long = gif(1_000, 1_000, ...Array.from({ length: 50 }, () => gifFrame(1, 1)));
  expect(long.length).toBeLessThan(1_000);
  expect(pixelsIn(long)).toBeGreaterThan(MAX_PIXELS);
});

it("an image larger than its header, or hidden behind a smaller one, is detected", () => {
  expect(pixelsIn(gif(1, 1, gifFrame(10_000, 10_000)))).toBe(100_000_000);
  const comment = Buffer.concat([text("!\xfe\x05"), text("hello"), Buffer.alloc(1)]);
  expect(pixelsIn(gif(1, 1, comment, gifFrame(10_000, 10_000)))).toBe(100_000_000);
  const hidden = Buffer.concat([ftyp("avif"), box("free", Buffer.alloc(80_000)), box("meta", ispe(1, 1), ispe(9_000, 9_000))]);
  expect(pixelsIn(hidden)).toBe(81_000_000);
  // An embedded thumbnail, as cameras write it, is not the picture.
  const inner = jpeg(1, 1);
  const segment = Buffer.concat([text("\xff\xe1"), Buffer.from([0, inner.length + 2]), inner]);
  expect(pixelsIn(jpeg(8_000, 8_000, segment))).toBe(64_000_000);
  expect(readPictureHead(Buffer.concat([ftyp("avif"), box("moov"), box("meta", ispe(1, 1))]))).toBeNull();
  expect(readPictureHead(Buffer.concat([ftyp("mif1", "heic"), box("meta", ispe(1, 1))]))).toBeNull();
  expect(readPictureHead(Buffer.concat([ftyp("mif1", "avif"), box("meta", ispe(1, 1))]))).not.toBeNull();
});

it("reading a header never throws and is fast, whatever bytes follow a valid start", () => {
  const start = fc.constantFrom(...FORMS.map(([, make]) => make(30, 20)));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 400 }), fc.nat(60), (begin, rest, at) => {
      const bytes = Buffer.concat([begin.subarray(0, at), rest, begin.subarray(at)]);
      for (const cut of [bytes, bytes.subarray(0, at)]) {
        const head = readPictureHead(cut);
        if (head !== null) expect(head.pixels).toBeGreaterThan(0);
      }
    }),
    { numRuns: 3_000, seed: 7 },
  );
  const walls = [0, 0xff, 0x21, 0x2c].flatMap((byte) =>
    FORMS.map(([, make]) => Buffer.concat([make(3, 3), Buffer.alloc(1_048_576, byte)])),
  );
  expect(measureCpuMs(() => walls.map((wall) => readPictureHead(wall))) / walls.length).toBeLessThan(100);
  expect(pixelsIn(Buffer.concat([ftyp("avif"), text("\0\x10\0\0meta"), Buffer.alloc(1_000_000, "ispe")]))).not.toBe(0);
});
