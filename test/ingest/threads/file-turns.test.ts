import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Fetcher } from "#domain/content/fetch.ts";
import type { ClaimedJob } from "#domain/content/job.ts";
import { DEFAULT_SOURCE_SETTINGS } from "#ingest/extract/settings.ts";
import { attemptJob } from "#ingest/jobs/attempt.ts";
import { runJob, type RunJobDeps } from "#ingest/run-job.ts";

const TIMEOUT_MS = 30_000;
const SLOW_MS = 12_000;
const PDF = new TextEncoder().encode("%PDF-1.7\n");
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);

const after = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Files that are truncated in the first response; the complete file takes 12 seconds. */
const slowFiles: Fetcher = {
  async fetch({ url, maxBytes, signal }) {
    const isWhole = maxBytes > 4 * 1_048_576;
    if (isWhole) await after(SLOW_MS, signal);
    return { url, status: 200, headers: { "content-type": "application/pdf" }, body: PDF.slice(), truncated: !isWhole };
  },
};

const pictures: Fetcher = {
  fetch: async ({ url }) => ({ url, status: 200, headers: { "content-type": "image/png" }, body: PNG.slice(), truncated: false }),
};

/** Starts an attempt for each link of a business; `ended` lists the results in order. */
function startAttempts(more: Partial<RunJobDeps>) {
  const ended: string[] = [];
  const document = async () => ({
    title: null,
    text: "Words of a file.",
    metadata: {},
    warnings: [{ code: "no_text", message: "This is a picture." }],
  });
  const deps = {
    reader: { document } as unknown as RunJobDeps["reader"],
    decode: () => ({ text: "", charset: "utf-8" }),
    settings: DEFAULT_SOURCE_SETTINGS,
    now: () => Date.now(),
    timeoutMs: TIMEOUT_MS,
    ...more,
  } as RunJobDeps;
  const start = async (business: string, name: string): Promise<void> => {
    const job = {
      businessId: business,
      url: `https://files.example/${name}`,
      file: null,
      attempt: 1,
      maxAttempts: 1,
    } as unknown as ClaimedJob;
    const outcome = await attemptJob((one, signal, clock) => runJob(deps, one, signal, clock), job, new AbortController(), TIMEOUT_MS);
    if (outcome === null) throw new Error("The attempt was aborted.");
    const how =
      "error" in outcome ? outcome.error.code : "ingested" in outcome ? outcome.ingested.warnings.map(({ code }) => code).join() : "";
    ended.push(`${business} ${how === "" || how === "no_text" ? "ready" : how}`);
  };
  return { ended, start };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("large files are read in turns of the businesses, and waiting is not charged to the attempt", async () => {
  const { ended, start } = startAttempts({ fetcher: slowFiles });
  for (let n = 1; n <= 5; n++) void start("many", `${n}.pdf`);
  await vi.advanceTimersByTimeAsync(100);
  void start("one", "1.pdf");
  await vi.advanceTimersByTimeAsync(6 * SLOW_MS + 1_000);
  expect(ended).toEqual(["many ready", "one ready", "many ready", "many ready", "many ready", "many ready"]);
});

it("files are read in turns if a model reads them", async () => {
  const read = async (_media: unknown, signal: AbortSignal) => {
    await after(SLOW_MS, signal);
    return { description: "A pier.", words: "", usage: { input: 0, output: 0 } };
  };
  const { ended, start } = startAttempts({ fetcher: pictures, media: { pictures: { read }, speech: null } });
  for (let n = 1; n <= 16; n++) void start("many", `${n}.png`);
  await vi.advanceTimersByTimeAsync(100);
  void start("one", "1.png");
  await vi.advanceTimersByTimeAsync(5 * SLOW_MS + 1_000);
  expect(ended.indexOf("one ready")).toBeGreaterThanOrEqual(4);
  expect(ended.indexOf("one ready")).toBeLessThan(8);
  expect(ended.filter((one) => one === "many ready")).toHaveLength(16);
});
