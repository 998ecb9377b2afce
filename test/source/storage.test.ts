import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { POSTGRES } from "#storage/postgres/engine/driver.ts";
import { SQLITE } from "#storage/sqlite/engine/driver.ts";

const SRC = join(import.meta.dirname, "../../src");

const findIn = (pattern: RegExp, files: string): string[] =>
  globSync(files, { cwd: SRC })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => pattern.test(readFileSync(join(SRC, file), "utf8")));

it("no code outside the store knows an error code of a database", () => {
  expect(findIn(/SQLITE_|SQLSTATE/, "**/*.ts").filter((file) => !file.startsWith("storage/"))).toEqual([]);
});

it("no store asks which engine runs it", () => {
  expect(findIn(/\.engine\b|\bisPostgres\b|\bisSqlite\b/i, "storage/sql/**/*.ts")).toEqual([]);
});

it("both engines have the same few differences", () => {
  expect(Object.keys(SQLITE).toSorted()).toEqual(Object.keys(POSTGRES).toSorted());
  expect(Object.keys(SQLITE).length).toBeLessThanOrEqual(20);
});
