import { expect, it, onTestFinished } from "vitest";
import type { Media, PictureReading, SpeechReading } from "#domain/model/media.ts";
import { gif, mp3, mp4, png, wav, webm } from "./read/media-samples.ts";
import { failing, ingest, MIB, NO_TOKENS, SPEECH } from "./fixtures/by-model.ts";

const PICTURE: PictureReading = { description: "A sign on a pier.", words: "NO SWIMMING", usage: NO_TOKENS };

it("the description and text of a picture follow its metadata", async () => {
  const seen: Media[] = [];
  const found = await ingest({ bytes: png(), name: "sign.jpeg", picture: async (media) => (seen.push(media), PICTURE) });
  expect(found).toMatchObject({
    type: "IMAGE",
    title: "The lantern",
    text: "A brass lantern on a sill.\n\nbrass, light\n\nA sign on a pier.\n\nNO SWIMMING",
    warnings: [],
  });
  expect(found.metadata).toMatchObject({ stats: { width: 640, height: 480 }, wordCount: 15 });
  expect(seen).toEqual([{ bytes: png(), mediaType: "image/png", name: "sign.png" }]);
});

it("a recording becomes a transcript with times, in the text and as segments", async () => {
  const seen: Media[] = [];
  const found = await ingest({ bytes: mp3(), name: "talk.bin", speech: async (media) => (seen.push(media), SPEECH) });
  const text = "Recorded under water.\n\nThe ferry leaves at nine.\n\nBring a coat.";
  expect(found).toMatchObject({
    type: "AUDIO",
    title: "Kelp song",
    text,
    warnings: [],
    metadata: { author: "The Divers", language: "en" },
  });
  expect(found.segments!.map(({ start, end, seconds }) => [text.slice(start, end), seconds])).toEqual([
    ["The ferry leaves at nine.", 1],
    ["Bring a coat.", 65],
  ]);
  expect(seen.map(({ mediaType, name, bytes }) => [mediaType, name, bytes.length])).toEqual([["audio/mpeg", "talk.mp3", mp3().length]]);
});

it.each([
  ["mp4", mp4, "VIDEO", "video/mp4"],
  ["webm", webm, "VIDEO", "video/webm"],
  ["wav", wav, "AUDIO", "audio/wav"],
] as const)("a recording of type %s is transcribed too, and text without times has no segments", async (_name, make, type, mediaType) => {
  const types: string[] = [];
  const speech = async (media: Media) => (types.push(media.mediaType), { ...SPEECH, parts: [] });
  const found = await ingest({ bytes: make(), speech });
  expect(found).toMatchObject({ type, warnings: [] });
  expect(found.text).toContain("The ferry leaves at nine. Bring a coat.");
  expect(found.segments).toBeUndefined();
  expect(types).toEqual([mediaType]);
});

it("the model is not called if there is none, for a drawing, or for a song with lyrics", async () => {
  expect((await ingest({ bytes: png() })).warnings.map(({ code }) => code)).toEqual(["no_text"]);
  expect((await ingest({ bytes: wav(), picture: async () => PICTURE })).warnings.map(({ code }) => code)).toEqual(["no_transcript"]);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><path d="M0 0"/></svg>');
  const never = failing("refused", "The model must not be asked.");
  expect((await ingest({ bytes: svg, name: "a.svg", picture: never })).warnings.map(({ code }) => code)).toEqual(["no_text"]);
  expect((await ingest({ bytes: mp3(20, { sync: true }), speech: never })).text).toContain("First line");
});

it("a linked file is fetched once, completely, for the model", async () => {
  const bytes = Buffer.concat([wav(), Buffer.alloc(5 * MIB, 7)]);
  const seen: number[] = [];
  const found = await ingest({
    bytes,
    url: "https://files.example/talk.wav",
    speech: async (media) => (seen.push(media.bytes.length), SPEECH),
  });
  expect(found).toMatchObject({ type: "AUDIO", warnings: [] });
  expect(found.text).toContain("The ferry leaves at nine.");
  expect(seen).toEqual([bytes.length]);
  expect(found.fetched).toEqual([2 * MIB, 25 * MIB]);
  const small = await ingest({ bytes: wav(), url: "https://files.example/short.wav", speech: async () => SPEECH });
  expect(small.fetched).toHaveLength(1);
});

it("the output of a model is truncated and sanitised", async () => {
  const long = await ingest({ bytes: gif(), picture: async () => ({ ...PICTURE, description: `A\u0000\ud800 ${"x".repeat(1_200_000)}` }) });
  expect(long.text.length).toBe(1_000_000);
  expect(long.text.startsWith("A\ufffd\ufffd x")).toBe(true);
  expect(long.warnings).toEqual([{ code: "truncated", message: "The text is very long; only its beginning was kept." }]);
  const parts = Array.from({ length: 20_000 }, (_, i) => ({
    startMs: i * 1_000,
    endMs: i * 1_000 + 900,
    text: `${i} ${"word ".repeat(20)}`,
  }));
  const heard = await ingest({ bytes: wav(), speech: async () => ({ ...SPEECH, parts }) });
  expect(heard.text.length).toBeLessThan(1_000_000);
  expect(heard.warnings).toEqual([{ code: "truncated", message: "The transcript is very long; only its beginning was kept." }]);
  expect(heard.segments!.at(-1)!.end).toBe(heard.text.length);
});

it("at most four files are read at once", async () => {
  let running = 0;
  let most = 0;
  const slow = async (): Promise<SpeechReading> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 50));
    running--;
    return SPEECH;
  };
  onTestFinished(() => expect(running).toBe(0));
  const found = await Promise.all(Array.from({ length: 10 }, () => ingest({ bytes: wav(), speech: slow })));
  expect(found.every(({ warnings }) => warnings.length === 0)).toBe(true);
  expect(most).toBe(4);
});
