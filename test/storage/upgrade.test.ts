import Database from "better-sqlite3";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Store } from "#domain/store.ts";
import { Connection, type Row } from "#storage/sqlite/engine/database.ts";
import { migrate, readMigrations, schemaVersion } from "#storage/sqlite/engine/migrate.ts";
import { replaceIndex } from "#storage/sqlite/search/repair-index.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { authorizeOn, getCreated, getCreatedTile, newJob, T0, textTile } from "../support/boards.ts";
import { DELETIONS, expectData, VECTORS } from "./expect-data.ts";
import { newFolder } from "./folder.ts";

/*
 * Rows as earlier versions wrote them, in a folder for each release. A version of 0.1 has a file of all its rows. A later one has a file
 * with what it adds to them, if its migration adds a column, or a table that it leaves empty. Additions are checked in `expectData`,
 * which applies to every version: the fixtures describe the same data, each in its own tables.
 */
const FIXTURES = join(import.meta.dirname, "fixtures");
const MIGRATIONS = readMigrations();
/** The first version that repairs a damaged search index. */
const INDEX_REPAIRS = 18;
/** The last version whose file has all rows. */
const LAST_WHOLE = 7;
/** The version that renames columns. Later databases are filled before it, and upgraded. */
const RENAMED = 27;
const NEWEST = MIGRATIONS.at(-1)!.number;

/** The fixture files by version. */
const FILES: ReadonlyMap<number, string> = new Map(
  readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .sort()
    .map((path) => [Number(basename(path, ".sql")), join(FIXTURES, path)]),
);

/** The files that fill an empty database of a version, by the version whose column names they have. */
const listFixtures = (version: number): ReadonlyMap<number, readonly (readonly [number, string])[]> =>
  Map.groupBy(
    [...FILES].filter(([number]) => number === Math.min(version, LAST_WHOLE) || (number > LAST_WHOLE && number <= version)),
    ([number]) => (number < RENAMED ? Math.min(version, RENAMED - 1) : version),
  );

/** A database as version `version` wrote it. */
function createDatabase(version: number): string {
  const file = join(newFolder(), "tessera.sqlite");
  const db = new Connection(file);
  const migrateTo = (last: number) =>
    migrate(
      db,
      MIGRATIONS.filter(({ number }) => number <= last),
    );
  for (const [names, files] of listFixtures(version)) {
    migrateTo(names);
    for (const [, path] of files) db.raw.exec(readFileSync(path, "utf8"));
  }
  migrateTo(version);
  db.close();
  rmSync(join(file, "../backups"), { recursive: true, force: true });
  return file;
}

const readSchema = (db: Connection): Row[] => db.all("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name");
const listColumns = (db: Connection): Row[] =>
  db.all(
    "SELECT m.name AS tbl, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.name",
  );

/** The columns of each table of a version. */
function columnsAt(version: number): ReadonlyMap<unknown, ReadonlySet<unknown>> {
  const db = new Connection(createDatabase(version));
  const columns = listColumns(db);
  db.close();
  return new Map([...Map.groupBy(columns, ({ tbl }) => tbl)].map(([table, rows]) => [table, new Set(rows.map(({ name }) => name))]));
}

/** Whether a version adds a column to a table of the version before it. One that was removed again needs no data. */
function addsColumn(version: number): boolean {
  const [before, newest] = [columnsAt(version - 1), columnsAt(NEWEST)];
  return [...columnsAt(version)].some(([table, names]) =>
    [...names].some((name) => before.get(table)?.has(name) === false && newest.get(table)?.has(name) === true),
  );
}

/** Expects the bytes of thumbnails from before the upgrade to count. */
async function expectThumbnailsToBeCounted({ thumbnails }: Store): Promise<void> {
  const picture = { mediaType: "image/png", body: Uint8Array.of(1) } as const;
  const later = { sourceUrl: "https://two.example/b.png", picture, fetchedAt: T0 + 9_000 };
  await thumbnails.set("biz_a", "til_fail", later, { rows: 9, bytes: 6 });
  expect(await thumbnails.get("biz_a", "til_text")).not.toBeNull();
  await thumbnails.set("biz_a", "til_fail", later, { rows: 9, bytes: 5 });
  expect(await thumbnails.get("biz_a", "til_text")).toBeNull();
}

