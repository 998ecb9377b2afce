import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { restore as restoreFile } from "#storage/restore/postgres.ts";
import { backup } from "#storage/transfer/backup.ts";
import { type MigrationProgress, moveToPostgres } from "#storage/transfer/migrate.ts";
import { ChecksumCollector } from "#storage/transfer/rows.ts";
import { addBoard, authorizeOn, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { newDatabase } from "../../support/postgres/databases.ts";
import { newFolder } from "../folder.ts";
import { readPostgres, readSqlite, emptyDatabase, query } from "./databases.ts";
import { fillSqlite, openMoved } from "./filled.ts";

/** Restores a file and leaves its accounts as they were; other tests are about those. Returns counts and hashes. */
const restore = async (url: string, file: string) => (await restoreFile(url, file, { asItWas: true, replaces: null })).sums;

const TABLES = [
  "business",
  "board",
  "zone",
  "tile",
  "file_part",
  "generation",
  "idea",
  "api_key",
  "member",
  "session",
  "invitation",
  "claim",
  "usage",
  "once",
  "webhook",
  "delivery",
  "audit",
  "chunk",
  "posting_block",
  "passage_block",
  "index_rebuild",
  "vector_reset",
  "vector_model",
  "posting",
];
const newFile = (name = "backup"): string => join(newFolder(), name);

/** The number of rows in all tables, including those of the queue. */
async function rowsIn(url: string): Promise<number> {
  const counts = TABLES.map((table) => `(SELECT count(*) FROM ${table})`);
  const [row] = await query(url, `SELECT (${counts.join(" + ")})::int AS n`);
  return Number(row?.n);
}

it("a backup of a PostgreSQL database restores everything into an empty one, also from a backup of that one", async () => {
  const source = await fillSqlite();
  const [first, second, third] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()];
  await moveToPostgres({ file: source, url: first, onProgress: () => {} });
  const [file, again] = [newFile(), newFile()];
  const sums = await backup(first, file);
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect(readdirSync(dirname(file))).toEqual(["backup"]);
  expect(await restore(second, file)).toEqual(sums);
  expect(await backup(second, again)).toEqual(sums);
  await restore(third, again);
  const expected = await readSqlite(source);
  expect(await readPostgres(second)).toEqual(expected);
  expect(await readPostgres(third)).toEqual(expected);
});

it("a backup of a PostgreSQL database is a consistent snapshot while others write", async () => {
  const [url, empty] = [await emptyDatabase(), await emptyDatabase()];
  const store = await openMoved(url);
  const { scope, manage } = await seedBusiness(store);
  const { scope: other } = await addBoard(store, manage);
  let isOver = false;
  let written = 0;
  // Each unit writes to both boards, so at any moment both have the same number of tiles.
  const writers = Array.from({ length: 4 }, async () => {
    for (; !isOver; written++) {
      const items = [scope, other].map((scope) => ({ scope, tile: textTile(`Text ${written} `.repeat(200)) }));
      await store.tiles.createMany(items, T0 + written);
    }
  });
  while (written < 200) await new Promise((resolve) => setTimeout(resolve, 10));
  const file = newFile();
  const before = written;
  const sums = await backup(url, file);
  expect(written).toBeGreaterThan(before);
  isOver = true;
  await Promise.all(writers);
  await store.close();
  await restore(empty, file);
  const counts = await query(empty, "SELECT count(*)::int AS n FROM tile GROUP BY board_id");
  expect(counts).toEqual([{ n: (sums.tile?.rows ?? 0) / 2 }, { n: (sums.tile?.rows ?? 0) / 2 }]);
  const revisions = await query(empty, "SELECT next_sequence - 1 AS n FROM board ORDER BY number");
  expect(revisions.map(({ n }) => Number(n))).toEqual(counts.map(({ n }) => n));
});

it("a backup of a PostgreSQL database is rejected if the file exists, the folder does not, or the database is empty", async () => {
  const url = await emptyDatabase();
  const file = newFile();
  await expect(backup(url, file)).rejects.toThrow("There is no Tessera in this database yet.");
  await expect(backup(url, join(file, "no", "folder"))).rejects.toThrow(/^There is no folder /);
  expect(readdirSync(dirname(file))).toEqual([]);
  writeFileSync(file, "mine");
  await expect(backup(url, file)).rejects.toThrow(/exists already/);
  expect(readFileSync(file, "utf8")).toBe("mine");
});

let made: Promise<Buffer> | undefined;
/** One backup for all tests, made by the first of them. */
const wholeBackup = (): Promise<Buffer> => (made ??= makeBackup());
async function makeBackup(): Promise<Buffer> {
  const { url, drop } = await newDatabase();
  const file = newFile();
  await moveToPostgres({ file: await fillSqlite(), url, onProgress: () => {} });
  await backup(url, file);
  await drop();
  return readFileSync(file);
}

const writeFile = (bytes: Buffer): string => {
  const file = newFile("damaged");
  writeFileSync(file, bytes);
  return file;
};
/** The backup with changed lines, with its old or recomputed checksums. */
const rewritten = (whole: Buffer, change: (lines: string[]) => string[], isCounted = false): Buffer => {
  const lines = change(gunzipSync(whole).toString("utf8").trimEnd().split("\n"));
  if (isCounted) {
    const summers = new Map<string, ChecksumCollector>();
    for (const line of lines.slice(1, -1)) {
      const { table, row } = JSON.parse(line) as { table: string; row: unknown };
      const summer = summers.get(table) ?? new ChecksumCollector();
      summers.set(table, summer);
      summer.add(JSON.stringify(row));
    }
    lines[lines.length - 1] = JSON.stringify({
      end: true,
      tables: Object.fromEntries([...summers].map(([name, summer]) => [name, summer.sum()])),
    });
  }
  return gzipSync(`${lines.join("\n")}\n`);
};
const findTableLine = (lines: string[], table: string): number => lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));

