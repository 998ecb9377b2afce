import { expect, it } from "vitest";
import type { Actor } from "#domain/core/access.ts";
import type { FetchedResource, FetchRequest } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import type { CachedThumbnail } from "#domain/content/thumbnail.ts";
import type { Tile } from "#domain/content/tile.ts";
import { createThumbnails } from "#service/content/thumbnails.ts";

const HOUR = 3_600_000;
const NEVER = new AbortController().signal;
const keyOf = (businessId: string, keyId: string): Actor => ({ kind: "key", businessId, keyId }) as unknown as Actor;
const ACTOR = keyOf("biz", "key_1");
const createTile = (id: string, thumbnailUrl = `https://site.example/${id}.png`): Tile =>
  ({ businessId: "biz", id, type: "WEBSITE", file: null, metadata: { thumbnailUrl } }) as unknown as Tile;
const respond = (status = 200, body = Uint8Array.of(1)): FetchedResource => ({ url: "", status, headers: {}, body, truncated: false });
/** Waits until pending promises have settled. */
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Pending = { readonly url: string; readonly signal: AbortSignal; answer(resource: FetchedResource): void; fail(error: unknown): void };

/** A service whose fetches the test answers. */
function open(timeoutMs?: number) {
  const kept = new Map<string, CachedThumbnail>();
  const pending: Pending[] = [];
  const clock = { time: 1_000_000_000, now: () => clock.time };
  const thumbnails = createThumbnails({
    store: {
      thumbnails: {
        get: async (_, id) => kept.get(id) ?? null,
        set: async (_, id, thumbnail) => void kept.set(id, thumbnail),
      },
      files: {} as never,
    },
    fetcher: {
      fetch: ({ url, signal }: FetchRequest) =>
        new Promise((resolve, reject) => {
          pending.push({ url, signal, answer: resolve, fail: reject });
          const timedOut = new IngestError("timeout", "Too slow.", { stage: "fetch", retryable: true });
          signal.addEventListener("abort", () => reject(timedOut));
        }),
    },
    clock,
    readHead: () => ({ mediaType: "image/png", pixels: 1 }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  return { kept, pending, clock, thumbnails };
}

it("fetching thumbnails runs four requests at a time, one per image, in order", async () => {
  const { pending, thumbnails } = open();
  const asked = ["a", "b", "c", "a", "d", "e", "f", "e"].map((id) => thumbnails.get(ACTOR, createTile(id), NEVER));
  await nextTick();
  const names = () => pending.map(({ url }) => url.slice(-5, -4)).join("");
  expect(names()).toBe("abcd");
  pending[1]!.answer(respond());
  await nextTick();
  expect(names()).toBe("abcde");
  pending[0]!.fail(new IngestError("tls_failed", "No.", { stage: "fetch" }));
  await nextTick();
  expect(names()).toBe("abcdef");
  for (const fetch of pending) fetch.answer(respond());
  expect((await Promise.all(asked)).map((picture) => picture !== null)).toEqual([false, true, true, false, true, true, true, true]);
});

it("fetching thumbnails does not let one business delay another", async () => {
  const { pending, thumbnails } = open();
  const asked = Array.from({ length: 64 }, (_, i) => thumbnails.get(ACTOR, createTile(`t${i}`), NEVER));
  await nextTick();
  expect(pending).toHaveLength(4);
  const other = thumbnails.get({ ...ACTOR, businessId: "other" }, { ...createTile("other"), businessId: "other" }, NEVER);
  await nextTick();
  expect(pending).toHaveLength(5);
  pending[4]!.answer(respond());
  expect(await other).not.toBeNull();
  for (let answered = 0; answered < 20; answered++) {
    for (const fetch of pending) fetch.answer(respond());
    await nextTick();
  }
  expect(await Promise.all(asked)).toHaveLength(64);
});

it("fetching thumbnails does not let one key delay another of its business", async () => {
  const { pending, thumbnails } = open();
  const asked = Array.from({ length: 20 }, (_, i) => thumbnails.get(ACTOR, createTile(`t${i}`), NEVER));
  const other = thumbnails.get(keyOf("biz", "key_2"), createTile("other"), NEVER);
  await nextTick();
  pending[0]!.answer(respond());
  await nextTick();
  expect(pending[4]!.url).toContain("/other.png");
  for (let answered = 0; answered < 20; answered++) {
    for (const fetch of pending) fetch.answer(respond());
    await nextTick();
  }
  expect(await Promise.all([...asked, other])).toHaveLength(21);
});

it("fetching thumbnails rejects calls when 64 of the key or 128 of the business wait already", async () => {
  const { pending, thumbnails } = open();
  const asked = Array.from({ length: 64 }, (_, i) => thumbnails.get(ACTOR, createTile(`t${i % 8}`), NEVER));
  await nextTick();
  const refusal = (whose: string) => ({
    code: "rate_limited",
    retryAfterSeconds: 2,
    message: expect.stringContaining(`of this ${whose} are`),
  });
  await expect(thumbnails.get(ACTOR, createTile("t0"), NEVER)).rejects.toMatchObject(refusal("API key or member"));
  for (let n = 0; n < 64; n++) asked.push(thumbnails.get(keyOf("biz", `key_${n + 2}`), createTile("t0"), NEVER));
  await nextTick();
  await expect(thumbnails.get(keyOf("biz", "key_99"), createTile("t0"), NEVER)).rejects.toMatchObject(refusal("business"));
  pending[0]!.answer(respond());
  await nextTick();
  const another = thumbnails.get(ACTOR, createTile("t1"), NEVER);
  for (let answers = 0; answers < 8; answers++) {
    for (const fetch of pending) fetch.answer(respond());
    await nextTick();
  }
  expect(await Promise.all([...asked, another])).toHaveLength(129);
});

it("the fetch of a thumbnail is aborted when all callers left, and not before; nothing is cached", async () => {
  const { kept, pending, thumbnails } = open();
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [first, second].map(({ signal }) => thumbnails.get(ACTOR, createTile("a"), signal));
  const waiting = ["b", "c", "d"].map((id) => thumbnails.get(ACTOR, createTile(id), NEVER));
  const third = new AbortController();
  const queued = thumbnails.get(ACTOR, createTile("e"), third.signal);
  await nextTick();
  first.abort(new Error("gone"));
  await expect(asked[0]).rejects.toThrow("gone");
  expect(pending[0]!.signal.aborted).toBe(false);
  second.abort(new Error("gone"));
  await expect(asked[1]).rejects.toThrow("gone");
  expect(pending[0]!.signal.aborted).toBe(true);
  // The slot passes to the next request, which is then aborted too.
  await nextTick();
  expect(pending.at(-1)!.url).toContain("/e.png");
  third.abort(new Error("gone"));
  await expect(queued).rejects.toThrow("gone");
  await nextTick();
  expect(kept.size).toBe(0);
  const again = thumbnails.get(ACTOR, createTile("a"), NEVER);
  await nextTick();
  for (const fetch of pending) fetch.answer(respond());
  expect(await again).not.toBeNull();
  await Promise.all(waiting);
});

it("the fetch of a thumbnail is removed from the queue when all its callers left", async () => {
  const { pending, thumbnails } = open();
  const busy = ["a", "b", "c", "d"].map((id) => thumbnails.get(ACTOR, createTile(id), NEVER));
  const impatient = new AbortController();
  const left = thumbnails.get(ACTOR, createTile("e"), impatient.signal);
  const next = thumbnails.get(ACTOR, createTile("f"), NEVER);
  await nextTick();
  impatient.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  pending[0]!.answer(respond());
  await nextTick();
  expect(pending.map(({ url }) => url.slice(-5, -4)).join("")).toBe("abcdf");
  for (const fetch of pending) fetch.answer(respond());
  await Promise.all([...busy, next]);
});

it("the fetch of a thumbnail has a time limit", async () => {
  const { kept, thumbnails } = open(30);
  expect(await thumbnails.get(ACTOR, createTile("a"), NEVER)).toBeNull();
  expect(kept.get("a")).toMatchObject({ picture: null });
});

const failures: readonly (readonly [string, (fetch: Pending) => void, number])[] = [
  ["a 404", (fetch) => fetch.answer(respond(404)), 24],
  ["a refused address", (fetch) => fetch.fail(new IngestError("address_refused", "No.", { stage: "fetch" })), 24],
  ["a 503", (fetch) => fetch.answer(respond(503)), 0.25],
  ["a 429", (fetch) => fetch.answer(respond(429)), 0.25],
  ["a lost connection", (fetch) => fetch.fail(new IngestError("connection_failed", "No.", { stage: "fetch", retryable: true })), 0.25],
];

it.each(failures)("a missing thumbnail because of %s is cached for its time and then fetched again", async (_, settle, hours) => {
  const { clock, pending, thumbnails } = open();
  const look = async (): Promise<unknown> => {
    const asked = thumbnails.get(ACTOR, createTile("a"), NEVER);
    await nextTick();
    const last = pending.at(-1);
    if (last !== undefined) settle(last);
    return asked;
  };
  expect(await look()).toBeNull();
  clock.time += hours * HOUR - 1;
  expect(await look()).toBeNull();
  expect(pending).toHaveLength(1);
  clock.time += 2;
  expect(await look()).toBeNull();
  expect(pending).toHaveLength(2);
});

it("a missing thumbnail is fetched again at another address", async () => {
  const { pending, thumbnails } = open();
  const first = thumbnails.get(ACTOR, createTile("a"), NEVER);
  await nextTick();
  pending[0]!.answer(respond(404));
  expect(await first).toBeNull();
  const second = thumbnails.get(ACTOR, createTile("a", "https://site.example/new.png"), NEVER);
  await nextTick();
  pending[1]!.answer(respond());
  expect(await second).toMatchObject({ mediaType: "image/png" });
});

it("a missing thumbnail is not assumed after an internal error", async () => {
  const { kept, pending, thumbnails } = open();
  const asked = thumbnails.get(ACTOR, createTile("a"), NEVER);
  await nextTick();
  pending[0]!.fail(new TypeError("a fault"));
  await expect(asked).rejects.toThrow("a fault");
  expect(kept.size).toBe(0);
});
