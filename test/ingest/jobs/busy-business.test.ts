import { expect, it, onTestFinished } from "vitest";
import { DEFAULT_SOURCE_SETTINGS } from "#ingest/extract/settings.ts";
import { decodeBody } from "#ingest/read/plain/charset.ts";
import { runJob } from "#ingest/run-job.ts";
import { createPool } from "#ingest/threads/pool.ts";
import { startWorker } from "#ingest/worker.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { addLink } from "../../contract/store-context.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";

/** The time limit of an attempt: all slow pages together take three times as long in the single thread. */
const TIMEOUT_MS = 4_000;
const SLOW_PAGES = 40;

it("a link of one business becomes ready while another business has many slow pages queued", { timeout: 300_000 }, async () => {
  const store = await openStore(":memory:");
  const limits = { size: 1, timeoutMs: 60_000, memoryMb: 64, fileMemoryMb: 64, maxBuffersMb: 96, idleMs: 5_000 };
  const pool = createPool({ ...limits, thread: new URL("../fixtures/slow-thread.ts", import.meta.url) });
  const [many, one] = [await seedBusiness(store, "Many"), await seedBusiness(store, "One")];
  for (let n = 0; n < SLOW_PAGES; n++) await addLink({ store, scope: many.scope }, `https://slow-${n}.example/`);
  const codes: string[] = [];
  let begun = 0;
  const fetchPage = async ({ url }: { readonly url: string }) => {
    begun++;
    const body = Uint8Array.from(Buffer.from(`<p>Words of the page ${url}</p>`));
    return { url, status: 200, headers: { "content-type": "text/html" }, body, truncated: false };
  };
  const worker = startWorker({
    queue: store.queue,
    run: (job, signal, clock) =>
      runJob(
        {
          fetcher: { fetch: fetchPage },
          reader: pool.reader({ business: job.businessId, clock }),
          decode: decodeBody,
          settings: DEFAULT_SOURCE_SETTINGS,
          now: Date.now,
          timeoutMs: TIMEOUT_MS,
          readUpload: async () => null,
        },
        job,
        signal,
        clock,
      ),
    clock: { now: () => T0 + 10 },
    concurrency: SLOW_PAGES + 1,
    perHost: 2,
    timeoutMs: TIMEOUT_MS,
    log: { info: (fields: object) => void codes.push((fields as { code?: string }).code ?? ""), warn: () => {}, error: () => {} },
  });
  onTestFinished(async () => {
    await worker.stop(0);
    await pool.close();
    await store.close();
  });
  await expect.poll(() => begun, { timeout: 300_000 }).toBe(SLOW_PAGES);
  const link = await addLink({ store, scope: one.scope }, "https://quick.example/", {}, T0 + 1);
  const readStatus = async (businessId: string, id: string): Promise<string | undefined> =>
    (await store.tiles.find(businessId, id))?.status;
  await expect.poll(() => readStatus(one.business.id, link.id), { timeout: 300_000 }).toBe("ready");
  // It did not wait for all others, and waiting does not fail the others.
  const { processing } = await store.tiles.counts();
  expect(processing).toBeGreaterThan(0);
  await expect.poll(async () => (await store.tiles.counts()).processing, { timeout: 300_000 }).toBe(0);
  expect(codes).toEqual([]);
});
