import { expect } from "vitest";
import type { NewTile, TileCreation } from "#domain/content/tile-store.ts";
import { addBoard, getCreated, getCreatedTile, newJob, newZone, T0, textTile } from "../../support/boards.ts";
import { addText, expectRejection, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

const create = async ({ store, scope }: Pick<StoreContext, "store" | "scope">, tile: NewTile, now = T0): Promise<TileCreation> =>
  getCreated(await store.tiles.create(scope, tile, now));

const file = (name: string, sha256: string, more: Partial<NewTile> = {}): NewTile => ({
  ...textTile("", { externalId: "f", title: name, rawContent: name, job: newJob("upload"), ...more }),
  file: { name, mediaType: "application/pdf", sha256 },
});

test("a creation says whether it created, changed or found a tile", async (context) => {
  expect(await create(context, textTile("Text"))).toMatchObject({ created: true });
  const first = await create(context, textTile("Text", { externalId: "a" }));
  expect(first).toMatchObject({ created: true });
  expect("changed" in first).toBe(false);
  expect(await create(context, textTile("Text", { externalId: "a" }))).toEqual({ tile: first.tile, created: false, changed: false });
  const changed = await create(context, textTile("New", { externalId: "a" }));
  expect(changed).toMatchObject({ created: false, changed: true, tile: { id: first.tile!.id, extractedText: "New" } });
});

test("a creation of an upload replaces the file of the tile with its external id, if the bytes differ", async (context) => {
  const { store, business } = context;
  const upload = async (tile: NewTile, byte: number): Promise<TileCreation> => {
    await store.files.append(business.id, tile.id, 0, Uint8Array.of(byte), T0);
    return create(context, tile);
  };
  const first = await upload(file("a.pdf", "one"), 1);
  const [held] = await store.queue.claim(1, 1, T0);
  await store.queue.complete(held!, { type: "PDF", title: "A", text: "Words", metadata: {}, warnings: [] }, T0);
  const id = first.tile!.id;
  // The same bytes are not stored twice, whether anything else changes or not.
  for (const title of ["a.pdf", "a.pdf", "Plan"]) {
    const again = file("a.pdf", "one", { title, titleOverridden: true });
    expect(await upload(again, 1)).toMatchObject({ created: false, tile: { id, status: "ready" } });
    expect([title, await store.files.read(business.id, again.id)]).toEqual([title, null]);
    expect([...(await store.files.read(business.id, id))!]).toEqual([1]);
  }
  const second = await upload(file("a.pdf", "two"), 2);
  expect(second).toMatchObject({ created: false, changed: true, tile: { id, status: "processing", extractedText: "" } });
  expect([...(await store.files.read(business.id, id))!]).toEqual([2]);
  expect(await store.queue.claim(1, 1, T0 + 1)).toMatchObject([{ tileId: id, url: null, file: { name: "a.pdf" } }]);
  const text = await create(context, textTile("Now text", { externalId: "f" }));
  expect(text.tile).toMatchObject({ id, file: null, status: "ready", extractedText: "Now text" });
  expect(await store.files.read(business.id, id)).toBeNull();
});

test("the external id of a tile can be set, changed and removed, and is refused if another tile of the board has it", async (context) => {
  const { store, scope, manage } = context;
  const [one, two] = [await addText(context, "One", { externalId: "a" }), await addText(context, "Two")];
  await expectRejection(store.tiles.update(scope, two.id, { externalId: "a" }, T0 + 1), "conflict");
  expect(await store.tiles.update(scope, one.id, { externalId: "a", title: "Same" }, T0 + 2)).toMatchObject({ externalId: "a" });
  expect(await store.tiles.update(scope, one.id, { externalId: null }, T0 + 3)).toMatchObject({ externalId: null });
  expect(await store.tiles.update(scope, two.id, { externalId: "a" }, T0 + 4)).toMatchObject({ externalId: "a" });
  expect((await create(context, textTile("New", { externalId: "a" }))).tile?.id).toBe(two.id);
  const second = await addBoard(store, manage);
  const there = getCreatedTile(await store.tiles.create(second.scope, textTile("There"), T0));
  expect(await store.tiles.update(second.scope, there.id, { externalId: "a" }, T0)).toMatchObject({ externalId: "a" });
  await store.tiles.remove(scope, two.id, T0 + 5);
  expect(await store.tiles.update(scope, one.id, { externalId: "a" }, T0 + 6)).toMatchObject({ externalId: "a" });
});

test("external ids filter listings", async (context) => {
  const { store, scope } = context;
  await addText(context, "One", { externalId: "a" });
  const two = await addText(context, "Two", { externalId: "b" });
  const list = (externalId: string) => store.tiles.list(scope, { order: "asc", withText: false, externalId }, null, 10, 1_000_000);
  expect((await list("b")).tiles).toMatchObject([{ id: two.id, externalId: "b" }]);
  expect((await list("c")).tiles).toEqual([]);
  await store.tiles.update(scope, two.id, { externalId: "c" }, T0 + 1);
  expect((await list("c")).tiles).toMatchObject([{ id: two.id, externalId: "c" }]);
});

test("an external id belongs to one tile, whoever asks at the same time", async (context) => {
  const { store, scope } = context;
  const tiles = [];
  for (let n = 0; n < 8; n++) tiles.push(await addText(context, `Text ${n}`));
  const patches = tiles.map(({ id }) => store.tiles.update(scope, id, { externalId: "a" }, T0 + 1));
  const creations = Array.from({ length: 8 }, (_, n) => create(context, textTile(`New ${n}`, { externalId: "a" }), T0 + 1));
  const results = await Promise.allSettled([...patches, ...creations]);
  for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ kind: "conflict" });
  expect(results.slice(8).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => "fulfilled"));
  const { tiles: holders } = await store.tiles.list(scope, { order: "asc", withText: false, externalId: "a" }, null, 99, 1_000_000);
  expect(holders).toHaveLength(1);
  // Either a patch was first, and the creations updated its tile, or a creation was, and every patch was refused.
  const made = results.slice(8).flatMap((one) => (one.status === "fulfilled" ? [(one.value as TileCreation).created] : []));
  const granted = results.slice(0, 8).filter(({ status }) => status === "fulfilled").length;
  expect(made.filter(Boolean).length + granted).toBe(1);
});

test("the external id of a tile comes back with a restored zone, and the lost ones are named", async (context) => {
  const { store, scope, business } = context;
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0));
  const kept = await addText(context, "Kept", { zoneId: zone.id, externalId: "kept" });
  const lost = await addText(context, "Lost", { zoneId: zone.id, externalId: "lost" });
  await store.zones.remove(scope, zone.id, T0 + 1);
  await addText(context, "Another", { externalId: "lost" });
  const { lostExternalIds } = await store.zones.restore(scope, zone.id, () => newJob(), T0 + 2);
  expect(lostExternalIds).toEqual([{ tileId: lost.id, externalId: "lost" }]);
  expect(await store.tiles.find(business.id, kept.id)).toMatchObject({ externalId: "kept" });
  expect(await store.tiles.find(business.id, lost.id)).toMatchObject({ externalId: null });
});
