import { describe, expect, it } from "vitest";
import type { CachedThumbnail } from "#domain/content/thumbnail.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { addText, withStore, type OpenStore } from "../store-context.ts";

const LIMITS = { rows: 100, bytes: 1_000_000 };
const cachedThumbnail = (bytes: readonly number[], more: Partial<CachedThumbnail> = {}): CachedThumbnail => ({
  sourceUrl: "https://site.example/a.png",
  picture: { mediaType: "image/png", body: Uint8Array.from(bytes) },
  fetchedAt: T0,
  ...more,
});
/** Converts the bytes to a plain array, whatever type the driver returns. */
const withPlainBytes = (found: CachedThumbnail | null): CachedThumbnail | null =>
  found === null || found.picture === null ? found : { ...found, picture: { ...found.picture, body: Uint8Array.from(found.picture.body) } };

export function describeThumbnails(open: OpenStore): void {
  describe("a cached thumbnail", () => {
    it(
      "is read as stored by its own business only, and can be replaced",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        const find = async (businessId = business.id) => withPlainBytes(await store.thumbnails.get(businessId, "til_1"));
        expect(await find()).toBeNull();
        await store.thumbnails.set(business.id, "til_1", cachedThumbnail([0, 1, 255]));
        expect(await find()).toEqual(cachedThumbnail([0, 1, 255]));
        expect(await find(other.business.id)).toBeNull();
        const later = cachedThumbnail([7], { sourceUrl: "https://site.example/b.gif", fetchedAt: T0 + 5 });
        await store.thumbnails.set(business.id, "til_1", later);
        expect(await find()).toEqual(later);
        const none = cachedThumbnail([], { picture: null, fetchedAt: T0 + 6 });
        await store.thumbnails.set(business.id, "til_1", none);
        expect(await find()).toEqual(none);
      }),
    );

    it(
      "is removed, oldest first, beyond the limits of number and size, across businesses",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        const owners = [business.id, other.business.id];
        const ids = Array.from({ length: 6 }, (_, i) => [owners[i % 2]!, `til_${i}`] as const);
        for (const [i, [businessId, id]] of ids.entries())
          await store.thumbnails.set(businessId, id, cachedThumbnail(Array(100).fill(i), { fetchedAt: T0 + i }));
        const left = async () => {
          const found = await Promise.all(ids.map(async ([businessId, id]) => (await store.thumbnails.get(businessId, id)) !== null));
          return found.map((isThere) => (isThere ? "x" : "-")).join("");
        };
        expect(await store.thumbnails.trim({ rows: 6, bytes: 600 })).toBe(0);
        expect(await left()).toBe("xxxxxx");
        expect(await store.thumbnails.trim({ ...LIMITS, rows: 5 })).toBe(1);
        expect(await left()).toBe("-xxxxx");
        expect(await store.thumbnails.trim({ ...LIMITS, bytes: 350 })).toBe(2);
        expect(await left()).toBe("---xxx");
        await store.thumbnails.set(...ids[3]!, cachedThumbnail([], { picture: null, fetchedAt: T0 + 10 }));
        expect(await store.thumbnails.trim({ rows: 2, bytes: 100 })).toBe(1);
        expect(await left()).toBe("---x-x");
      }),
    );

    it(
      "is kept while its tile can be restored, and erased with it",
      withStore(open, async ({ store, business, scope }) => {
        const stays = await addText({ store, scope }, "Stays");
        const goes = await addText({ store, scope }, "Goes");
        for (const { id } of [stays, goes]) await store.thumbnails.set(business.id, id, cachedThumbnail([1]));
        await store.tiles.remove(scope, goes.id, T0 + 10);
        const left = async () => Promise.all([stays, goes].map(async ({ id }) => (await store.thumbnails.get(business.id, id)) !== null));
        await store.purge(T0 + 5, T0 + 20);
        expect(await left()).toEqual([true, true]);
        await store.purge(T0 + 15, T0 + 20);
        expect(await left()).toEqual([true, false]);
      }),
    );
  });
}
