import { describe, expect, test } from "vitest";
import type { Revisions } from "#domain/core/board.ts";
import { createListingCache } from "#http/fast-path/listing-cache.ts";
import type { BoardReader } from "#service/access.ts";

const reader = { target: { id: "brd_1" } } as unknown as BoardReader;
const revisions = { zones: 1, content: 1, existing: 1 } as unknown as Revisions;
const listing = { route: "/zones", boardId: "brd_1", dependsOn: "zones" } as const;

describe("the listing cache", () => {
  test("stays within its size limit, including keys and overhead", () => {
    const cache = createListingCache(1_000_000);
    for (let n = 0; n < 20_000; n++) cache.set({ key: `/zones brd_1 ${n}`, url: `/zones?cursor=${n}` }, listing, revisions, "{}");
    const { entries, urls, bytes } = cache.usage();
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(entries).toBeLessThan(1_300);
    expect(urls).toBe(entries);
  });

  test("stays within its size when the URLs of its entries are added one by one", () => {
    const cache = createListingCache(1_000_000);
    const url = (n: number, spelling: number) => `/zones?cursor=${n}&${"x".repeat(400)}${spelling}`;
    for (let n = 0; n < 2_000; n++) {
      cache.set({ key: `/zones brd_1 ${n}`, url: url(n, 0) }, listing, revisions, "{}");
      for (let spelling = 1; spelling < 4; spelling++) cache.get({ key: `/zones brd_1 ${n}`, url: url(n, spelling) }, reader, revisions);
    }
    const { entries, urls, bytes } = cache.usage();
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(urls).toBe(entries * 4);
    // Each URL takes more than 900 bytes.
    expect(entries).toBeLessThan(1_000_000 / (4 * 900));
  });

  test("stores at most four URLs per entry, and no long ones", () => {
    const cache = createListingCache();
    for (let n = 0; n < 50; n++) {
      const name = { key: "/zones brd_1", url: `/zones?n=${n}` };
      if (cache.get(name, reader, revisions) === undefined) cache.set(name, listing, revisions, "{}");
    }
    expect(cache.usage()).toMatchObject({ entries: 1, urls: 4 });
    expect(cache.find("/zones?n=49")).toMatchObject({ boardId: "brd_1" });
    expect(cache.find("/zones?n=0")).toBeUndefined();
    const long = `/zones?p=${"x".repeat(600)}`;
    cache.get({ key: "/zones brd_1", url: long }, reader, revisions);
    expect(cache.find(long)).toBeUndefined();
  });

  test("removes stale entries with their URLs", () => {
    const cache = createListingCache();
    const name = { key: "/zones brd_1", url: "/zones" };
    cache.set(name, listing, revisions, "{}");
    expect(cache.getByUrl("/zones", reader, revisions)?.body).toBe("{}");
    expect(cache.getByUrl("/zones", reader, { ...revisions, zones: 2 })).toBeUndefined();
    expect(cache.usage()).toEqual({ entries: 0, urls: 0, bytes: 0 });
  });
});
