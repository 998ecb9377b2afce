import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { newFolder } from "../folder.ts";

const PAGE = 4_096;
/** With SQLite's default page size: more than the log holds before a checkpoint, less than SQLite's automatic limit. */
const PAGES = 6_000;
const MAX_WRITES = 4_000;

function openBlobs(): { db: Connection; write(pages: number): Promise<void>; logPages(): number } {
  const db = new Connection(`${newFolder()}/blobs.sqlite`);
  db.raw.exec("CREATE TABLE blob (bytes BLOB NOT NULL) STRICT");
  return {
    db,
    write: (pages) => db.write(() => void db.run("INSERT INTO blob (bytes) VALUES (@bytes)", { bytes: Buffer.alloc(pages * PAGE) })),
    logPages: () => db.get<{ log: number }>("PRAGMA wal_checkpoint(NOOP)")!.log,
  };
}

/** Writes until the log is short; stops before SQLite's automatic checkpoint. */
async function untilShort({ write, logPages }: ReturnType<typeof openBlobs>): Promise<void> {
  for (let left = 1_500; left > 0 && logPages() >= MAX_WRITES; left--) {
    await write(0);
    await setTimeout(5);
  }
}

it("the write-ahead log is moved into the file while it is written, and restarts", { timeout: 300_000 }, async () => {
  const blobs = openBlobs();
  for (let pages = 0; pages < PAGES; pages += 100) await blobs.write(100);
  await untilShort(blobs);
  expect(blobs.logPages()).toBeLessThan(MAX_WRITES);
  await blobs.db.shutDown();
});

it("the write-ahead log waits for a reader that needs it, and is moved afterwards", { timeout: 300_000 }, async () => {
  const blobs = openBlobs();
  await blobs.write(1);
  const reader = new Connection(blobs.db.raw.name);
  reader.raw.exec("BEGIN");
  expect(reader.get("SELECT count(*) AS n FROM blob")).toEqual({ n: 1 });
  for (let pages = 0; pages < PAGES; pages += 100) await blobs.write(100);
  expect(blobs.logPages()).toBeGreaterThan(PAGES);
  expect(reader.get("SELECT count(*) AS n FROM blob")).toEqual({ n: 1 });
  reader.raw.exec("COMMIT");
  for (let pages = 0; pages < MAX_WRITES; pages += 100) await blobs.write(100);
  await untilShort(blobs);
  expect(blobs.logPages()).toBeLessThan(MAX_WRITES);
  reader.close();
  await blobs.db.shutDown();
});

it("the write-ahead log loses no commit while another program reads and moves it, as Litestream does", { timeout: 300_000 }, async () => {
  const blobs = openBlobs();
  const other = new Connection(blobs.db.raw.name);
  for (let round = 0; round < 12; round++) {
    // It holds a transaction, so that the log does not restart before it has read it, and releases it to move the log.
    other.raw.exec("BEGIN");
    expect(other.get("SELECT count(*) AS n FROM blob")).toEqual({ n: round * 20 });
    const writes = Array.from({ length: 20 }, () => blobs.write(40));
    await writes[9];
    other.raw.exec("COMMIT");
    other.get(`PRAGMA wal_checkpoint(${round % 4 === 3 ? "TRUNCATE" : "PASSIVE"})`);
    await Promise.all(writes);
  }
  other.close();
  expect(blobs.db.get("SELECT count(*) AS n, sum(length(bytes)) AS bytes FROM blob")).toEqual({ n: 240, bytes: 240 * 40 * PAGE });
  expect(blobs.db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  await blobs.db.shutDown();
});

it("the write-ahead log is removed when the store is closed, also after a thread used it", { timeout: 300_000 }, async () => {
  const { db, write } = openBlobs();
  for (let pages = 0; pages < PAGES; pages += 100) await write(100);
  const waiting = write(1);
  await db.shutDown();
  await waiting;
  expect(existsSync(`${db.raw.name}-wal`)).toBe(false);
  const again = new Connection(db.raw.name);
  expect(again.get("SELECT count(*) AS n FROM blob")).toEqual({ n: PAGES / 100 + 1 });
  expect(again.raw.pragma("integrity_check", { simple: true })).toBe("ok");
  again.close();
});
