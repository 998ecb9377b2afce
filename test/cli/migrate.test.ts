import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "#storage/sqlite/store.ts";
import { seedBusiness, T0, textTile } from "../support/boards.ts";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, call, startServer, tessera, tesseraJson } from "../e2e/support/process.ts";
import { emptyDatabase, query } from "../storage/transfer/databases.ts";
import { newFolder } from "./new-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const TILES = 6_000;

/** A database file with enough tiles for several batches. */
async function manyTiles(file: string): Promise<void> {
  const store = openStore(file);
  const { scope } = await seedBusiness(store);
  for (let i = 0; i < TILES; i += 500) {
    const items = Array.from({ length: 500 }, (_, n) => ({ scope, tile: textTile(`Tile ${i + n} 🌊 `.repeat(100)) }));
    await store.tiles.createMany(items, T0 + i);
  }
  await store.close();
}

/** Starts the command, kills it once it has printed `line` on stderr, and returns its output. */
async function runAndKillAfter(line: RegExp, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, "scripts/run.mjs"), "src/cli/main.ts", ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    if (line.test(text)) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("close", resolve));
  return text;
}

test("`migrate --from … --to …` moves an install from SQLite, which a PostgreSQL server then continues", async () => {
  const folder = newFolder();
  const url = await emptyDatabase();
  const file = join(folder.dataDir, "tessera.sqlite");
  const here: Environment = { DATA_DIR: folder.dataDir, SECRET_KEY: "the secret key of the tests, of 32 characters" };
  const { key } = await tesseraJson(here, "key", "create", "--name", "moved");
  await tesseraJson(here, "webhook", "set", "https://hooks.example.com/in");
  const boardId = (await tesseraJson(here, "board", "list")).boards[0].id;
  const old = await startServer(here);
  const body = { content: "The harbour office opens at nine. 🌊" };
  const { tile } = (await call(old.url, key, "POST", `/api/board/${boardId}/tiles`, body)).json;
  await old.kill("SIGTERM");

  const moved = await tessera({}, "migrate", "--from", `sqlite:${file}`, "--to", url);
  expect(moved).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Copied \d+ rows; postgres:\/\/127\.0\.0\.1:\d+\/test_\w+ holds all/),
  });
  expect(moved.stdout).toMatch(/Start every node with the SECRET_KEY of the source/);
  expect(moved.stdout).toMatch(/The schedule of backups does not move along: set it again/);
  expect(moved.stderr).toMatch(/^copying tile: 1 of 1 \(100 %\) rows$/m);
  expect(moved.stderr).toMatch(/^verifying tile: 1 of 1 \(100 %\) rows$/m);
  expect(moved.stdout + moved.stderr).not.toContain(new URL(url).password);
  expect(moved.stdout + moved.stderr).not.toContain(here.SECRET_KEY);

  const there: Environment = { ...here, DATABASE_URL: url };
  const server = await startServer(there);
  try {
    expect((await call(server.url, key, "GET", `/api/board/tiles/${tile.id}`)).json.tile).toEqual(tile);
    const answer = await call(server.url, key, "POST", `/api/board/${boardId}/ask`, { question: "When does the harbour office open?" });
    expect(answer.json.citations[0].tileId).toBe(tile.id);
    expect(await tesseraJson(there, "webhook", "rotate")).toMatchObject({ webhook: { url: "https://hooks.example.com/in" } });
    expect(await runCommand({}, "migrate", "--from", `sqlite:${file}`, "--to", url)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("A Tessera server uses this database."),
    });
  } finally {
    await server.kill("SIGTERM");
  }
});

