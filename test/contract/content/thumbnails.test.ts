import { expect } from "vitest";
import type { CachedThumbnail, ThumbnailShare } from "#domain/content/thumbnail.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { addText } from "../store-context.ts";
import { test } from "../store-test.ts";

const SHARE = { rows: 100, bytes: 1_000_000 };
const cachedThumbnail = (bytes: readonly number[], more: Partial<CachedThumbnail> = {}): CachedThumbnail => ({
  sourceUrl: "https://site.example/a.png",
  picture: { mediaType: "image/png", body: Uint8Array.from(bytes) },
  fetchedAt: T0,
  ...more,
});
/** Converts the bytes to a plain array, whatever type the driver returns. */
const withPlainBytes = (found: CachedThumbnail | null): CachedThumbnail | null =>
  found === null || found.picture === null ? found : { ...found, picture: { ...found.picture, body: Uint8Array.from(found.picture.body) } };

test("a cached thumbnail is read as stored by its own business only, and can be replaced", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const find = async (businessId = business.id) => withPlainBytes(await store.thumbnails.get(businessId, "til_1"));
  expect(await find()).toBeNull();
  await store.thumbnails.set(business.id, "til_1", cachedThumbnail([0, 1, 255]), SHARE);
  expect(await find()).toEqual(cachedThumbnail([0, 1, 255]));
  expect(await find(other.business.id)).toBeNull();
  const later = cachedThumbnail([7], { sourceUrl: "https://site.example/b.gif", fetchedAt: T0 + 5 });
  await store.thumbnails.set(business.id, "til_1", later, SHARE);
  expect(await find()).toEqual(later);
  const none = cachedThumbnail([], { picture: null, fetchedAt: T0 + 6 });
  await store.thumbnails.set(business.id, "til_1", none, SHARE);
  expect(await find()).toEqual(none);
});

test("a cached thumbnail displaces the oldest of its own business beyond the share of number or size, and none of another", async ({
  store,
  business,
}) => {
  const other = await seedBusiness(store, "Other Lab");
  const ids = ["til_0", "til_1", "til_2", "til_3", "til_4"];
  const left = async (businessId = business.id) => {
    const found = await Promise.all(ids.map(async (id) => (await store.thumbnails.get(businessId, id)) !== null));
    return found.map((isThere) => (isThere ? "x" : "-")).join("");
  };
  const set = (businessId: string, i: number, share: ThumbnailShare, more: Partial<CachedThumbnail> = {}) =>
    store.thumbnails.set(businessId, ids[i]!, cachedThumbnail(Array(100).fill(i), { fetchedAt: T0 + i, ...more }), share);
  await set(other.business.id, 0, SHARE, { fetchedAt: T0 - 100 });
  for (const i of [0, 1, 2, 3]) await set(business.id, i, { rows: 4, bytes: 400 });
  expect(await left()).toBe("xxxx-");
  await set(business.id, 4, { ...SHARE, rows: 4 });
  expect(await left()).toBe("-xxxx");
  // The thumbnail that is stored stays, even if it is the oldest.
  await set(business.id, 0, { ...SHARE, bytes: 350 }, { fetchedAt: T0 - 1 });
  expect(await left()).toBe("x--xx");
  // A missing picture has no bytes, but counts.
  await set(business.id, 3, { rows: 2, bytes: 100 }, { picture: null, fetchedAt: T0 + 9 });
  expect(await left()).toBe("---xx");
  expect(await left(other.business.id)).toBe("x----");
});

test("a cached thumbnail is kept while its tile can be restored, and erased with it", async ({ store, business, scope }) => {
  const stays = await addText({ store, scope }, "Stays");
  const goes = await addText({ store, scope }, "Goes");
  for (const { id } of [stays, goes]) await store.thumbnails.set(business.id, id, cachedThumbnail([1]), SHARE);
  await store.tiles.remove(scope, goes.id, T0 + 10);
  const left = async () => Promise.all([stays, goes].map(async ({ id }) => (await store.thumbnails.get(business.id, id)) !== null));
  await store.purge(T0 + 5, T0 + 20);
  expect(await left()).toEqual([true, true]);
  await store.purge(T0 + 15, T0 + 20);
  expect(await left()).toEqual([true, false]);
});
