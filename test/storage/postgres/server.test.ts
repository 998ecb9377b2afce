import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { newDatabase, newDatabaseFrom, type TestDatabase } from "../../support/postgres/databases.ts";
import { startPostgres } from "../../support/postgres/server.ts";
import { startProcess, untilLines } from "../folder.ts";

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function forThisTest(database: Promise<TestDatabase>): Promise<TestDatabase> {
  const made = await database;
  onTestFinished(() => made.drop());
  return made;
}

const TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace";

it("a test database is empty and private, unless it is created as a copy", async () => {
  const [one, other] = await Promise.all([forThisTest(newDatabase()), forThisTest(newDatabase())]);
  await query(one.url, "CREATE TABLE note (text text); INSERT INTO note VALUES ('kept')");
  expect(await query(other.url, TABLES)).toEqual([]);
  const copy = await forThisTest(newDatabaseFrom(one.name));
  await query(one.url, "DELETE FROM note");
  expect(await query(copy.url, "SELECT text FROM note")).toEqual([{ text: "kept" }]);
});

it("a test database can be dropped while clients are connected", async () => {
  const database = await forThisTest(newDatabase());
  const client = new Client({ connectionString: database.url });
  const broken = new Promise<Error>((resolve) => void client.on("error", resolve));
  await client.connect();
  await database.drop();
  expect(await broken).toMatchObject({ code: "57P01" });
  await expect(query(database.url, "SELECT 1")).rejects.toMatchObject({ code: "3D000" });
});

it("a test database rejects a wrong password", async () => {
  const url = new URL((await forThisTest(newDatabase())).url);
  url.password = "wrong";
  await expect(query(url.href, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
});

it.each(["fast", "immediate"] as const)("a server for a single test keeps committed data over a restart that is %s", async (mode) => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const { pid } = server;
  await query(server.url, "CREATE TABLE note (text text); INSERT INTO note VALUES ('kept')");
  await server.restart(mode);
  expect(server.pid).not.toBe(pid);
  expect(await query(server.url, "SELECT text FROM note")).toEqual([{ text: "kept" }]);
});

it.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
  "a server for a single test is removed, with its folder, when its process ends by %s",
  async (signal) => {
    const owner = startProcess(import.meta.resolve("../processes/own-postgres.ts"));
    await untilLines(owner, 1);
    const [url = "", folder = ""] = owner.lines[0]!.split(" ");
    expect(existsSync(folder)).toBe(true);
    owner.process.kill(signal);
    await owner.ended;
    while (existsSync(folder)) await sleep(20);
    await expect(query(url, "SELECT 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  },
);
