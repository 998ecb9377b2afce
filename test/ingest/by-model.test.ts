import { expect, it, onTestFinished, vi } from "vitest";
import type { FetchRequest } from "#domain/content/fetch.ts";
import { type ClaimedJob, type Ingested } from "#domain/content/job.ts";
import type { Media, MediaReaders, PictureReading, SpeechReading } from "#domain/model/media.ts";
import { ModelError } from "#domain/model/model.ts";
import { DEFAULT_SOURCE_SETTINGS } from "#ingest/extract/settings.ts";
import { decodeBody } from "#ingest/read/plain/charset.ts";
import { runJob } from "#ingest/run-job.ts";
import { readInline } from "../wire/support/inline-reader.ts";
import { gif, mp3, mp4, png, wav, webm } from "./read/media-samples.ts";

const MIB = 1_048_576;
const NO_TOKENS = { input: 0, output: 0 };
const SPEECH: SpeechReading = {
  parts: [
    { startMs: 1_000, endMs: 3_000, text: " The ferry leaves at nine." },
    { startMs: 65_000, endMs: 67_000, text: "Bring a coat." },
  ],
  text: "The ferry leaves at nine. Bring a coat.",
  language: "en",
  seconds: 70,
  usage: NO_TOKENS,
};
const PICTURE: PictureReading = { description: "A sign on a pier.", words: "NO SWIMMING", usage: NO_TOKENS };

type Setup = {
  readonly bytes: Uint8Array;
  readonly name?: string;
  /** Read as a link instead of an upload. */
  readonly url?: string;
  readonly picture?: (media: Media, signal: AbortSignal) => Promise<PictureReading>;
  readonly speech?: (media: Media, signal: AbortSignal) => Promise<SpeechReading>;
  readonly attempt?: number;
  readonly timeoutMs?: number;
};

async function ingest({ bytes, name = "file.bin", url, picture, speech, attempt = 3, timeoutMs = 10_000 }: Setup) {
  const fetched: number[] = [];
  const media: MediaReaders = { pictures: picture ? { read: picture } : null, speech: speech ? { read: speech } : null };
  const job = {
    ...{ id: "job_1", businessId: "biz_1", boardId: "brd_1", tileId: "til_1", type: "WEBSITE", host: "x", lease: "1" },
    url: url ?? null,
    file: url === undefined ? { name, mediaType: "application/octet-stream" } : null,
    attempt,
    maxAttempts: 3,
  } as ClaimedJob;
  const result: Ingested = await runJob(
    {
      fetcher: {
        async fetch({ url, maxBytes }: FetchRequest) {
          fetched.push(maxBytes);
          const body = Buffer.from(bytes.subarray(0, maxBytes));
          return { url, status: 200, headers: { "content-length": String(bytes.length) }, body, truncated: bytes.length > maxBytes };
        },
      },
      decode: decodeBody,
      // The bytes are transferred to a thread, so this buffer is detached.
      reader: {
        ...readInline,
        async document(given, form, signal) {
          const read = await readInline.document(Uint8Array.from(given), form, signal);
          given.fill(0);
          return read;
        },
      },
      settings: DEFAULT_SOURCE_SETTINGS,
      media,
      now: () => 0,
      timeoutMs,
      readUpload: async () => Buffer.from(bytes),
    },
    job,
    AbortSignal.timeout(timeoutMs + 5_000),
  );
  return { ...result, fetched };
}

const failing =
  (...failure: ConstructorParameters<typeof ModelError>) =>
  () =>
    Promise.reject(new ModelError(...failure));
const hanging = (_media: Media, signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

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

it("any failure becomes a warning with the reason, beside the metadata of the file", async () => {
  const refused = "The model refused the key. Check LLM_API_KEY.";
  expect(await ingest({ bytes: png(), picture: failing("refused", refused) })).toMatchObject({
    text: "A brass lantern on a sill.\n\nbrass, light",
    warnings: [{ code: "picture_not_read", message: `This picture was not read by the model. ${refused}` }],
  });
  for (const failure of ["refused", "cut_off", "wrong_answer", "timeout", "unreachable", "rate_limited"] as const) {
    const found = await ingest({ bytes: wav(), name: "talk.wav", speech: failing(failure, "It failed.") });
    expect(found).toMatchObject({
      type: "AUDIO",
      text: "talk.wav",
      warnings: [{ code: "not_transcribed", message: "This recording was not transcribed. It failed." }],
    });
  }
});

it("a temporary failure is retried, and accepted in the last attempt or after a long Retry-After", async () => {
  const limited = failing("rate_limited", "Too many.", { retryAfterSeconds: 9 });
  await expect(ingest({ bytes: wav(), speech: limited, attempt: 1 })).rejects.toMatchObject({
    code: "rate_limited",
    retryable: true,
    retryAfterSeconds: 9,
    stage: "extract",
  });
  await expect(ingest({ bytes: gif(), picture: failing("unreachable", "Away."), attempt: 2 })).rejects.toMatchObject({
    code: "connection_failed",
    retryable: true,
  });
  const long = failing("rate_limited", "Too many.", { retryAfterSeconds: 900 });
  expect((await ingest({ bytes: wav(), speech: long, attempt: 1 })).warnings).toMatchObject([{ code: "not_transcribed" }]);
  expect((await ingest({ bytes: wav(), speech: failing("refused", "No."), attempt: 1 })).warnings).toMatchObject([
    { code: "not_transcribed" },
  ]);
});

it("a model that recognises nothing leaves a warning and a tile with text", async () => {
  const blank = async () => ({ description: " ", words: "", usage: NO_TOKENS });
  expect(await ingest({ bytes: gif(), name: "dot.gif", picture: blank })).toMatchObject({
    text: "dot.gif",
    warnings: [{ code: "picture_not_read", message: expect.stringContaining("No text or content recognised") }],
  });
  const silent = async () => ({ ...SPEECH, parts: [{ startMs: 0, endMs: 1, text: "  " }], text: "" });
  expect(await ingest({ bytes: wav(), name: "hum.wav", speech: silent })).toMatchObject({
    text: "hum.wav",
    warnings: [{ code: "not_transcribed", message: expect.stringContaining("No speech detected") }],
  });
});

it("a slow model ends within the time of the attempt, with a warning", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ingesting = ingest({ bytes: wav(), speech: hanging, attempt: 1, timeoutMs: 60_000 });
  await vi.advanceTimersByTimeAsync(59_999);
  const found = await ingesting;
  expect(found.warnings).toMatchObject([{ code: "not_transcribed", message: expect.stringContaining("INGEST_TIMEOUT_MS") }]);
});

it("files beyond the limits are not sent to a model, with a warning", async () => {
  const never = failing("refused", "The model must not be asked.");
  const large = (head: Uint8Array, bytes: number) => Buffer.concat([head, Buffer.alloc(bytes)]);
  const sound = large(wav(), 25 * MIB);
  expect((await ingest({ bytes: sound, speech: never })).warnings).toMatchObject([
    { code: "not_transcribed", message: expect.stringContaining("25 MB") },
  ]);
  const link = await ingest({ bytes: sound, url: "https://files.example/talk.wav", speech: never });
  expect(link.warnings).toMatchObject([{ code: "not_transcribed", message: expect.stringContaining("25 MB") }]);
  expect(link.fetched).toEqual([2 * MIB]);
  const picture = await ingest({ bytes: large(png(), 20 * MIB), picture: never });
  expect(picture.warnings).toMatchObject([{ code: "picture_not_read", message: expect.stringContaining("20 MB") }]);
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
