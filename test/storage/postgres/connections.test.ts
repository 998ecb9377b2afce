import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { runFor } from "#runtime/turns/current-owner.ts";
import { Database } from "#storage/postgres/engine/database.ts";
import type { NotificationBus } from "#storage/postgres/engine/notification-bus.ts";
import { createKeyLookup } from "#storage/postgres/adapters/api-key-cache.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

const CONNECTIONS = 4;
const LOCK = 4711;

/** A database with few connections, and a lock that another client holds until it is released. */
async function openLocked() {
  const { url, drop } = await newMigratedDatabase();
  onTestFinished(drop);
  const db = new Database({ url, connections: CONNECTIONS });
  onTestFinished(() => db.close());
  const holder = new Client(url);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
  return { db, holder, release: () => holder.query(`SELECT pg_advisory_unlock(${LOCK})`) };
}

const as = <T>(business: string, key: string, work: () => Promise<T>): Promise<T> => runFor([business, key], work);
const lock = (db: Database) => db.write(async (tx) => tx.get(`SELECT 1 AS locked FROM pg_advisory_xact_lock(${LOCK})`));
const read = (db: Database) => db.get<{ one: number }>("SELECT 1 AS one");

test("calls of one business that wait for a lock leave connections to others", async () => {
  const { db, release } = await openLocked();
  const waiting = Array.from({ length: 20 }, (_, n) => as("attacker", `key ${n}`, () => lock(db)));
  const settled = Promise.allSettled(waiting);
  for (let n = 0; n < 5; n++) expect(await as("other", "key", () => read(db))).toEqual({ one: 1 });
  // Without an owner: background work, and callers that are not authenticated yet.
  expect(await read(db)).toEqual({ one: 1 });
  await release();
  expect((await settled).map(({ status }) => status)).not.toContain("rejected");
});

test("API keys that are not known leave connections to everything else", async () => {
  const { db, holder } = await openLocked();
  // Each lookup takes as long as the test wants.
  await holder.query("BEGIN; LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE");
  const findByHash = createKeyLookup(db, { subscribe: () => () => {} } as unknown as NotificationBus);
  const settled = Promise.allSettled(Array.from({ length: 20 }, (_, n) => findByHash(`hash ${n}`)));
  for (let n = 0; n < 5; n++) expect(await as("other", "key", () => read(db))).toEqual({ one: 1 });
  expect(await read(db)).toEqual({ one: 1 });
  await holder.query("ROLLBACK");
  expect(await settled).toEqual(Array.from({ length: 20 }, () => ({ status: "fulfilled", value: null })));
});

test("what waits too long for a connection is unavailable, and says when to try again", async () => {
  const { db, release } = await openLocked();
  const held = Promise.allSettled(Array.from({ length: CONNECTIONS }, () => as("attacker", "key", () => lock(db))));
  await expect(as("attacker", "key", () => read(db))).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  await release();
  await held;
});
