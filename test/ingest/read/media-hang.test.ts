import { expect, it } from "vitest";
import { readImage } from "#ingest/read/media/image.ts";

const u32 = (value: number): string => String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const joinBytes = (...parts: readonly string[]): Uint8Array => Uint8Array.from(Buffer.from(parts.join(""), "latin1"));
const FTYP = `${u32(24)}ftypavif\0\0\0\0avifmif1`;

it.each([
  ["no length", `${u32(0)}free${"\0".repeat(32)}`],
  ["a length of 64 bits that is zero", `${u32(1)}free${"\0".repeat(32)}`],
  ["a length shorter than its head", `${u32(3)}free${"\0".repeat(32)}`],
  ["an end beyond the file", `${u32(4_000)}free${"\0".repeat(32)}`],
])("a picture whose boxes include one of %s is read to its end", async (_what, box) => {
  expect(await readImage(joinBytes(FTYP, box))).toMatchObject({ title: null, text: "" });
});
