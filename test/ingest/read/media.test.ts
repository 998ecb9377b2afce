import { describe, expect, it } from "vitest";
import { readDocument } from "#ingest/read/document.ts";
import { avif, flac, gif, jpeg, mp3, mp4, png, wav, webm, webp } from "./media-samples.ts";
import { toBytes } from "./samples.ts";

const picture = (bytes: Uint8Array) => readDocument(bytes, "image");
const sound = (bytes: Uint8Array) => readDocument(bytes, "audio");

describe("pictures", () => {
  it.each([
    ["PNG", png(), 640, 480],
    ["JPEG", jpeg(), 400, 300],
    ["GIF", gif(), 20, 10],
    ["WebP", webp(), 800, 600],
    ["AVIF", avif(), 1200, 900],
    ["BMP", toBytes(`BM${"\0".repeat(16)}\x07\0\0\0\xfd\xff\xff\xff`), 7, 3],
  ])("a picture in %s has its size", async (_name, bytes, width, height) => {
    await expect(picture(bytes)).resolves.toMatchObject({ metadata: { stats: { width, height } }, warnings: [{ code: "no_text" }] });
  });

  it("a picture has title, caption and keywords of XMP", async () => {
    await expect(picture(png())).resolves.toMatchObject({ title: "The lantern", text: "A brass lantern on a sill.\n\nbrass, light" });
  });

  it("a picture has the characters that XMP encodes, and those of attributes", async () => {
    const xmp = (attributes: string, body = "") =>
      png(
        `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="http://example.com/" ${attributes}>${body}</rdf:Description></rdf:RDF>`,
      );
    await expect(picture(xmp('a:City="Bath &amp; Wells"'))).resolves.toMatchObject({ title: null, text: "Bath & Wells" });
    await expect(picture(xmp("", "<a:title>Salt &#38; sand</a:title>"))).resolves.toMatchObject({ title: "Salt & sand", text: "" });
    await expect(picture(xmp('a:City="Bath"', "x".repeat(300_000)))).resolves.toMatchObject({ title: null, text: "" });
    await expect(picture(xmp('a:City="Bath"', '<?xpacket end="'.repeat(200_000)))).resolves.toMatchObject({ title: null, text: "" });
  });

  it.each([0, 1, 7])("a picture whose last box has length %i is read to the end", async (length) => {
    await expect(picture(avif(length))).resolves.toMatchObject({ warnings: [{ code: "no_text" }] });
  });

  it("a picture has caption, keywords, author and time of Exif and IPTC", async () => {
    await expect(picture(jpeg())).resolves.toMatchObject({
      title: null,
      text: "Waves at the pier\n\nHigh tide\n\nsea, pier\n\nCromer",
      metadata: { author: "Ada Keeper", publishedAt: "2019-07-08T07:10:11.000Z" },
    });
  });

  it("a picture that is a drawing has its text", async () => {
    const svg = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b"><svg xmlns="x" viewBox="0 0 30 20"><title>Plan</title><desc>Of the pier</desc><g><text>North <tspan>gate</tspan></text></g></svg>`;
    await expect(picture(Buffer.from(svg))).resolves.toEqual({
      title: "Plan",
      text: "Of the pier\nNorth gate",
      metadata: { stats: { width: 30, height: 20 } },
      warnings: [],
    });
  });

  it("a picture in no known format is rejected", async () => {
    await expect(picture(toBytes("words"))).rejects.toMatchObject({ code: "unreadable_file" });
    await expect(picture(toBytes("<html></html>"))).rejects.toMatchObject({ code: "unreadable_file" });
  });
});

describe("recordings", () => {
  it("a recording in MP3 has title, artist, album, date, comment and duration", async () => {
    await expect(sound(mp3())).resolves.toMatchObject({
      title: "Kelp song",
      text: "Recorded under water.",
      metadata: { author: "The Divers", siteName: "Deep", publishedAt: "2018-09-10T00:00:00.000Z", durationSeconds: 5 },
      warnings: [{ code: "no_transcript", message: expect.stringContaining("configure speech to text") }],
      isDurationFromBytes: true,
    });
  });

  it("a recording with timed lyrics has their times and no warning", async () => {
    await expect(sound(mp3(10, { sync: true }))).resolves.toMatchObject({
      lines: [
        { startMs: 1_000, endMs: 4_000, text: "First line" },
        { startMs: 4_000, text: "Second line" },
      ],
      warnings: [],
    });
  });

  it.each([
    ["WAV", wav(2, 16_000), { metadata: { durationSeconds: 2 } }],
    ["FLAC", flac(), { title: "Fog horn", metadata: { author: "The Keepers", durationSeconds: 10 } }],
    ["MP4", mp4(), { title: "Tide film", text: "How the tide comes in.", metadata: { durationSeconds: 95 } }],
    ["WebM", webm(), { title: "Lamp film", metadata: { durationSeconds: 12 } }],
  ])("a recording in %s is read", async (_name, bytes, expected) => {
    await expect(sound(bytes)).resolves.toMatchObject(expected);
  });

  it("a recording that is truncated has what was before the cut", async () => {
    await expect(readDocument(mp4().subarray(0, 400), "video")).resolves.toMatchObject({
      title: "Tide film",
      metadata: { durationSeconds: 95 },
      warnings: [{ message: expect.stringContaining("speech in this video") }],
    });
  });

  it("a recording in no known format is rejected", async () => {
    await expect(sound(toBytes("words words words words"))).rejects.toMatchObject({ code: "unreadable_file" });
  });
});
