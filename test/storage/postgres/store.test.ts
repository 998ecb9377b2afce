import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { Database } from "#storage/postgres/engine/database.ts";
import { openStore } from "#storage/postgres/store.ts";
import type { Store } from "#domain/store.ts";
import { drain } from "../../contract/search/model.ts";
import { embedded, createEmbedding } from "../../contract/search/binary-embedding.ts";
import { addBoard, ingested, linkTile, getCreatedTile, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import type { TestDatabase } from "../../support/postgres/databases.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

async function openTestDatabase(): Promise<TestDatabase> {
  const database = await newMigratedDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Calls back with unhandled rejections, which would end the process of a server. */
function collectUnhandledRejections(): unknown[] {
  const found: unknown[] = [];
  const note = (error: unknown): void => void found.push(error);
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
  onTestFinished(() => {
    process.off("uncaughtException", note);
    process.off("unhandledRejection", note);
  });
  return found;
}

it("the store on PostgreSQL needs no second connection for any unit of work", async () => {
  const { url } = await openTestDatabase();
  const store = await openStore({ url, connections: 1 });
  onTestFinished(() => store.close());
  const { scope, manage } = await seedBusiness(store);
  const works = [
    () => store.tiles.create(scope, linkTile("https://one.example/"), T0),
    () => store.tiles.createMany([{ scope, tile: linkTile("https://two.example/") }], T0),
    () => store.zones.create(scope, newZone("Zone"), T0),
    () => store.tiles.create(scope, textTile("Text"), T0),
    () => addBoard(store, manage),
    () => store.queue.claim(2, 2, Date.now()),
    () => store.search.pending(10, 10_000),
  ];
  await Promise.all(works.map((work) => work()));
  const jobs = await store.queue.claim(10, 10, Date.now());
  await Promise.all(jobs.map((job) => store.queue.complete(job, ingested("A text."), Date.now())));
  expect(await store.purge(Date.now(), Date.now())).toBe(0);
  expect((await store.tiles.list(scope, { order: "asc", withText: true }, null, 10, 1_000_000)).tiles).toHaveLength(3);
});

it("the store on PostgreSQL gives tiles that wait for vectors to one process each, and those of a lost process to others later", async () => {
  const { url } = await openTestDatabase();
  const stores = [await openStore({ url, connections: 2 }), await openStore({ url, connections: 2 })] as const;
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  const [one, two] = stores;
  const { scope } = await seedBusiness(one);
  for (let i = 0; i < 6; i++) await one.tiles.create(scope, textTile(`3 ${i}`), T0);
  await drain({ store: one });
  await Promise.all(stores.map((store) => store.vectors.useModel("model-a")));
  const read = async (store: Store, limit: number) => (await store.vectors.unembedded(limit, 1_000)).map(({ tileId }) => tileId);
  const [mine, yours] = [await read(one, 4), await read(two, 9)];
  expect(mine).toHaveLength(4);
  expect(new Set([...mine, ...yours]).size).toBe(6);
  // The process that has claimed them may read them again.
  expect((await read(one, 9)).sort()).toEqual(mine.toSorted());
  expect(await read(two, 1)).toHaveLength(1);
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("UPDATE tile_claim SET until = 0");
  expect(await read(two, 9)).toHaveLength(6);
  expect(await read(one, 9)).toEqual([]);
  const tiles = await two.vectors.unembedded(9, 1_000);
  await two.vectors.embed(embedded(tiles));
  expect((await client.query("SELECT count(*)::int AS n FROM tile_claim")).rows).toEqual([{ n: 0 }]);
  // Writes of the other process are visible, whatever was cached before.
  const { businessId, id } = scope.target;
  const find = (store: Store) => store.vectors.nearest(businessId, id, createEmbedding("anything"), 99, "model-a");
  expect(await find(one)).toEqual(await find(two));
  expect(await find(one)).toHaveLength(18);
  await two.tiles.create(scope, textTile("2 9"), T0);
  await drain({ store: two });
  await two.vectors.embed(embedded(await two.vectors.unembedded(9, 1_000)));
  expect(await find(one)).toHaveLength(20);
  // One process switches to another model; results of the other one are not stored, and it gets no more work.
  await one.tiles.create(scope, textTile("2 8"), T0);
  await drain({ store: one });
  const late = await two.vectors.unembedded(9, 1_000);
  await client.query("UPDATE vector_model SET model = 'model-b'");
  await two.vectors.embed(embedded(late));
  expect(await find(two)).toEqual([]);
  expect(await two.vectors.unembedded(9, 1_000)).toEqual([]);
});

it("the store on PostgreSQL keeps the vectors while another process runs with their model, also after its connection broke", async () => {
  const { url } = await openTestDatabase();
  const open = () => openStore({ url, connections: 2 });
  const [one, two] = [await open(), await open()];
  const three = await open();
  const client = new Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    for (const store of [one, three]) await store.close();
  });
  const { scope } = await seedBusiness(one);
  await one.tiles.create(scope, textTile("3 1"), T0);
  await drain({ store: one });
  expect(await one.vectors.useModel("model-a")).toBe(true);
  expect(await two.vectors.useModel("model-a")).toBe(true);
  await one.vectors.embed(embedded(await one.vectors.unembedded(9, 1_000)));
  const { businessId, id } = scope.target;
  const countFound = async () => (await one.vectors.nearest(businessId, id, createEmbedding("anything"), 99, "model-a")).length;
  expect(await countFound()).toBe(3);
  for (const model of ["model-b", null]) expect(await three.vectors.useModel(model)).toBe(false);
  expect(await three.vectors.unembedded(9, 1_000)).toEqual([]);
  // A process may not change its own mind while others run, but may if it is the only one.
  expect(await one.vectors.useModel("model-b")).toBe(false);
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND objsubid = 2 AND datname = current_database()",
  );
  // The others have lost their claims only for a moment.
  expect(await three.vectors.useModel("model-b")).toBe(false);
  const countClaims = async () =>
    (
      await client.query(
        "SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND a.datname = current_database()",
      )
    ).rows.length;
  await expect.poll(countClaims, { timeout: 60_000 }).toBe(2);
  expect(await three.vectors.useModel("model-b")).toBe(false);
  expect(await one.vectors.modelInUse()).toBe("model-a");
  expect(await countFound()).toBe(3);
  await two.close();
  await expect.poll(() => one.vectors.useModel(null), { timeout: 60_000 }).toBe(true);
  expect(await one.vectors.modelInUse()).toBeNull();
  expect(await one.vectors.useModel("model-a")).toBe(true);
  expect(await countFound()).toBe(3);
  expect(await one.vectors.useModel("model-b")).toBe(true);
  expect(await countFound()).toBe(0);
  while (await one.vectors.discardStep());
  expect(await one.vectors.unembedded(9, 1_000)).toHaveLength(1);
});

