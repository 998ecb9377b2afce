import { afterAll, beforeAll, expect, test } from "vitest";
import { type Finished, makeFolder, runServer } from "../e2e/support/process.ts";
import { type TestDatabase, newDatabase } from "../support/postgres/databases.ts";
import { printFigure } from "./support/figures.ts";
import { query } from "./support/postgres.ts";

const SECRET = "s3cret-of-the-test-with-32-characters";
const NEWER = 4_711;
/** A port on which nothing listens. */
const CLOSED_PORT = 1;

let database: TestDatabase;
let outsider: string;
let folder: ReturnType<typeof makeFolder>;

/** The address of the database with some parts replaced. */
function addressWith(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

const start = (databaseUrl: string, more: Record<string, string> = { SECRET_KEY: SECRET }): Promise<Finished> =>
  runServer({ DATA_DIR: folder.dataDir, DATABASE_URL: databaseUrl, ...more });

beforeAll(async () => {
  folder = makeFolder();
  database = await newDatabase();
  outsider = `outsider_${database.name}`;
  await query(database.url, `CREATE ROLE ${outsider} LOGIN PASSWORD '${SECRET}'`);
});

afterAll(async () => {
  await query(database.url, `DROP OWNED BY ${outsider}`);
  await query(database.url, `DROP ROLE ${outsider}`);
  await database.drop();
  folder.remove();
});

const asOutsider = (): string => addressWith((url) => Object.assign(url, { username: outsider, password: SECRET }));

test.each<[string, () => Promise<Finished>, RegExp]>([
  ["a wrong password", () => start(addressWith((url) => (url.password = SECRET))), /DATABASE_URL .*127\.0\.0\.1:\d+ .*postgres.* password/],
  [
    "an unknown user",
    () => start(addressWith((url) => Object.assign(url, { username: "nobody-known", password: SECRET }))),
    /DATABASE_URL .*nobody-known/,
  ],
  [
    "an unknown database",
    () => start(addressWith((url) => (url.pathname = "/no_such_database"))),
    /DATABASE_URL .*"no_such_database".*create it/,
  ],
  [
    "a port that nothing listens at",
    () => start(`postgres://someone:${SECRET}@127.0.0.1:${CLOSED_PORT}/tessera`),
    /DATABASE_URL .*no PostgreSQL server responds at 127\.0\.0\.1:1 /,
  ],
  [
    "a host without an address",
    () => start(`postgres://someone:${SECRET}@no-such-host.invalid/tessera`),
    /DATABASE_URL .*no-such-host\.invalid:5432/,
  ],
  ["a user without create permissions", () => start(asOutsider()), /DATABASE_URL .*outsider.*grant CREATE/],
  ["no SECRET_KEY", () => start(database.url, {}), /SECRET_KEY is missing.*openssl rand/],
  ["another URL scheme", () => start(`mysql://someone:${SECRET}@127.0.0.1/tessera`), /DATABASE_URL must be .*postgres:\/\//],
  [
    "a database of a newer Tessera",
    async () => {
      const newer = await newDatabase();
      await query(
        newer.url,
        "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())",
      );
      await query(newer.url, "INSERT INTO migration (number, name) VALUES ($1, 'of the future')", [NEWER]);
      const finished = await start(newer.url);
      await newer.drop();
      return finished;
    },
    new RegExp(`version ${NEWER}.*[Ii]nstall the newer Tessera`),
  ],
])("a start that PostgreSQL rejects ends with one line of advice: %s", { timeout: 300_000 }, async (what, run, told) => {
  const { code, stdout, stderr } = await run();
  printFigure(`a start with ${what}: ${stderr.trim()}`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(told);
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+|node_modules|undefined/);
  for (const secret of [SECRET, new URL(database.url).password]) expect(stderr).not.toContain(secret);
});