it.each<[string, (whole: Buffer) => Buffer, RegExp]>([
  ["cut off", (whole) => whole.subarray(0, whole.length / 2), /unexpected end of file/],
  ["cut off in its last bytes", (whole) => whole.subarray(0, -1), /unexpected end of file/],
  ["without its end", (whole) => rewritten(whole, (lines) => lines.slice(0, -1)), /its last line is missing/],
  ["followed by more", (whole) => rewritten(whole, (lines) => [...lines, lines[1]!]), /there is data after the last line/],
  [
    "without one row",
    (whole) => rewritten(whole, (lines) => lines.toSpliced(findTableLine(lines, "zone"), 1)),
    /its table "zone" differs from what was written/,
  ],
  [
    "with one row twice",
    (whole) => rewritten(whole, (lines) => [...lines.slice(0, 2), ...lines.slice(1)]),
    /its table "business" differs from/,
  ],
  [
    "with another text",
    (whole) => rewritten(whole, (lines) => lines.map((line) => line.replace("Goes with", "Went with"))),
    /its table "tile" differs from/,
  ],
  ["with a flipped byte", (whole) => Buffer.from(whole).fill(whole[5_000]! ^ 0x10, 5_000, 5_001), /damaged|incorrect|invalid|differs from/],
  ["with a line that is not JSON", (whole) => rewritten(whole, (lines) => lines.with(9, lines[9]!.slice(1))), /its line 10 is damaged/],
  ["with an unknown table", (whole) => rewritten(whole, (lines) => lines.with(2, '{"table":"secret","row":{}}')), /its line 3 is damaged/],
  [
    "with an unknown column",
    (whole) => rewritten(whole, (lines) => lines.with(1, lines[1]!.replace('"id"', '"more":1,"id"'))),
    /unknown columns/,
  ],
  [
    "with a value of another type",
    (whole) => rewritten(whole, (lines) => lines.map((line) => line.replace('"is_default":true', '"is_default":"yes"'))),
    /"is_default"/,
  ],
  [
    "of another version",
    (whole) => rewritten(whole, (lines) => lines.with(0, lines[0]!.replace(/"schema":\d+/, '"schema":999'))),
    /version 999/,
  ],
  ["of another format", () => gzipSync('{"format":"other"}\n'), /it is not a backup/],
  ["without compression", () => Buffer.from("SQLite format 3\0".repeat(100)), /incorrect header check/],
  ["without bytes", () => Buffer.alloc(0), /its last line is missing|unexpected end/],
])("a restore of a file %s is rejected, and nothing remains in the database", async (_what, make, message) => {
  const url = await emptyDatabase();
  await expect(restore(url, writeFile(make(await wholeBackup())))).rejects.toThrow(message);
  expect(await query(url, "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'")).toEqual([]);
});

it.each<[string, (whole: Buffer) => Buffer, RegExp]>([
  [
    "that PostgreSQL refuses",
    (whole) => rewritten(whole, (lines) => lines.map((line) => line.replace(/"name":"Main board"/, '"name":null')), true),
    /rejected a row of the table "board": null value/,
  ],
  [
    "that meet each other",
    (whole) => rewritten(whole, (lines) => [...lines.slice(0, 2), ...lines.slice(1)], true),
    /"business" did not become/,
  ],
])("a restore of rows %s is rolled back completely", async (_what, make, message) => {
  const url = await emptyDatabase();
  const file = writeFile(make(await wholeBackup()));
  await expect(restore(url, file)).rejects.toThrow(message);
  expect(await rowsIn(url)).toBe(0);
  await restore(url, writeFile(await wholeBackup()));
  expect(await rowsIn(url)).toBeGreaterThan(100);
});

it("a restore is rejected if the database was used or a server uses it, and changes nothing", async () => {
  const url = await emptyDatabase();
  const store = await openMoved(url);
  const { board } = await seedBusiness(store);
  await expect(restore(url, writeFile(await wholeBackup()))).rejects.toThrow(/server uses this database/);
  await store.tiles.create(authorizeOn(board), textTile("Mine"), T0);
  await store.close();
  const before = await rowsIn(url);
  await expect(restore(url, writeFile(await wholeBackup()))).rejects.toThrow(/The database is not empty/);
  expect(await rowsIn(url)).toBe(before);
  await expect(restore(url, newFile("absent"))).rejects.toThrow(/^There is no backup at /);
});

it("a restore is rejected if a migration was started, even before any rows arrived", async () => {
  const url = await emptyDatabase();
  const onProgress = ({ step }: MigrationProgress): void => {
    if (step === "copying") throw new Error("Broken off.");
  };
  await expect(moveToPostgres({ file: await fillSqlite(), url, onProgress })).rejects.toThrow("Broken off.");
  await query(url, "DELETE FROM business");
  await expect(restore(url, writeFile(await wholeBackup()))).rejects.toThrow(/The database is not empty/);
});

it("a restore replaces the business that a first start creates", async () => {
  const url = await emptyDatabase();
  const store = await openMoved(url);
  await seedBusiness(store, "My business");
  await store.close();
  await restore(url, writeFile(await wholeBackup()));
  expect(await query(url, "SELECT name FROM business WHERE name = 'My business'")).toEqual([]);
});
