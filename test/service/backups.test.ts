import { withMethods } from "../support/with-methods.ts";
import Database from "better-sqlite3";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BackupFolder } from "#domain/settings/backup.ts";
import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import { startBackups } from "#service/background/backups.ts";
import { databaseFile, openStore } from "#storage/sqlite/store.ts";
import { createBackupFolder } from "#storage/transfer/backup-folder.ts";
import { seedBusiness, T0 } from "../support/boards.ts";

const POLL_INTERVAL_MS = 5;
const HOUR = 3_600_000;
const NAME = "tessera-2026-01-01T030000Z.sqlite";

let dataDir: string;
let store: Store;
let manage: Awaited<ReturnType<typeof seedBusiness>>["manage"];
let now: number;
let logged: string[];
let files: Set<string>;
const clock = { now: () => now };
const note = (_: object, message: string): void => void logged.push(message);
const log = { info: note, warn: note, error: note };
const backups: ReturnType<typeof startBackups>[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tessera-backups-"));
  store = openStore(databaseFile(dataDir));
  ({ manage } = await seedBusiness(store));
  now = T0;
  logged = [];
  files = new Set();
});

afterEach(async () => {
  await Promise.all(backups.splice(0).map((one) => one.stop(0)));
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A folder of names without files; `make` creates a backup in it. */
const createFolder = (make: (name: string, signal: AbortSignal) => Promise<number>): BackupFolder => ({
  async make(name, signal) {
    const bytes = await make(name, signal);
    files.add(name);
    return bytes;
  },
  getSize: async (name) => (files.has(name) ? 7 : null),
  remove: async (name) => void files.delete(name),
});
const validFolder = createFolder(async () => 7);
/** Rejects when the signal is aborted, which may have happened before. */
const untilAborted = async (signal: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, "abort");
  throw new DOMException("Aborted", "AbortError");
};

function start(folder: BackupFolder = validFolder, node = "here", on = store) {
  const started = startBackups({ store: on, clock, folder, node, log }, POLL_INTERVAL_MS);
  backups.push(started);
  return started;
}
/** A generous limit, because other tests use the same CPU. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 300_000, interval: 5 });
const request = () => store.backups.request(manage, newId("bak", now), now);
const newest = async () => (await store.backups.runs(1))[0];
const hasEnded = () => soon(async () => (await newest())?.endedAt ?? null).not.toBeNull();

it("scheduled backups are made when due, at the same time every day", async () => {
  await store.backups.change(manage, { every: "day", hour: 3 }, now);
  start();
  now = T0 + 3 * HOUR - 1;
  await new Promise((resolve) => setTimeout(resolve, 10 * POLL_INTERVAL_MS));
  expect(await newest()).toBeUndefined();
  for (const day of [0, 1, 2]) {
    now = T0 + day * 24 * HOUR + 3 * HOUR;
    await soon(async () => (await newest())?.startedAt).toBe(now);
    await hasEnded();
  }
  expect([...files]).toEqual(["01", "02", "03"].map((day) => `tessera-2026-01-${day}T030000Z.sqlite`));
  await soon(() => logged).toEqual(Array.from({ length: 3 }, () => "a backup was made"));
});

it("scheduled backups are made by one of several nodes", async () => {
  await store.backups.change(manage, { every: "day", hour: 3 }, now);
  const stores = [openStore(databaseFile(dataDir)), openStore(databaseFile(dataDir))];
  now = T0 + 4 * HOUR;
  for (const [i, on] of stores.entries()) start(validFolder, `node-${i}`, on);
  await hasEnded();
  await new Promise((resolve) => setTimeout(resolve, 20 * POLL_INTERVAL_MS));
  expect(await store.backups.runs(9)).toHaveLength(1);
  await Promise.all(backups.splice(0).map((one) => one.stop(0)));
  for (const on of stores) await on.close();
});

it("scheduled backups that fail remove nothing, are logged, and do not block later ones", async () => {
  await store.backups.change(manage, { keep: 1 }, now);
  let isFull = false;
  start(
    createFolder(async () => {
      if (isFull) throw new Error("The disk is full.");
      return 7;
    }),
  );
  await request();
  await hasEnded();
  const [first] = files;
  isFull = true;
  now += HOUR;
  await request();
  await hasEnded();
  expect(await newest()).toMatchObject({ error: "The disk is full.", bytes: null });
  expect(logged).toContain("a backup failed");
  expect([...files]).toEqual([first]);
  isFull = false;
  now += HOUR;
  await request();
  await hasEnded();
  await soon(() => [...files]).toEqual([(await newest())?.file]);
});

it("backups of other nodes are not touched, and count towards the number to keep", async () => {
  await store.backups.change(manage, { keep: 2 }, now);
  const elsewhere: string[] = [];
  for (const node of ["there", "there", "here"]) {
    const { id, file } = await request();
    await store.backups.claimDue(node, newId("bak", now), now);
    await store.backups.end(id, { bytes: 7 }, now);
    if (node === "here") files.add(file);
    else elsewhere.push(id);
    now += HOUR;
  }
  start();
  for (let i = 0; i < 2; i++) {
    await request();
    await hasEnded();
    now += HOUR;
  }
  await soon(() => files.size).toBe(2);
  const runs = await store.backups.runs(9);
  await soon(async () => (await store.backups.runs(9)).filter(({ isRemoved }) => isRemoved).map(({ id }) => id)).toEqual([runs[2]!.id]);
  expect(
    runs
      .filter(({ node }) => node === "there")
      .map(({ id }) => id)
      .toReversed(),
  ).toEqual(elsewhere);
});

it("backups deleted manually are reported, and do not count towards the number to keep", async () => {
  await store.backups.change(manage, { keep: 2 }, now);
  start();
  const made: string[] = [];
  for (let i = 0; i < 3; i++) {
    made.push((await request()).id);
    await hasEnded();
    now += HOUR;
    if (i === 1) files.delete((await newest())!.file);
  }
  await soon(async () => (await store.backups.listAvailable()).map(({ id }) => id)).toEqual([made[2], made[0]]);
  expect(files.size).toBe(2);
});

it("backups running at shutdown are waited for", async () => {
  const going = Promise.withResolvers<number>();
  const { stop } = start(createFolder(() => going.promise));
  await request();
  await soon(async () => (await newest())?.node).toBe("here");
  setTimeout(() => going.resolve(7), 50);
  await stop(5_000);
  expect(await newest()).toMatchObject({ bytes: 7, error: null });
});

it("backups running too long at shutdown are abandoned, and due again if they were scheduled", async () => {
  await store.backups.change(manage, { every: "week", hour: 3 }, now);
  now += 4 * HOUR;
  const { stop } = start(createFolder((_, signal) => untilAborted(signal)));
  await soon(async () => (await newest())?.node).toBe("here");
  await stop(10);
  expect(await newest()).toMatchObject({
    bytes: null,
    error: "The server stopped during this backup. It is repeated automatically.",
    endedAt: now,
  });
  now += HOUR;
  start();
  await soon(async () => (await newest())?.startedAt).toBe(now);
  await hasEnded();
  expect(await newest()).toMatchObject({ bytes: 7, error: null });
  expect((await store.backups.schedule()).nextAt).toBe(T0 + (7 * 24 + 3) * HOUR);
});

it("backups without a recorded end are settled at the next start: complete if the file exists, otherwise failed", async () => {
  for (const isThere of [true, false]) {
    const { file } = await request();
    await store.backups.claimDue("here", newId("bak", now), now);
    if (isThere) files.add(file);
    start();
    await hasEnded();
    expect(await newest()).toMatchObject(
      isThere ? { bytes: 7, error: null } : { bytes: null, error: "The server stopped during this backup." },
    );
    await backups.pop()?.stop(0);
    now += HOUR;
  }
});

it("the end of a backup is checked again after the database was unavailable, which is logged once", async () => {
  let isUnavailable = true;
  const away: Store = {
    ...store,
    backups: withMethods(store.backups, {
      claimDue: (...args) => (isUnavailable ? Promise.reject(new Error("away")) : store.backups.claimDue(...args)),
    }),
  };
  await request();
  start(validFolder, "here", away);
  await new Promise((resolve) => setTimeout(resolve, 20 * POLL_INTERVAL_MS));
  isUnavailable = false;
  await hasEnded();
  await soon(() => logged).toEqual([
    "checking for due backups failed; retrying until it works",
    "checking for due backups works again",
    "a backup was made",
  ]);
});

const inFolder = (name = ""): string => join(dataDir, "backups", name);
const open = (path = inFolder()) => createBackupFolder(path, { engine: "sqlite", file: databaseFile(dataDir) });
const never = new AbortController().signal;

it("the backup folder receives a complete copy, or no trace of an abandoned one", async () => {
  const bytes = await open().make(NAME, never);
  expect(await open().getSize(NAME)).toBe(bytes);
  const copy = openStore(inFolder(NAME));
  expect((await copy.boards.businesses()).map(({ name }) => name)).toEqual(["Harbour Lab"]);
  await copy.close();
  rmSync(inFolder(NAME));
  const db = new Database(databaseFile(dataDir));
  db.exec("CREATE TABLE filler (bytes BLOB)");
  const insert = db.prepare("INSERT INTO filler VALUES (randomblob(1000000))");
  db.transaction(() => {
    for (let i = 0; i < 100; i++) insert.run();
  })();
  db.close();
  const stopping = new AbortController();
  const ended = open().make(NAME, stopping.signal);
  await soon(() => readdirSync(inFolder())).toContain(`${NAME}.partial`);
  stopping.abort();
  await expect(ended).rejects.toMatchObject({ name: "AbortError" });
  expect(readdirSync(inFolder())).toEqual([]);
  await expect(open().make(NAME, stopping.signal)).rejects.toMatchObject({ name: "AbortError" });
  expect(await open().make(NAME, never)).toBeGreaterThan(100_000_000);
  expect(readdirSync(inFolder())).toEqual([NAME]);
});

it("the backup folder keeps all files that are not named as a backup", async () => {
  mkdirSync(inFolder());
  for (const name of ["notes.txt", "../tessera.sqlite", "tessera.sqlite", `${NAME}.gz`, `x${NAME}`, `../${NAME}`]) {
    await expect(open().remove(name), name).rejects.toThrow("is not the name");
    await expect(open().make(name, never), name).rejects.toThrow("is not the name");
  }
  expect(existsSync(databaseFile(dataDir))).toBe(true);
  writeFileSync(inFolder(NAME), "kept");
  await expect(open().make(NAME, never)).rejects.toThrow(/^tessera-.* exists already in the backup folder\./);
  await expect(open().make(NAME, AbortSignal.abort())).rejects.toThrow("aborted");
  expect(readFileSync(inFolder(NAME), "utf8")).toBe("kept");
  await open().remove(NAME);
  await open().remove(NAME);
  expect(readdirSync(inFolder())).toEqual([]);
});

it("a problem of the backup folder is reported with advice", async () => {
  writeFileSync(join(dataDir, "file"), "");
  for (const path of ["file", "file/below"])
    await expect(open(join(dataDir, path)).make(NAME, never)).rejects.toThrow("a file is in its place. Set BACKUP_DIR to a folder.");
  expect(await open(join(dataDir, "file")).getSize(NAME)).toBeNull();
  const none = createBackupFolder(inFolder(), { engine: "sqlite", file: join(dataDir, "no.sqlite") });
  await expect(none.make(NAME, never)).rejects.toThrow();
  expect(readdirSync(inFolder())).toEqual([]);
  chmodSync(inFolder(), 0o500);
  if (process.getuid?.() !== 0) await expect(open().make(NAME, never)).rejects.toThrow("can't be written to");
  chmodSync(inFolder(), 0o700);
});
