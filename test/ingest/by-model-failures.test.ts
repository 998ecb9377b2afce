import { expect, it, onTestFinished, vi } from "vitest";
import type { Media } from "#domain/model/media.ts";
import { gif, png, wav } from "./read/media-samples.ts";
import { failing, ingest, MIB, NO_TOKENS, SPEECH } from "./fixtures/by-model.ts";

const hanging = (_media: Media, signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

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
