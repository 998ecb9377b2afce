import Database from "better-sqlite3";
import { AppError } from "#domain/core/errors/error.ts";
import { expect, it } from "vitest";
import { type Durability, Writer } from "#storage/sqlite/engine/writer.ts";

/** A writer on a table of notes, whose disk completes a flush when the test says so. */
function openNotesOnSlowDisk() {
  const db = new Database(":memory:");
  db.exec("CREATE TABLE note (text TEXT NOT NULL UNIQUE) STRICT");
  const insert = db.prepare("INSERT INTO note (text) VALUES (?)");
  const flushes: PromiseWithResolvers<void>[] = [];
  const disk = { now: 0, fails: false, tending: undefined as Promise<void> | undefined };
  const durability: Durability = {
    flush() {
      const flush = Promise.withResolvers<void>();
      flushes.push(flush);
      return flush.promise;
    },
    flushNow() {
      if (disk.fails) throw new Error("EIO");
      disk.now++;
    },
    maybeCheckpoint: () => disk.tending,
  };
  const writer = new Writer(db, durability, { maxBatchMs: Infinity });
  const answered: string[] = [];
  return {
    writer,
    disk,
    flushes,
    answered,
    count: () => db.prepare("SELECT count(*) FROM note").pluck().get(),
    async add(text: string): Promise<void> {
      await writer.write(() => insert.run(text));
      answered.push(text);
    },
  };
}

/** Waits long enough for everything that does not depend on the disk. */
const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
};

it("a writer on a slow disk resolves no write before its commit is flushed", async () => {
  const { add, answered, count, flushes } = openNotesOnSlowDisk();
  const both = Promise.all([add("A"), add("B")]);
  await turns();
  expect(count()).toBe(2);
  expect(flushes).toHaveLength(1);
  expect(answered).toEqual([]);
  flushes[0]!.resolve();
  await both;
  expect(answered).toEqual(["A", "B"]);
});

it("a writer on a slow disk reports no rejected write before the flush either, because the read state may be lost", async () => {
  const { add, flushes } = openNotesOnSlowDisk();
  const first = add("A");
  let isRefused = false;
  const second = add("A").catch(() => (isRefused = true));
  await turns();
  expect(isRefused).toBe(false);
  flushes[0]!.resolve();
  await Promise.all([first, second]);
  expect(isRefused).toBe(true);
});

it("a writer on a slow disk commits writes that arrive during a flush together after it", async () => {
  const { add, count, flushes, writer } = openNotesOnSlowDisk();
  const writes = [add("A")];
  await turns();
  for (const text of ["B", "C", "D"]) {
    writes.push(add(text));
    await turns();
  }
  expect(count()).toBe(1);
  flushes[0]!.resolve();
  await turns();
  expect(count()).toBe(4);
  expect(flushes).toHaveLength(2);
  flushes[1]!.resolve();
  await Promise.all(writes);
  expect(writer.commits).toBe(2);
});

it("a writer on a slow disk delays the next commit during a checkpoint, but no response", async () => {
  const { add, answered, count, disk, flushes } = openNotesOnSlowDisk();
  const tending = Promise.withResolvers<void>();
  disk.tending = tending.promise;
  const first = add("A");
  await turns();
  flushes[0]!.resolve();
  await first;
  const second = add("B");
  await turns();
  expect(answered).toEqual(["A"]);
  expect(count()).toBe(1);
  tending.resolve();
  await turns();
  flushes[1]!.resolve();
  await second;
  expect(count()).toBe(2);
});

it("a writer on a slow disk is held by one piece of work at a time, and commits nothing until the last one ends", async () => {
  const { add, count, flushes, writer } = openNotesOnSlowDisk();
  const works = [1, 2, 3].map(() => Promise.withResolvers<void>());
  let running = 0;
  const held = works.map(({ promise }) =>
    writer.hold(async () => {
      running++;
      await promise;
      running--;
    }),
  );
  const write = add("A");
  for (const { resolve } of works) {
    await turns();
    expect(running).toBe(1);
    expect(count()).toBe(0);
    resolve();
  }
  await Promise.all(held);
  await turns();
  expect(count()).toBe(1);
  flushes[0]!.resolve();
  await write;
});

it("a writer closed during a flush flushes once more and resolves all writes", async () => {
  const { add, answered, disk, flushes, writer } = openNotesOnSlowDisk();
  const writes = [add("A")];
  await turns();
  writes.push(add("B"));
  writer.close();
  await Promise.all(writes);
  expect(disk.now).toBe(1);
  expect(answered).toEqual(["A", "B"]);
  flushes[0]!.resolve();
  await turns();
  expect(answered).toEqual(["A", "B"]);
});

it("a writer on a disk that fails rejects every write that may be lost, and accepts no more", async () => {
  const { add, answered, flushes, writer } = openNotesOnSlowDisk();
  const first = expect(add("A")).rejects.toThrow(/Writing to disk failed/);
  await turns();
  const second = expect(add("B")).rejects.toThrow(/Writing to disk failed/);
  expect(writer.fault).toBeUndefined();
  flushes[0]!.reject(new Error("EIO: i/o error, fdatasync"));
  await Promise.all([first, second]);
  await expect(add("C")).rejects.toThrow(/restart Tessera/);
  expect(answered).toEqual([]);
  expect(writer.fault?.cause).toMatchObject({ message: "EIO: i/o error, fdatasync" });
});

it("a writer on a disk that fails goes on after a flush that could not begin, since the next one writes its pages too", async () => {
  const { add, flushes, writer } = openNotesOnSlowDisk();
  const first = expect(add("A")).rejects.toThrow(/file handles/);
  await turns();
  flushes[0]!.reject(new AppError("unavailable", "There are no free file handles."));
  await first;
  expect(writer.fault).toBeUndefined();
  const second = add("B");
  await turns();
  flushes[1]!.resolve();
  await second;
});

it("a writer on a disk that fails rejects an unflushed write when it is closed", async () => {
  const { add, disk, writer } = openNotesOnSlowDisk();
  disk.fails = true;
  const write = expect(add("A")).rejects.toThrow(/Writing to disk failed/);
  writer.close();
  await write;
});