/** Expects work started before the upgrade to continue after it. */
async function expectWorkToContinue(file: string, number: number): Promise<void> {
  const store = openStore(file);
  try {
    const now = T0 + 10_000;
    const scope = authorizeOn((await store.boards.find("biz_a", "brd_main"))!);
    const idempotency = {
      businessId: "biz_a",
      apiKeyId: "key_live",
      path: "/tiles",
      key: "once-1",
      requestHash: "hash-1",
      expiresAt: now,
      render: () => null,
    };
    expect(await store.tiles.create(scope, textTile("Again"), now, idempotency)).toEqual({ replayed: true, body: '{"first":"answer"}' });
    const [job] = await store.queue.claim(9, 9, now);
    expect(job).toMatchObject({ id: "job_wait", tileId: "til_wait", url: "https://two.example/", attempt: 2, maxAttempts: 3 });
    expect(await store.queue.complete(job!, { type: "WEBSITE", title: "Two", text: "Tide pools", metadata: {}, warnings: [] }, now)).toBe(
      true,
    );
    expect((await store.webhooks.claim(9, 9, 1_000, now)).map(({ event }) => event)).toEqual(["tile.failed", "tile.ready"]);
    await store.zones.restore(scope, "zon_gone", () => newJob(), now);
    expect(await store.tiles.find("biz_a", "til_zone")).toMatchObject({ extractedText: "Went with its zone" });
    await store.boards.restore(authorizeOn((await store.boards.findDeleted("biz_a", "brd_gone", T0))!), now);
    expect(await store.tiles.find("biz_a", "til_hid")).toMatchObject({ extractedText: "On the deleted board" });
    const synced = getCreatedTile(await store.tiles.create(scope, textTile("Low tide", { externalId: "sync-1" }), now));
    expect(synced).toMatchObject({ id: "til_text", extractedText: "Low tide", title: "Tide tables" });
    const deleted = textTile("Deleted", { externalId: "sync-0", skipDeleted: true });
    if (number >= DELETIONS) expect(getCreated(await store.tiles.create(scope, deleted, now))).toMatchObject({ deleted: true });
    if (number >= LAST_WHOLE) await expectThumbnailsToBeCounted(store);
    const fresh = getCreatedTile(await store.tiles.create(scope, textTile("Fresh"), now));
    expect(fresh.sequence).toBe(6);
    expect(await store.search.statistics("biz_a", "brd_main")).toMatchObject(
      number < VECTORS ? { documents: 0, totalLength: 0 } : { documents: 1, totalLength: 4 },
    );
  } finally {
    await store.close();
  }
}

it("fixtures exist for every version of 0.1, and for every later one that adds a column", () => {
  const versions = MIGRATIONS.map(({ number }) => number);
  expect([...FILES.keys()].filter((number) => !versions.includes(number))).toEqual([]);
  for (const version of versions) {
    if (version <= LAST_WHOLE || addsColumn(version)) expect(FILES.has(version), `version ${version}`).toBe(true);
  }
});

it.each(MIGRATIONS)("fixtures fill every table of version $number that has data", ({ number }) => {
  const db = new Connection(createDatabase(number));
  expect(schemaVersion(db)).toBe(number);
  for (const { name } of db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
    expect(db.get(`SELECT 1 AS one FROM "${name}" LIMIT 1`), name).toEqual({ one: 1 });
  }
  db.close();
});

