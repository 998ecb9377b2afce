import { expect, test } from "vitest";
import type { Revisions } from "#domain/core/board.ts";
import { type ListingCache, createListingCache } from "#http/listing/listing-cache.ts";
import type { ReusableJson } from "#http/response/reusable-json.ts";
import type { BoardReader } from "#service/access.ts";

const reader = { target: { id: "brd_1" } } as unknown as BoardReader;
const stranger = { target: { id: "brd_2" } } as unknown as BoardReader;
const revisions = { zones: 1, content: 1, existing: 1 } as unknown as Revisions;
/** Caches a listing and requests it again, which prepares it for more requests. */
function cacheTwice(cache: ListingCache, key: string, text = "{}"): ReusableJson {
  cache.set(key, listing, revisions, text);
  return cache.get(key, reader, revisions) as ReusableJson;
}
const listing = { boardId: "brd_1", dependsOn: "zones" } as const;

test("the listing cache stays within its size limit, including keys and overhead", () => {
  const cache = createListingCache(1_000_000);
  for (let n = 0; n < 20_000; n++) cache.set(`/zones brd_1 ${n}`, listing, revisions, "{}");
  const { entries, bytes } = cache.usage();
  expect(bytes).toBeLessThanOrEqual(1_000_000);
  expect(entries).toBeLessThan(1_300);
});

test("the listing cache counts bodies in each coding, and drops the oldest listings for them", async () => {
  const cache = createListingCache(20_000);
  const bodies = [1, 2, 3].map((n) => cacheTwice(cache, `/zones brd_1 ${n}`, "x".repeat(2_000)));
  const { bytes } = cache.usage();
  await bodies[2]?.compress("gzip", async () => Buffer.alloc(700));
  await bodies[2]?.compress("br", async () => Buffer.alloc(500));
  expect(cache.usage()).toEqual({ entries: 3, bytes: bytes + 1_200 });
  await bodies[1]?.compress("br", async () => Buffer.alloc(6_000));
  expect(cache.usage().entries).toBe(2);
  expect(cache.get("/zones brd_1 1", reader, revisions)).toBeUndefined();
});

test("the listing cache compresses a body once for each coding, and again after an error", async () => {
  const cache = createListingCache();
  const body = cacheTwice(cache, "/zones brd_1");
  let calls = 0;
  const compress = async () => Buffer.from(String(++calls));
  await expect(body.compress("br", () => Promise.reject(new Error("No memory.")))).rejects.toThrow("No memory.");
  const both = await Promise.all([body.compress("br", compress), body.compress("br", compress)]);
  expect([...both, await body.compress("br", compress)].map(String)).toEqual(["1", "1", "1"]);
  expect(String(await body.compress("gzip", compress))).toBe("2");
});

test("the listing cache forgets the size of a listing that changed while it was compressed", async () => {
  const cache = createListingCache();
  const body = cacheTwice(cache, "/zones brd_1");
  const compressing = body.compress("br", async () => Buffer.alloc(700));
  cache.set("/zones brd_1", listing, { ...revisions, zones: 2 }, "{}");
  const { bytes } = cache.usage();
  await compressing;
  expect(cache.usage()).toEqual({ entries: 1, bytes });
});

test("the listing cache serves neither outdated listings nor those of other boards", () => {
  const cache = createListingCache();
  cache.set("/zones", listing, revisions, "{}");
  expect(cache.get("/zones", reader, revisions)?.body).toBe("{}");
  expect(cache.get("/zones", stranger, revisions)).toBeUndefined();
  expect(cache.get("/zones", reader, { ...revisions, zones: 2 })).toBeUndefined();
  expect(cache.usage()).toEqual({ entries: 0, bytes: 0 });
});
