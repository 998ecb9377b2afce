import { expect, test } from "vitest";
import { trimDeletions } from "#storage/sql/maintenance/trim-deletions.ts";
import { addText } from "../contract/store-context.ts";
import { getCreated, seedBusiness, T0, textTile } from "../support/boards.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("the oldest deletions of a business are forgotten beyond its limit, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const [large, small] = [await seedBusiness(store), await seedBusiness(store, "Other Lab")];
  const remove = async ({ scope }: typeof large, name: string, at: number): Promise<void> => {
    const { id } = await addText({ store, scope }, name, { externalId: name });
    await store.tiles.remove(scope, id, at);
  };
  for (let n = 0; n < 6; n++) await remove(large, `n${n}`, T0 + n);
  await remove(small, "only", T0);
  const listForgotten = async ({ scope }: typeof large, names: readonly string[]): Promise<string[]> => {
    const items = names.map((name) => ({ scope, tile: textTile("Again", { externalId: name, skipDeleted: true, zoneId: null }) }));
    const results = getCreated(await store.tiles.createMany(items, T0 + 9));
    return names.filter((_, index) => "tile" in results[index]! && results[index].tile !== null);
  };
  // Only what was deleted before T0 + 2 may be forgotten, since the other tiles can still be restored.
  expect(await trimDeletions(driver, T0 + 2, 2)).toBe(2);
  expect(await trimDeletions(driver, T0 + 10, 3)).toBe(1);
  expect(await trimDeletions(driver, T0 + 10, 3)).toBe(0);
  expect(await listForgotten(large, ["n0", "n1", "n2", "n3", "n4", "n5"])).toEqual(["n0", "n1", "n2"]);
  expect(await listForgotten(small, ["only"])).toEqual([]);
});
