import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { type MigrationProgress, moveToPostgres } from "#storage/transfer/migrate.ts";
import { TABLES } from "#storage/transfer/tables.ts";
import { addText } from "../../contract/store-context.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";
import { newFolder } from "../folder.ts";
import { readPostgres, readSqlite, emptyDatabase, query } from "./databases.ts";
import { fillSqlite, openMoved } from "./filled.ts";

const silent = (): void => {};
const interruptAt =
  (name: string) =>
  ({ step, table }: MigrationProgress): void => {
    if (step === "copying" && table === name) throw new Error("Broken off.");
  };

const hashFiles = (file: string): (string | null)[] =>
  [file, `${file}-wal`].map((name) => (existsSync(name) ? createHash("sha256").update(readFileSync(name)).digest("hex") : null));

it("the transferred tables are all tables with every column, on both sides", async () => {
  const { url, drop } = await newMigratedDatabase();
  onTestFinished(drop);
  const described = TABLES.flatMap(({ name, columns }) => Object.keys(columns).map((column) => `${name}.${column}`));
  const there = await query(
    url,
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'",
  );
  // Tables whose rows make sense in the source only, and columns that a table fills itself.
  const isLeft = (name: string) =>
    /^(allowance|log_in_throttle|migration|epoch|secret_key|tile_claim|progress|thumbnail|backup_schedule|backup_run)\.|^(vector_model\.one)$/.test(
      name,
    );
  const ours = there.map(({ name }) => String(name)).filter((name) => !isLeft(name));
  expect([...new Set(described)].sort()).toEqual(ours.sort());

  const db = new Connection(":memory:");
  migrate(db);
  const inSqlite = db
    .all<{ name: string }>(
      "SELECT m.name || '.' || c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
    )
    .map(({ name }) => name);
  db.close();
  const readFromSqlite = TABLES.flatMap(({ name, columns, onSqlite }) =>
    Object.keys(columns).map((column) => `${name}.${(onSqlite[column] ?? column).replaceAll('"', "")}`),
  );
  const left = inSqlite.filter(
    (name) =>
      !readFromSqlite.includes(name) &&
      !/^(epoch|secret_key|index_repair|log_in_throttle|progress|thumbnail|backup_schedule|backup_run)\./.test(name),
  );
  expect(left.sort()).toEqual(["vector_model.one"]);
});

it("a migration from SQLite to PostgreSQL transfers everything: the store there returns the same and continues", async () => {
  const file = await fillSqlite();
  const url = await emptyDatabase();
  const before = hashFiles(file);
  const seen: MigrationProgress[] = [];
  const moved = await moveToPostgres({ file, url, onProgress: (progress) => seen.push(progress) });
  expect(hashFiles(file).slice(0, 1)).toEqual(before.slice(0, 1));
  expect(moved.copied).toBe(Object.values(moved.tables).reduce((sum, { rows }) => sum + rows, 0));
  for (const { name } of TABLES) expect(moved.tables[name]?.rows, name).toBeGreaterThan(0);
  expect(seen.filter(({ step, table }) => step === "copying" && table === "tile").at(-1)).toMatchObject({
    rows: moved.tables.tile?.rows,
  });
  const expected = await readSqlite(file);
  const told = JSON.stringify(expected);
  for (const sign of ["worker_lost", '"attempt":1', '"attempt":2', "waits-0.example", "Its text 🎉", '"replayed":true'])
    expect(told.includes(sign), sign).toBe(true);
  expect(await readPostgres(url)).toEqual(expected);
});

it("a migration from SQLite to PostgreSQL reads the write-ahead log beside the file, and changes neither", async () => {
  const file = await fillSqlite();
  const db = new Connection(file);
  onTestFinished(() => db.close());
  db.raw.exec("UPDATE tile SET title = 'In the log' WHERE type = 'TEXT'");
  const before = hashFiles(file);
  expect(before[1]).not.toBeNull();
  const url = await emptyDatabase();
  await moveToPostgres({ file, url, onProgress: silent });
  expect(hashFiles(file)).toEqual(before);
  expect(await query(url, "SELECT DISTINCT title FROM tile WHERE type = 'TEXT'")).toEqual([{ title: "In the log" }]);
});

it("a migration from SQLite to PostgreSQL reads a snapshot of a source that is written meanwhile", async () => {
  const file = await fillSqlite();
  const db = new Connection(file);
  onTestFinished(() => db.close());
  const url = await emptyDatabase();
  const moved = await moveToPostgres({
    file,
    url,
    onProgress: ({ step, table }) => {
      if (step === "copying" && table === "zone") db.raw.exec("UPDATE tile SET title = 'Too late'; DELETE FROM audit");
    },
  });
  expect(await query(url, "SELECT 1 FROM tile WHERE title = 'Too late'")).toEqual([]);
  expect(await query(url, "SELECT count(*)::int AS rows FROM audit")).toEqual([{ rows: moved.tables.audit?.rows }]);
});

