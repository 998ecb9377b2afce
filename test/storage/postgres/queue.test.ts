import { expect, it, onTestFinished } from "vitest";
import type { Store } from "#domain/store.ts";
import { Database } from "#storage/postgres/engine/database.ts";
import { migrate, readMigrations } from "#storage/postgres/engine/migrate.ts";
import { openStore } from "#storage/postgres/store.ts";
import { addLink } from "../../contract/store-context.ts";
import { ingested, linkTile, seedBusiness, T0 } from "../../support/boards.ts";
import { newDatabase } from "../../support/postgres/databases.ts";
import { watchLockWaits } from "../../support/postgres/lock-waits.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

/** The last version that stored jobs in pg-boss. */
const LAST_WITH_BOSS = 25;

const JOB =
  "INSERT INTO pgboss.job (id, name, data, state, retry_limit, retry_count, group_id, start_after, created_on, started_on) VALUES";
const id = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;

/**
 * The tables of pg-boss, with the columns that matter, and jobs as version 25 wrote them: one that waits, one that waits for its third
 * attempt after a returned claim and a crash, one that was running in its last attempt, and one whose tile has none any more.
 */
const BOSS = `
  CREATE SCHEMA pgboss;
  CREATE TABLE pgboss.queue (name TEXT PRIMARY KEY);
  CREATE TABLE pgboss.job (id UUID NOT NULL, name TEXT NOT NULL REFERENCES pgboss.queue DEFERRABLE INITIALLY DEFERRED, data JSONB,
    state TEXT NOT NULL, retry_limit INTEGER NOT NULL, retry_count INTEGER NOT NULL, group_id TEXT, start_after TIMESTAMPTZ NOT NULL,
    created_on TIMESTAMPTZ NOT NULL, started_on TIMESTAMPTZ) PARTITION BY LIST (name);
  CREATE TABLE pgboss.jingest PARTITION OF pgboss.job FOR VALUES IN ('ingest');
  CREATE TABLE pgboss.job_common PARTITION OF pgboss.job DEFAULT;
  INSERT INTO pgboss.queue VALUES ('ingest');
  ${JOB} ('${id(1)}', 'ingest', '{"released": 0}', 'created', 2, 0, 'one.example', to_timestamp(2), to_timestamp(2), NULL),
    ('${id(2)}', 'ingest', '{"released": 1, "crashes": 1, "isSuspect": true}', 'retry', 3, 2, 'two.example', to_timestamp(9), to_timestamp(1),
      to_timestamp(3)),
    ('${id(3)}', 'ingest', '{"released": 0}', 'active', 0, 0, 'three.example', to_timestamp(3), to_timestamp(3), to_timestamp(4)),
    ('${id(4)}', 'ingest', '{"released": 0}', 'created', 2, 0, 'four.example', to_timestamp(4), to_timestamp(4), NULL);
  INSERT INTO business (id, name, created_at) VALUES ('biz_a', 'Harbour Lab', 1);
  INSERT INTO board (number, business_id, id, name, slug, is_default, created_at, updated_at) VALUES (1, 'biz_a', 'brd_a', 'Main', 'main', TRUE, 1, 1);
  INSERT INTO tile (business_id, id, board_id, sequence, type, status, title, title_by_hand, text_by_hand, is_indexed, source_url, job_id, sort_order,
      created_at, updated_at, extracted_text)
    SELECT 'biz_a', 'til_' || n, 'brd_a', n, 'WEBSITE', 'processing', 'Link', FALSE, FALSE, TRUE, 'https://' || n || '.example/', job::uuid, n, 1, 1, ''
    FROM (VALUES (1, '${id(1)}'), (2, '${id(2)}'), (3, '${id(3)}'), (4, NULL)) AS given (n, job);`;

async function upgrade(more = ""): Promise<{ readonly db: Database; readonly url: string }> {
  const database = await newDatabase();
  const db = new Database({ url: database.url, connections: 2 });
  onTestFinished(async () => {
    await db.close();
    await database.drop();
  });
  const before = readMigrations().filter(({ number }) => number <= LAST_WITH_BOSS);
  await migrate(db, before);
  await db.write((tx) => tx.executeSql(BOSS + more));
  await migrate(db);
  return { db, url: database.url };
}

async function open(url: string): Promise<Store> {
  const store = await openStore({ url, connections: 4 });
  onTestFinished(() => store.close());
  return store;
}