test("`migrate --from … --to …` resumes after it was killed, and does nothing once complete", async () => {
  const folder = newFolder();
  const url = await emptyDatabase();
  const file = join(folder.dataDir, "tessera.sqlite");
  await manyTiles(file);
  const args = ["migrate", "--from", `sqlite:${file}`, "--to", url];
  const printed = await runAndKillAfter(/copying tile/, ...args);
  expect(printed).not.toMatch(/verifying/);
  const [state] = await query(url, "SELECT rows::int, is_done FROM transfer WHERE name = 'tile'");
  expect(state?.rows).toBeGreaterThan(0);
  expect(state).toMatchObject({ is_done: false });
  const second = await tessera({}, ...args, "--json");
  expect(second).toMatchObject({ code: 0, stderr: expect.stringMatching(/SECRET_KEY of the source/) });
  const { migrate } = JSON.parse(second.stdout);
  expect(migrate).toMatchObject({
    from: `sqlite:${file}`,
    verified: true,
    tables: { tile: { rows: TILES, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  });
  expect(migrate.to).not.toContain("@");
  expect(migrate.copied).toBeGreaterThan(0);
  expect(migrate.copied).toBeLessThanOrEqual(migrate.rows - Number(state?.rows));
  const third = await runCommand({}, ...args);
  expect(third).toMatchObject({ code: 0, stdout: expect.stringMatching(/^There was nothing left to copy; /) });
  expect(third.stderr).not.toMatch(/copying/);
  await query(url, "UPDATE tile SET title = 'Tampered' WHERE id = (SELECT max(id) FROM tile)");
  expect(await runCommand({}, ...args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/"tile" \(other content\)/) });
});

test("`migrate --from … --to …` also accepts the password from the environment, and relative paths", async () => {
  const folder = newFolder();
  const url = new URL(await emptyDatabase());
  await tesseraJson({ DATA_DIR: folder.dataDir }, "init");
  const password = url.password;
  url.password = "";
  const args = ["migrate", "--from", `sqlite:${folder.dataDir}/../data/tessera.sqlite`, "--to", url.href, "--json"];
  const { code, stdout } = await tessera({ PGPASSWORD: password }, ...args);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).migrate).toMatchObject({
    from: `sqlite:${folder.dataDir}/tessera.sqlite`,
    tables: { business: { rows: 1 } },
  });
  url.password = "s3cretpw";
  const wrong = await runCommand({}, ...args.with(4, url.href));
  expect(wrong).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^--to is refused: 127\.0\.0\.1:\d+ rejects postgres with this password/),
  });
  expect(wrong.stderr).not.toContain("s3cretpw");
});

test.each([
  [2, "both ends", ["--from", "sqlite:x.sqlite"]],
  [2, "both ends", ["--to", "postgres://user:s3cretpw@127.0.0.1:1/x"]],
  [2, "--from is empty", ["--from", "", "--to", "postgres://user:s3cretpw@127.0.0.1:1/x"]],
  [1, "not supported", ["--from", "postgres://user:s3cretpw@127.0.0.1:1/x", "--to", "sqlite:x.sqlite"]],
  [1, "--from must name a SQLite file", ["--from", "x.sqlite", "--to", "postgres://user:s3cretpw@127.0.0.1:1/x"]],
  [1, "--to must be the address", ["--from", "sqlite:x.sqlite", "--to", "mysql://user:s3cretpw@127.0.0.1:1/x"]],
  [1, "--to must be the address", ["--from", "sqlite:x.sqlite", "--to", "user:s3cretpw"]],
  [1, "There is no database at", ["--from", "sqlite:/nowhere/x.sqlite", "--to", "postgres://user:s3cretpw@127.0.0.1:1/x"]],
  [
    1,
    "--to is unreachable: no PostgreSQL server responds at 127.0.0.1:1",
    ["--from", "sqlite:FILE", "--to", "postgres://user:s3cretpw@127.0.0.1:1/x"],
  ],
])("`migrate --from … --to …` exits with %i and one sentence: %s", async (code, sentence, args) => {
  const folder = newFolder();
  const file = join(folder.dataDir, "tessera.sqlite");
  if (args.includes("sqlite:FILE")) await openStore(file).close();
  const ended = await runCommand(
    { DATA_DIR: folder.dataDir },
    "migrate",
    ...args.map((arg) => (arg === "sqlite:FILE" ? `sqlite:${file}` : arg)),
  );
  expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(sentence) });
  expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  expect(ended.stderr).not.toContain("s3cretpw");
});
