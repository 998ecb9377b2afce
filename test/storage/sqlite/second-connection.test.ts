import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hashKey, newKey } from "#domain/settings/api-key.ts";
import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { addBoard, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { newFolder } from "../folder.ts";

/** Two stores on one file, as in two processes. */
function openTwo(): [Store, Store] {
  const file = join(newFolder(), "tessera.sqlite");
  const stores: [Store, Store] = [openStore(file), openStore(file)];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  return stores;
}

it("writes of another process change the revision of their board only", async () => {
  const [here, there] = openTwo();
  const { board, scope, manage } = await seedBusiness(there);
  const second = await addBoard(there, manage);
  const before = await Promise.all(
    [board, second.board].map(({ businessId, id }) =>
      Promise.resolve(here.boards.revisions({ businessId: businessId, id: id })).then(({ content }) => content),
    ),
  );
  await there.zones.create(scope, newZone("Zone"), T0);
  expect((await here.boards.revisions({ businessId: board.businessId, id: board.id })).content).not.toBe(before[0]);
  expect((await here.boards.revisions({ businessId: board.businessId, id: second.board.id })).content).toBe(before[1]);
});

it("writes of another process are visible at once in cached board lookups", async () => {
  const [here, there] = openTwo();
  const { business, manage } = await seedBusiness(there);
  const { board, scope } = await addBoard(there, manage);
  expect(await here.boards.find(business.id, board.id)).toMatchObject({ name: "Second board" });
  await there.boards.update(scope, { name: "Renamed" }, T0 + 1);
  expect(await here.boards.find(business.id, board.id)).toMatchObject({ name: "Renamed" });
  await there.boards.remove(scope, T0 + 2);
  expect(await here.boards.find(business.id, board.id)).toBeNull();
  await there.boards.restore(scope, T0 + 3);
  expect(await here.boards.find(business.id, board.id)).toMatchObject({ name: "Renamed" });
  await here.boards.update(scope, { name: "Here" }, T0 + 4);
  expect(await here.boards.find(business.id, board.id)).toMatchObject({ name: "Here" });
  expect(await there.boards.find(business.id, board.id)).toMatchObject({ name: "Here" });
});

it("writes of another process are visible at once in cached key lookups, found or not", async () => {
  const [here, there] = openTwo();
  const { business } = await seedBusiness(there);
  const hash = hashKey(newKey());
  const id = newId("key", T0);
  expect(await here.apiKeys.findByHash(hash)).toBeNull();
  await there.apiKeys.create({
    id,
    businessId: business.id,
    name: "Key",
    prefix: "tsr_1234",
    hash,
    boardId: null,
    permission: "read",
    expiresAt: null,
    createdBy: "operator",
    createdAt: T0,
  });
  expect(await here.apiKeys.findByHash(hash)).toMatchObject({ id, revokedAt: null });
  await there.apiKeys.revoke(business.id, id, "operator", T0 + 1);
  expect(await here.apiKeys.findByHash(hash)).toMatchObject({ id, revokedAt: T0 + 1 });
});

it("writes of another process are never lost among own writes: both continue from each other", async () => {
  const stores = openTwo();
  const { business, scope } = await seedBusiness(stores[0]);
  for (let round = 0; round < 10; round++) {
    await Promise.all(stores.flatMap((store) => Array.from({ length: 5 }, () => store.tiles.create(scope, textTile("Text"), T0))));
  }
  const tiles = (await stores[0].tiles.list(scope, { order: "asc", withText: false }, null, 1_000, 1_000)).tiles;
  expect(tiles).toHaveLength(100);
  expect(new Set(tiles.map(({ sequence }) => sequence)).size).toBe(100);
  expect(await stores[1].boards.list(business.id)).toHaveLength(1);
});

it("work of another process cannot be claimed here as well", async () => {
  const stores = openTwo();
  const { scope } = await seedBusiness(stores[0]);
  for (let i = 0; i < 20; i++) {
    await stores[0].tiles.create(
      scope,
      textTile("", { sourceUrl: `https://host-${i}.example/`, job: { id: newId("job", T0), host: `host-${i}.example`, maxAttempts: 3 } }),
      T0,
    );
  }
  const claims = await Promise.all([0, 1, 0, 1].map((i) => stores[i]!.queue.claim(7, 9, T0)));
  const ids = claims.flat().map(({ id }) => id);
  expect(ids).toHaveLength(20);
  expect(new Set(ids).size).toBe(20);
});