it("an upgrade from a version with pg-boss moves the jobs of tiles with their attempts, and removes pg-boss", async () => {
  const { db, url } = await upgrade();
  const columns = "tile_id, board_id, host, run_at, attempts, max_attempts, lease, created_at";
  const job = { board_id: "brd_a", lease: null };
  expect(await db.all(`SELECT ${columns} FROM job WHERE business_id = 'biz_a' ORDER BY tile_id`)).toEqual([
    { ...job, tile_id: "til_1", host: "one.example", run_at: 2_000, attempts: 0, max_attempts: 3, created_at: 2_000 },
    {
      ...job,
      tile_id: "til_2",
      host: "two.example",
      run_at: 9_000,
      attempts: 2,
      max_attempts: 3,
      created_at: 1_000,
    },
    { ...job, tile_id: "til_3", host: "three.example", run_at: 3_000, attempts: 1, max_attempts: 1, created_at: 3_000 },
  ]);
  expect(await db.get("SELECT to_regnamespace('pgboss') AS schema")).toEqual({ schema: null });

  const store = await open(url);
  const jobs = await store.queue.claim(9, 9, T0);
  expect(jobs.map(({ tileId, attempt }) => [tileId, attempt])).toEqual([
    ["til_1", 1],
    ["til_2", 3],
  ]);
  expect(await store.tiles.find("biz_a", "til_3")).toMatchObject({ status: "failed", error: { code: "worker_lost", attempts: 1 } });
  expect(await store.queue.complete(jobs[0]!, ingested("Text"), T0)).toBe(true);
});

it("an upgrade from a version with pg-boss keeps the tables of pg-boss if another program has a queue there", async () => {
  const { db } = await upgrade(`INSERT INTO pgboss.queue VALUES ('other');
      ${JOB} ('${id(9)}', 'other', '{}', 'created', 0, 0, NULL, now(), now(), NULL);`);
  expect(await db.all("SELECT name FROM pgboss.job")).toEqual([{ name: "other" }]);
  expect(await db.all("SELECT name FROM pgboss.queue")).toEqual([{ name: "other" }]);
});

async function start() {
  const database = await newMigratedDatabase();
  onTestFinished(() => database.drop());
  const store = await open(database.url);
  const db = new Database({ url: database.url, connections: 2 });
  onTestFinished(() => db.close());
  return { store, db, countWaiting: watchLockWaits(database.url), ...(await seedBusiness(store)) };
}

it("a claim neither waits for a job that another transaction has locked, nor takes it", async () => {
  const { store, db, business, scope } = await start();
  const tiles = [await addLink({ store, scope }, "https://one.example/"), await addLink({ store, scope }, "https://two.example/")];
  await db.write(async (tx) => {
    await tx.run("SELECT 1 FROM job WHERE business_id = @businessId AND tile_id = @tileId FOR UPDATE", {
      businessId: business.id,
      tileId: tiles[0]!.id,
    });
    expect(await store.queue.claim(9, 9, T0)).toMatchObject([{ tileId: tiles[1]!.id }]);
  });
  expect(await store.queue.claim(9, 9, T0)).toMatchObject([{ tileId: tiles[0]!.id }]);
});

it("a claim keeps a business due for which a job is being created", async () => {
  const { store, db, business, board, scope } = await start();
  await addLink({ store, scope }, "https://one.example/");
  const tile = await addLink({ store, scope }, "https://two.example/");
  await db.write((tx) =>
    tx.run("DELETE FROM job WHERE business_id = @businessId AND tile_id = @tileId", { businessId: business.id, tileId: tile.id }),
  );
  await db.write(async (tx) => {
    const params = { businessId: business.id, boardId: board.id, tileId: tile.id };
    const columns = "business_id, id, board_id, tile_id, host, run_at, max_attempts, created_at";
    await tx.run(`INSERT INTO job (${columns}) VALUES (@businessId, 'job_new', @boardId, @tileId, 'two.example', 1, 3, 1)`, params);
    const due = "INSERT INTO due_business AS d (business_id, due_at) VALUES (@businessId, 1) ON CONFLICT (business_id)";
    await tx.run(`${due} DO UPDATE SET due_at = 1 WHERE d.due_at IS NULL OR d.due_at > 1`, params);
    expect(await store.queue.claim(9, 9, T0)).toMatchObject([{ host: "one.example" }]);
  });
  expect(await store.queue.claim(9, 9, T0)).toMatchObject([{ id: "job_new" }]);
  expect(await db.all("SELECT due_at FROM due_business")).toEqual([{ due_at: null }]);
});

it("jobs return to the queue while a batch waits that creates a job and then replaces one", async () => {
  const { store, db, countWaiting, business, scope } = await start();
  const tile = await addLink({ store, scope }, "https://one.example/", { externalId: "a" });
  await addLink({ store, scope }, "https://two.example/");
  const jobs = await store.queue.claim(9, 9, T0);
  const batch = await db.write(async (tx) => {
    await tx.run("SELECT 1 FROM tile WHERE business_id = @businessId AND id = @id FOR UPDATE", { businessId: business.id, id: tile.id });
    const links = [linkTile("https://new.example/"), linkTile("https://changed.example/", { externalId: "a" })];
    const creating = store.tiles.createMany(
      links.map((link) => ({ scope, tile: link })),
      T0 + 1,
    );
    await expect.poll(countWaiting, { timeout: 60_000 }).toBe(1);
    await store.queue.release(jobs, T0 + 1);
    return { creating };
  });
  await batch.creating;
  expect((await store.queue.claim(9, 9, T0 + 1)).map(({ host }) => host).sort()).toEqual(["changed.example", "new.example", "two.example"]);
});