describe.each(MIGRATIONS)("data of version $number", ({ number }) => {
  it("the data is complete after the upgrade, with a copy of the old data", async () => {
    const file = createDatabase(number);
    await expectData(file, number);
    expect(existsSync(join(file, "..", "backups"))).toBe(number < NEWEST);
  });

  if (number >= 3)
    it("the upgrade keeps generations, and unfinished ones end", async () => {
      const store = openStore(createDatabase(number));
      const board = (await store.boards.find("biz_a", "brd_main"))!;
      expect(await store.generations.findIdea(board, "ide_tide")).toMatchObject({ title: "Tides", citations: [{ tileId: "til_text" }] });
      expect(await store.generations.find("biz_a", "gen_idea")).toMatchObject({ status: "complete", request: { prompt: "Tides 🌊" } });
      expect(await store.generations.expire(T0 + 100_000)).toBe(1);
      expect(await store.generations.find("biz_a", "gen_lost")).toMatchObject({ status: "failed", assetType: "video" });
      await store.close();
    });

  if (number >= 6)
    it("the upgrade keeps people, sessions and open invitations", async () => {
      const store = openStore(createDatabase(number));
      expect(await store.people.findSession("cccc")).toMatchObject({
        member: { id: "mem_ada", email: "ada@example.com", role: "owner", lastSeenAt: T0 + 500 },
        session: { id: "ses_ada", agent: "A browser 🌊", expiresAt: 1_900_000_000_000 },
      });
      expect(await store.people.findInvitation("dddd")).toMatchObject({ id: "inv_bo", email: "bo@example.com", role: "admin" });
      expect(await store.people.createSetupToken("biz_a", "ffff", T0)).toBe(false);
      expect(await store.people.createSetupToken("biz_b", "ffff", T0)).toBe(true);
      await store.close();
    });

  if (number >= 7)
    it("the upgrade keeps the backup schedule and its runs", async () => {
      const store = openStore(createDatabase(number));
      expect(await store.backups.schedule()).toEqual({ every: "day", hour: 3, keep: 14, nextAt: 1_900_000_000_000 });
      expect(await store.backups.listAvailable()).toMatchObject([{ id: "bak_one", node: "harbour", bytes: 4_096, isRemoved: false }]);
      expect(await store.backups.claimDue("here", "bak_two", 1_900_000_000_000)).toMatchObject({ run: { id: "bak_two" } });
      await store.close();
    });

  it("the data can be used after the upgrade", async () => {
    const file = createDatabase(number);
    await expectWorkToContinue(file, number);
    const db = new Connection(file);
    expect(db.raw.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.raw.pragma("foreign_key_check")).toEqual([]);
    db.close();
  });

  it("the upgraded database has the same tables as a new one", () => {
    const [upgraded, fresh] = [new Connection(createDatabase(number)), new Connection(":memory:")];
    for (const db of [upgraded, fresh]) migrate(db);
    expect(schemaVersion(upgraded)).toBe(NEWEST);
    expect(readSchema(upgraded)).toEqual(readSchema(fresh));
    expect(listColumns(upgraded)).toEqual(listColumns(fresh));
    for (const db of [upgraded, fresh]) db.close();
  });
});

it.each(MIGRATIONS.filter(({ number }) => number >= INDEX_REPAIRS))(
  "the upgrade of version $number indexes tiles again, if a repair of the index was interrupted",
  async ({ number }) => {
    const file = createDatabase(number);
    const { raw } = new Connection(file);
    const exec = vi.spyOn(raw, "exec").mockImplementation((sql) => {
      if (sql === "VACUUM") throw new Error("The process ends.");
      return Database.prototype.exec.call(raw, sql);
    });
    expect(() => replaceIndex(raw, ["posting"], T0)).toThrow("The process ends.");
    exec.mockRestore();
    raw.close();
    const store = openStore(file);
    expect(await store.search.statistics("biz_a", "brd_main")).toEqual({ documents: 0, totalLength: 0, nextDocument: 0 });
    expect((await store.search.pending(9, 1_000)).map(({ tileId }) => tileId).sort()).toEqual(["til_hid", "til_page", "til_text"]);
    expect(await store.indexRebuild.unfinished()).toContainEqual({ businessId: "biz_a", id: "brd_main", isEmptied: true });
    await store.close();
  },
);
