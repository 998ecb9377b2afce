import { expect, it, onTestFinished } from "vitest";
import { analysePart } from "#retrieval/lexical/analyse.ts";
import { createPool, type Pool } from "#ingest/threads/pool.ts";
import { usePools } from "./support/pools.ts";

const never = new AbortController().signal;
const make = usePools(5_000);
const page = (html: string) => ({ html, url: "https://example.com/" });
type Html = ReturnType<typeof page>;
const clean = (pool: Pool, html: Html, signal: AbortSignal) => pool.reader({ business: "biz_1" }).clean(html, signal);

it("the pool reserves its last slot for small tasks while large ones wait", async () => {
  const pool = createPool({ size: 2, timeoutMs: 20_000, memoryMb: 256, fileMemoryMb: 256, maxBuffersMb: 96, idleMs: 1_000 });
  const never = new AbortController().signal;
  const ended: string[] = [];
  // A large page takes longer than the start of a thread.
  const page = (name: string, paragraphs: number): Promise<void> =>
    pool
      .reader({ business: "biz_1" })
      .page(
        {
          body: new Uint8Array(Buffer.from(`<p>${"words and words ".repeat(10)}</p>`.repeat(paragraphs))),
          contentType: "text/html",
          url: "https://a.example/",
        },
        never,
      )
      .then(() => void ended.push(name));
  try {
    await page("warm", 1);
    await Promise.all([page("large 1", 15_000), page("large 2", 15_000), page("large 3", 15_000), page("small", 1)]);
    expect(ended.indexOf("small")).toBeLessThan(ended.indexOf("large 2"));
  } finally {
    await pool.close();
  }
});

it("the pool cleans pages and analyses text in a real thread", async () => {
  const pool = createPool({ size: 1, timeoutMs: 20_000, memoryMb: 256, fileMemoryMb: 256, maxBuffersMb: 96, idleMs: 1_000 });
  onTestFinished(() => pool.close());
  const cleaned = await clean(pool, page("<title>T</title><p>hello there</p>"), never);
  expect(cleaned).toMatchObject({ title: "T", text: "hello there" });
  const part = { title: "T", text: "Some words of a text.", language: "en", offset: 0, headings: [] };
  const [analysed] = await pool.analyse([part], { business: "biz_1", isUrgent: true });
  expect(analysed).toEqual(analysePart(part));
});

it("the pool kills a task that exceeds its time and runs the next", async () => {
  const pool = make({ timeoutMs: 300 });
  const hanging = clean(pool, page("hang"), never);
  const next = clean(pool, page("next"), never);
  await expect(hanging).rejects.toMatchObject({ name: "IngestError", code: "page_too_complex", stage: "clean", retryable: false });
  await expect(next).resolves.toBe("next");
});

it("the pool survives a thread whose buffers take too much memory", async () => {
  const pool = make({ timeoutMs: 50_000, maxBuffersMb: 64 });
  const greedy = clean(pool, page("buffers"), never);
  await expect(greedy).rejects.toMatchObject({ code: "page_too_complex", message: expect.stringContaining("too much memory") });
  await expect(clean(pool, page("next"), never)).resolves.toBe("next");
});

it("the pool survives a thread that runs out of memory", async () => {
  const pool = make({ timeoutMs: 50_000, memoryMb: 32 });
  const greedy = clean(pool, page("memory"), never);
  const next = clean(pool, page("next"), never);
  await expect(greedy).rejects.toMatchObject({ code: "page_too_complex", stage: "clean" });
  await expect(next).resolves.toBe("next");
});

it("the pool survives a thread that exits, and a task that throws", async () => {
  const pool = make();
  await expect(clean(pool, page("exit"), never)).rejects.toThrow("worker thread failed");
  await expect(clean(pool, page("throw"), never)).rejects.toThrow("worker thread failed");
  await expect(clean(pool, page("next"), never)).resolves.toBe("next");
});

it("the pool ends an aborted task with the signal's reason, running or waiting", async () => {
  const pool = make();
  const first = new AbortController();
  const second = new AbortController();
  const running = clean(pool, page("hang"), first.signal);
  const waiting = clean(pool, page("waits"), second.signal);
  const last = clean(pool, page("last"), never);
  second.abort(new Error("second reason"));
  await expect(waiting).rejects.toThrow("second reason");
  setTimeout(() => first.abort(new Error("first reason")), 200);
  await expect(running).rejects.toThrow("first reason");
  await expect(last).resolves.toBe("last");
  await expect(clean(pool, page("x"), AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
});

it("the pool fails a task whose thread cannot be started", async () => {
  const pool = make({ thread: new URL("../fixtures/missing.ts", import.meta.url) });
  await expect(clean(pool, page("x"), never)).rejects.toThrow("worker thread failed");
});

it("the pool starts a thread again after an idle one was ended", async () => {
  const pool = make({ idleMs: 20 });
  await expect(clean(pool, page("one"), never)).resolves.toBe("one");
  await new Promise((resolve) => setTimeout(resolve, 150));
  await expect(clean(pool, page("two"), never)).resolves.toBe("two");
});

it("the pool uses several threads at once", async () => {
  const pool = make({ size: 2, timeoutMs: 3_000 });
  const hanging = clean(pool, page("hang"), never);
  hanging.catch(() => undefined);
  await expect(clean(pool, page("beside"), never)).resolves.toBe("beside");
});

it("the pool rejects running tasks when it closes, and can be closed repeatedly", async () => {
  const pool = make();
  const running = clean(pool, page("hang"), never);
  const waiting = clean(pool, page("waits"), never);
  const ends = Promise.allSettled([running, waiting]);
  await Promise.all([pool.close(), pool.close()]);
  for (const end of await ends) expect(end.status).toBe("rejected");
  await expect(clean(pool, page("x"), never)).rejects.toThrow("closed");
});
