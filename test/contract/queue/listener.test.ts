import { expect } from "vitest";
import type { NewWork } from "#domain/content/job.ts";
import type { NewTile, TileCreation } from "#domain/content/tile-store.ts";
import { linkTile, getCreated, newJob, newZone, T0, textTile } from "../../support/boards.ts";
import { addLink, addText } from "../store-context.ts";
import { test } from "../store-test.ts";

test("the listener of the queue is called when there are jobs to claim, until it is removed", async ({ store, scope }) => {
  const claims: Promise<{ tileId: string }[]>[] = [];
  const stop = store.queue.onWork(() => claims.push(store.queue.claim(9, 9, T0)));
  const tile = await addLink({ store, scope }, "https://one.example/");
  const batched = getCreated(await store.tiles.createMany([{ scope, tile: linkTile("https://two.example/") }], T0));
  const claimed = (await Promise.all(claims)).flat().map(({ tileId }) => tileId);
  expect(claimed).toEqual([tile.id, (batched[0] as TileCreation).tile!.id]);
  stop();
  const before = claims.length;
  await addLink({ store, scope }, "https://three.example/");
  expect(claims).toHaveLength(before);
});

test("the listener of the queue is called for released and restored jobs", async ({ store, scope }) => {
  const tile = await addLink({ store, scope }, "https://one.example/");
  let woken = 0;
  const since = async (work: Promise<unknown>): Promise<number> => {
    const before = woken;
    await work;
    return woken - before;
  };
  store.queue.onWork(() => woken++);
  const [job] = await store.queue.claim(1, 1, T0);
  expect(await since(store.queue.release([job!], T0 + 1))).toBeGreaterThan(0);
  await store.tiles.remove(scope, tile.id, T0 + 2);
  expect(await since(store.tiles.restore(scope, tile.id, newJob(), T0 + 3))).toBeGreaterThan(0);
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  expect(await since(store.zones.update(scope, zone.id, { name: "Other" }, T0 + 4))).toBe(0);
});

test("the listener of the queue is called for jobs of links only, single and in batches", async ({ store, scope }) => {
  const told: NewWork[] = [];
  store.queue.onWork((work) => told.push(work));
  const jobsBy = async (items: readonly NewTile[]): Promise<number> => {
    told.length = 0;
    await store.tiles.createMany(
      items.map((tile) => ({ scope, tile })),
      T0,
    );
    return told.filter((work) => work === "jobs").length;
  };
  await addText({ store, scope }, "A note.");
  expect(told).not.toContain("jobs");
  expect(await jobsBy([textTile("One."), textTile("Two.")])).toBe(0);
  expect(await jobsBy([textTile("One."), linkTile("https://one.example/")])).toBeGreaterThan(0);
  told.length = 0;
  await addLink({ store, scope }, "https://two.example/");
  expect(told).toContain("jobs");
});
