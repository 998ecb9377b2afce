import { expect, test } from "vitest";
import { run } from "#storage/sql/unit.ts";
import { addLink, addText } from "../contract/store-context.ts";
import { getCreated, linkTile, seedBusiness, T0, textTile } from "../support/boards.ts";
import { openPostgres, openSqlite } from "./open-drivers.ts";

const STEP = { tiles: 2, bytes: 1_000 };

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openPostgres],
])("duplicates of tiles of earlier versions are found once their hashes are filled, step by step, on %s", async (_engine, open) => {
  const { store, driver } = await open();
  const context = { store, ...(await seedBusiness(store)) };
  const { scope, business } = context;
  const link = await addLink(context, "https://one.example/a/?utm_source=x");
  const deleted = await addLink(context, "https://two.example/");
  const texts = [await addText(context, "Text"), await addText(context, "x".repeat(5_000)), await addText(context, "Last")];
  await store.tiles.remove(scope, deleted.id, T0);
  const before = await store.tiles.find(business.id, link.id);
  await driver.write(() => run("UPDATE tile SET address_hash = NULL, text_hash = NULL"));
  const skip = async (tile: ReturnType<typeof textTile>) => {
    const creation = getCreated(await store.tiles.create(scope, { ...tile, onDuplicate: "skip" }, T0));
    if (creation.created) await store.tiles.remove(scope, creation.tile.id, T0);
    return creation.tile?.id;
  };
  expect(await skip(textTile("Text"))).not.toBe(texts[0]!.id);

  const steps: number[] = [];
  do steps.push(await store.tiles.fillHashes(STEP));
  while (steps.at(-1)! > 0);
  // The long text ends its step.
  expect(steps.slice(0, -1).every((filled) => filled <= STEP.tiles)).toBe(true);
  expect(steps.reduce((sum, filled) => sum + filled)).toBe(5);
  expect(await store.tiles.find(business.id, link.id)).toEqual(before);
  for (const { id, rawContent } of texts) expect(await skip(textTile(rawContent))).toBe(id);
  expect(await skip(linkTile("https://one.example/a"))).toBe(link.id);
  const restored = await store.tiles.restore(scope, deleted.id, linkTile("https://two.example/").job!, T0 + 1);
  expect(await skip(linkTile("https://two.example"))).toBe(restored.id);
});
