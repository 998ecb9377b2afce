import { expect, test } from "vitest";
import { createClient, type Revision, TesseraError } from "@tessera-board/sdk";
import { serve } from "./server.ts";

const STREAM = { "content-type": "text/event-stream; charset=utf-8" };

test("the revisions of a board arrive in order until the service ends the stream", async () => {
  const body =
    'event: revision\ndata: {"zones":1,"content":2}\n\n: still at it\n\nevent: other\ndata: {}\n\nevent: revision\ndata: {"zones":1,"content":3}\n\n';
  await using server = await serve(() => ({ headers: STREAM, body }));
  const told: Revision[] = [];
  await createClient({ baseUrl: server.url, apiKey: "tsr_key" }).boards.follow("b/1", (revision) => told.push(revision));
  expect(told).toEqual([
    { zones: 1, content: 2 },
    { zones: 1, content: 3 },
  ]);
  expect(server.seen[0]).toMatchObject({ method: "GET", url: "/api/board/b%2F1/events", headers: { accept: "text/event-stream" } });
});

test("job progress arrives on request", async () => {
  const tile = { tileId: "til_1", stage: "fetch", attempt: 1, maxAttempts: 3, startedAt: "2026-11-22T03:00:00.000Z" };
  const body = [{ tiles: [tile] }, { tiles: [] }].map((data) => `event: progress\ndata: ${JSON.stringify(data)}\n\n`).join("");
  await using server = await serve(() => ({ headers: STREAM, body: `event: revision\ndata: {"zones":1,"content":2}\n\n${body}` }));
  const { boards } = createClient({ baseUrl: server.url, apiKey: "tsr_key" });
  const told: unknown[] = [];
  await boards.follow("b", (revision) => told.push(revision), { onProgress: (tiles) => told.push(tiles) });
  expect(told).toEqual([{ zones: 1, content: 2 }, [tile], []]);
  await boards.follow("b", () => {});
});

test("an error is thrown, and aborting ends the stream", async () => {
  await using server = await serve(() => ({ status: 429, headers: { "retry-after": "5" }, body: { error: "Too many streams are open." } }));
  await expect(createClient({ baseUrl: server.url }).boards.follow("b", () => {})).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 5,
  });

  const gone = new AbortController();
  const open = async (_url: unknown, init?: RequestInit) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('event: revision\ndata: {"zones":1,"content":1}\n\n'));
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        },
      }),
      { headers: STREAM },
    );
  const following = createClient({ baseUrl: "", fetch: open }).boards.follow("b", () => gone.abort(), { signal: gone.signal });
  await expect(following).rejects.toThrow("aborted");
});

test.each([
  ["the page of a proxy", { headers: { "content-type": "text/html" }, body: "<h1>Log in</h1>" }, /not an event stream.*baseUrl/],
  ["JSON", { body: { boards: [] } }, /not an event stream.*baseUrl/],
  ["no content", { status: 204, body: "" }, /not an event stream.*baseUrl/],
  ["a stream that ends at once", { headers: STREAM, body: ": hello\n\n" }, /ended the stream before it sent a revision/],
  ["progress without tiles", { headers: STREAM, body: "event: progress\ndata: {}\n\n" }, /has no list/],
])("%s is not taken for a stream that ended", async (_what, answer, message) => {
  await using server = await serve(() => answer);
  const failure = createClient({ baseUrl: server.url }).boards.follow("b", () => {}, { onProgress: () => {} });
  await expect(failure).rejects.toThrow(message);
  await expect(failure).rejects.toBeInstanceOf(TesseraError);
  expect(server.seen).toHaveLength(1);
});
