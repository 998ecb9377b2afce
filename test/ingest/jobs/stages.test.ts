import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeJob } from "../fixtures/queue.ts";
import { createControlledTools, pass, REQUEST, setUp, SIGNAL, T0 } from "../fixtures/stages.ts";

const MEDIA = { bytes: new Uint8Array(), mediaType: "audio/mpeg", name: "a.mp3" };

beforeEach(() => void vi.useFakeTimers({ now: T0, toFake: ["setInterval", "clearInterval", "setTimeout", "Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("job stages are reported after half a second, at each later change, and removed when the job ends", async () => {
  const { stages, calls } = setUp();
  const { tools, finish } = createControlledTools();
  const job = makeJob("a", { attempt: 2 });
  const { fetcher, reader, media } = stages.watch(job, tools);
  void fetcher.fetch(REQUEST);
  await pass(450);
  expect(calls).toEqual([]);
  await pass(150);
  expect(calls).toEqual(["report til_a fetch 2"]);
  await finish();
  void reader.document(new Uint8Array(), "pdf", SIGNAL);
  await pass(300);
  expect(calls).toHaveLength(1);
  await pass(300);
  expect(calls.at(-1)).toBe("report til_a read 2");
  await finish();
  void media.speech!.read(MEDIA, SIGNAL);
  await pass(600);
  await finish();
  void media.pictures!.read(MEDIA, SIGNAL);
  await pass(600);
  expect(calls.slice(2)).toEqual(["report til_a transcribe 2", "report til_a recognise 2"]);
  stages.end(job);
  await pass(200);
  expect(calls.at(-1)).toBe("end til_a recognise 2");
  await pass(60_000);
  expect(calls).toHaveLength(5);
  expect(vi.getTimerCount()).toBe(0);
});

it("job stages are named after the latest running call, and stay between two calls", async () => {
  const { stages, calls } = setUp();
  const { tools, finish } = createControlledTools();
  const { fetcher, media } = stages.watch(makeJob("a"), tools);
  void media.speech!.read(MEDIA, SIGNAL);
  void fetcher.fetch(REQUEST);
  await pass(600);
  expect(calls).toEqual(["report til_a fetch 1"]);
  await finish();
  await pass(600);
  expect(calls).toHaveLength(1);
  await finish();
  await pass(1_000);
  expect(calls).toHaveLength(1);
  void media.pictures!.read(MEDIA, SIGNAL);
  await pass(200);
  expect(calls.at(-1)).toBe("report til_a recognise 1");
});

it("job stages end when a tool throws, and pass on the error", async () => {
  const { stages, calls } = setUp();
  const { tools } = createControlledTools();
  const fails = async (): Promise<never> => {
    throw new Error("refused");
  };
  const { fetcher, reader } = stages.watch(makeJob("a"), { ...tools, fetcher: { fetch: fails } });
  await expect(fetcher.fetch(REQUEST)).rejects.toThrow("refused");
  void reader.feed("", SIGNAL);
  await pass(600);
  expect(calls).toEqual(["report til_a read 1"]);
});

it("job stages exclude readers that are missing", () => {
  const { stages } = setUp();
  expect(stages.watch(makeJob("a"), { ...createControlledTools().tools, media: { pictures: null, speech: null } }).media).toEqual({
    pictures: null,
    speech: null,
  });
});