it("the store on PostgreSQL ignores foreign notifications on its channel", async () => {
  const { url } = await openTestDatabase();
  const stores = [await openStore({ url, connections: 2 }), await openStore({ url, connections: 2 })] as const;
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  const faults = collectUnhandledRejections();
  const stranger = new Client(url);
  await stranger.connect();
  for (const payload of ["", "work", "{", "null", "7", "[1]", '{"work":true}', '["x"]', '["x","board"]', '["x","no such topic"]'])
    await stranger.query("SELECT pg_notify('tessera', $1)", [payload]);
  await stranger.end();
  const { business, board, scope } = await seedBusiness(stores[0]);
  let words = 0;
  onTestFinished(stores[1].changes.watch(business.id, board.id, () => words++));
  // The first notification covers what may have changed before.
  await expect.poll(() => words, { timeout: 300_000 }).toBe(1);
  getCreatedTile(await stores[0].tiles.create(scope, textTile("Text"), T0));
  await expect.poll(() => words, { timeout: 300_000 }).toBe(2);
  expect(faults).toEqual([]);
});

it("the store on PostgreSQL commits the other units of a group when one is rejected", async () => {
  const { url } = await openTestDatabase();
  const store = await openStore({ url, connections: 4 });
  onTestFinished(() => store.close());
  const { scope } = await seedBusiness(store);
  const twin = textTile("Twin");
  getCreatedTile(await store.tiles.create(scope, twin, T0));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) => store.tiles.create(scope, i % 20 === 7 ? twin : textTile(`Text ${i}`), T0)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, (_, i) => (i % 20 === 7 ? "rejected" : "fulfilled")));
  const { tiles } = await store.tiles.list(scope, { order: "asc", withText: false }, null, 1_000, 1_000_000);
  expect(tiles).toHaveLength(58);
  expect(new Set(tiles.map(({ sequence }) => sequence)).size).toBe(58);
});

it("the store on PostgreSQL sets timeouts for statements and idle transactions, except for long work", async () => {
  const { url } = await openTestDatabase();
  const readTimeouts = async (noTimeouts: boolean): Promise<unknown> => {
    const db = new Database({ url, connections: 1, noTimeouts });
    onTestFinished(() => db.close());
    return db.get(
      "SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS silence",
    );
  };
  expect(await readTimeouts(false)).toEqual({ statement: "30s", silence: "10s" });
  expect(await readTimeouts(true)).toEqual({ statement: "0", silence: "0" });
});