it.each([1, 3, 7, 12, 14])(
  "a migration interrupted after %i batches is completed by a second run, and a third does nothing",
  async (most) => {
    const file = await fillSqlite(async (_, world) => {
      for (let i = 0; i < 600; i++) await addText(world, `Text ${i} 🌊`);
    });
    const url = await emptyDatabase();
    let batches = 0;
    const interrupted = moveToPostgres({
      file,
      url,
      onProgress: ({ step }) => {
        if (step === "copying" && ++batches === most) throw new Error("Broken off.");
      },
    });
    await expect(interrupted).rejects.toThrow("Broken off.");
    const second = await moveToPostgres({ file, url, onProgress: silent });
    const all = Object.values(second.tables).reduce((sum, { rows }) => sum + rows, 0);
    expect(second.copied).toBeLessThan(all);
    expect(second.copied).toBeGreaterThan(0);
    expect(await moveToPostgres({ file, url, onProgress: silent })).toEqual({ tables: second.tables, copied: 0 });
    if (most === 7) expect(await readPostgres(url)).toEqual(await readSqlite(file));
  },
);

it("a migration from SQLite to PostgreSQL continues after connections to the target broke", async () => {
  const [file, url] = [await fillSqlite(), await emptyDatabase()];
  let breaking: Promise<unknown> | undefined;
  const broken = moveToPostgres({
    file,
    url,
    onProgress: ({ step }) => {
      if (step === "copying")
        breaking ??= query(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
    },
  });
  await expect(broken).rejects.toThrow(/storage can't be reached|terminat/);
  await breaking;
  const second = await moveToPostgres({ file, url, onProgress: silent });
  expect(second.copied).toBeGreaterThan(0);
  expect(await moveToPostgres({ file, url, onProgress: silent })).toEqual({ tables: second.tables, copied: 0 });
});

it("a migration is rejected while another one writes to the same database", async () => {
  const [file, url] = [await fillSqlite(), await emptyDatabase()];
  let other: Promise<unknown> | undefined;
  const first = moveToPostgres({
    file,
    url,
    onProgress: ({ step }) => {
      if (step === "copying") other ??= moveToPostgres({ file, url, onProgress: silent }).catch((error: unknown) => error);
    },
  });
  expect((await first).copied).toBeGreaterThan(0);
  expect(await other).toMatchObject({ message: expect.stringMatching(/^Another command is moving content into this database\./) });
});

it("a migration from SQLite to PostgreSQL replaces NUL in texts, which PostgreSQL cannot store, as the store there does", async () => {
  const file = await fillSqlite(
    async (_, world) => void (await addText(world, "a\0b", { id: `til_nul_${world.scope.target.businessId}` })),
  );
  const url = await emptyDatabase();
  await moveToPostgres({ file, url, onProgress: silent });
  expect(await query(url, "SELECT extracted_text AS text FROM tile WHERE id LIKE 'til_nul%'")).toEqual([
    { text: "a\uFFFDb" },
    { text: "a\uFFFDb" },
  ]);
});

it("a migration is rejected if the target has data, and writes nothing", async () => {
  const [file, other] = [await fillSqlite(), await fillSqlite(async () => {})];
  const url = await emptyDatabase();
  await moveToPostgres({ file: other, url, onProgress: silent });
  const before = await query(url, "SELECT id FROM tile ORDER BY id");
  await expect(moveToPostgres({ file, url, onProgress: silent })).rejects.toThrow(/contains a copy of another source/);
  await query(url, "DROP TABLE transfer");
  await expect(moveToPostgres({ file, url, onProgress: silent })).rejects.toThrow(/The database is not empty/);
  expect(await query(url, "SELECT id FROM tile ORDER BY id")).toEqual(before);
});

it("a migration is rejected if the source changed since it was interrupted", async () => {
  const file = await fillSqlite();
  const url = await emptyDatabase();
  await expect(moveToPostgres({ file, url, onProgress: interruptAt("business") })).rejects.toThrow("Broken off.");
  const db = new Connection(file);
  db.raw.exec("UPDATE tile SET title = 'Changed'");
  db.close();
  await expect(moveToPostgres({ file, url, onProgress: silent })).rejects.toThrow(/before it was changed/);
});

it("a migration from SQLite to PostgreSQL replaces the business that a first start creates, and no other", async () => {
  const file = await fillSqlite();
  const url = await emptyDatabase();
  const fresh = await openMoved(url);
  await fresh.boards.createBusiness({ id: "biz_new", name: "My business", createdAt: 1 }, { id: "brd_new", name: "Board", slug: "board" });
  await expect(moveToPostgres({ file, url, onProgress: silent })).rejects.toThrow(/server uses this database/);
  await fresh.close();
  await moveToPostgres({ file, url, onProgress: silent });
  expect(await query(url, "SELECT count(*)::int AS n FROM business")).toEqual([{ n: 2 }]);

  const used = await emptyDatabase();
  const store = await openMoved(used);
  await store.boards.createBusiness({ id: "biz_new", name: "My business", createdAt: 1 }, { id: "brd_new", name: "Board", slug: "board" });
  await store.apiKeys.create({
    id: "key_1",
    businessId: "biz_new",
    name: "A",
    prefix: "tsr_abcd",
    hash: "h",
    boardId: null,
    permission: "read",
    expiresAt: null,
    createdBy: "operator",
    createdAt: 1,
  });
  await store.close();
  await expect(moveToPostgres({ file, url: used, onProgress: silent })).rejects.toThrow(/The database is not empty/);
  expect(await query(used, "SELECT id FROM business")).toEqual([{ id: "biz_new" }]);
});

it.each([
  ["tile", "UPDATE tile SET extracted_text = extracted_text || '.' WHERE id = (SELECT min(id) FROM tile)", /"tile" \(other content\)/],
  ["delivery", "UPDATE delivery SET number = number + 100", /"delivery" \(other content\)/],
  ["posting", "UPDATE posting SET entries = entries || '\\x00' WHERE term = 'rare'", /"posting" \(other content\)/],
  ["passage_block", "UPDATE passage_block SET embeddings = embeddings || '\\x00'", /"passage_block" \(other content\)/],
  ["board_index", "UPDATE board_index SET documents = documents + 1", /"board_index" \(other content\)/],
  ["job", "UPDATE job SET max_attempts = max_attempts + 1", /"job" \(other content\)/],
  ["audit", "DELETE FROM audit WHERE number = (SELECT min(number) FROM audit)", /"audit" \(\d+ rows, not \d+\)/],
])("a migration that completed reports that the table %s differs", async (_table, sql, message) => {
  const [file, url] = [await fillSqlite(), await emptyDatabase()];
  await moveToPostgres({ file, url, onProgress: silent });
  await query(url, sql);
  const again = moveToPostgres({ file, url, onProgress: silent });
  await expect(again).rejects.toThrow(message);
  await expect(again).rejects.toThrow(/was copied by an earlier run/);
});

it("a migration from SQLite to PostgreSQL ends with a message that names the table if something else wrote to it during the copy", async () => {
  const [file, url] = [await fillSqlite(), await emptyDatabase()];
  await expect(moveToPostgres({ file, url, onProgress: interruptAt("api_key") })).rejects.toThrow("Broken off.");
  await query(url, "UPDATE tile SET title = 'Tampered' WHERE id = (SELECT min(id) FROM tile)");
  const again = moveToPostgres({ file, url, onProgress: silent });
  await expect(again).rejects.toThrow(/^The copy differs from the source in "tile" \(other content\): another program wrote/);
});

it.each([
  ["no file", () => join(newFolder(), "absent.sqlite"), /^There is no database at .+absent\.sqlite\.$/],
  ["a folder", newFolder, /is a folder\. Name the file in it/],
  ["no database", () => writeFile("rubbish ".repeat(1_000)), /can't be read as a database/],
  ["a database of another program", () => databaseWith("CREATE TABLE t (a TEXT)"), /is not a Tessera database/],
  ["an older database", () => databaseWith("CREATE TABLE tile (a TEXT)"), /is of version 0, .*"tessera migrate"/],
  ["a newer database", () => databaseWith("CREATE TABLE tile (a TEXT); PRAGMA user_version = 999"), /newer than this Tessera/],
])("a source that cannot be migrated is %s, with a message", async (_what, make, message) => {
  const url = await emptyDatabase();
  await expect(moveToPostgres({ file: make(), url, onProgress: silent })).rejects.toThrow(message);
  expect(await query(url, "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'")).toEqual([]);
});

function writeFile(content: string): string {
  const file = join(newFolder(), "file.sqlite");
  writeFileSync(file, content);
  return file;
}

function databaseWith(sql: string): string {
  const db = new Connection(writeFile(""));
  db.raw.exec(sql);
  db.close();
  return db.raw.name;
}
