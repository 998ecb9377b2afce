import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../e2e/support/commands.ts";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tessera, tesseraJson } from "../e2e/support/process.ts";
import { openReceiver, until } from "../e2e/support/servers.ts";

const contents = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name))] : [],
    ),
  );

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir, LOG_LEVEL: "warn" };
const file = folder.path("backup.sqlite");
const early: string[] = [];
let server: ServerProcess;
let key: string;
let boardId: string;
let late: string;

beforeAll(async () => {
  ({ key } = await tesseraJson(environment, "key", "create", "--name", "backup"));
  server = await startServer(environment);
  boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
});
afterAll(async () => {
  await server?.kill("SIGTERM");
  folder.remove();
});

const create = async (content: string): Promise<string> =>
  (await call(server.url, key, "POST", `/api/board/${boardId}/tiles`, { content })).json.tile.id;
const ids = async (): Promise<string[]> =>
  (await call(server.url, key, "GET", `/api/board/${boardId}/tiles?text=false`)).json.tiles.map(({ id }: { id: string }) => id);

test("a backup during writes is complete and does not block them", { timeout: 300_000 }, async () => {
  for (let n = 0; n < 20; n++) early.push(await create(`early ${n}: the lighthouse keeper rows ashore`));
  const during: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) during.push(await create(`during ${writer} ${n}`));
  });
  await until("load", () => during.length > 50);
  expect(await tesseraJson(environment, "backup", file)).toEqual({ backup: { file } });
  const reached = during.length;
  await until("writes after the copy", () => during.length > reached + 20);
  isOver = true;
  await Promise.all(writers);
  late = await create("late");
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect(await tessera(environment, "backup", file)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("exists already"),
  });
  expect(await runCommand(environment, "backup", folder.path("no/such/folder/x"))).toMatchObject({ code: 1, stdout: "" });
});

test("restore is rejected while a server runs, and for files that are no backup", async () => {
  const refused = await tessera(environment, "restore", file);
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("running") });
  expect(await ids()).toContain(late);
  await server.kill("SIGTERM");
  const rubbish = folder.path("rubbish");
  writeFileSync(rubbish, "not a database".repeat(500));
  expect(await runCommand(environment, "restore", rubbish)).toMatchObject({ code: 1, stdout: "" });
  expect(await runCommand(environment, "restore", folder.path("absent"))).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("absent"),
  });
  writeFileSync(rubbish, readFileSync(file).subarray(0, 60_000));
  const damaged = await runCommand(environment, "restore", rubbish);
  expect(damaged).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^[^\n]*rubbish can't be restored: it is damaged[^\n]*\n$/),
  });
  await tesseraJson(environment, "export", boardId, folder.path("board.jsonl"));
  const exported = await runCommand(environment, "restore", folder.path("board.jsonl"));
  expect(exported).toMatchObject({ code: 1, stderr: expect.stringMatching(/an export of a board.*import NAME .*board\.jsonl"/) });
});

test("restore names the secret key only if the backup has secrets that the present key can't open", { timeout: 60_000 }, async () => {
  const other: Environment = { DATA_DIR: folder.path("other"), LOG_LEVEL: "warn" };
  expect((await tessera(other, "restore", file)).stdout).not.toContain("secret.key");
  const { code, stdout } = await runCommand(other, "doctor");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok +secret key +the next start creates .*secret\.key/m)]);
  await tesseraJson(environment, "webhook", "set", "https://hooks.example.com/tessera");
  await tesseraJson(environment, "backup", folder.path("sealed.sqlite"));
  expect((await tessera(environment, "restore", folder.path("sealed.sqlite"))).stdout).not.toContain("secret.key");
  const sealed = await tessera(other, "restore", folder.path("sealed.sqlite"));
  expect(sealed).toMatchObject({ code: 0, stdout: expect.stringMatching(/secret\.key is missing.*webhook rotate/) });
});

test("restore replaces the database after a stop and keeps the old one, and the server works on it", { timeout: 300_000 }, async () => {
  const { restore } = await tesseraJson(environment, "restore", file);
  expect(restore).toMatchObject({ file, kept: expect.stringContaining(folder.dataDir), replaced: "read", changes: [] });
  expect(statSync(restore.kept).size).toBeGreaterThan(0);
  server = await startServer(environment);
  const restored = await ids();
  expect(restored).toEqual(expect.arrayContaining(early));
  expect(restored).not.toContain(late);
  const found = await until("the search index", async () => {
    const { json } = await call(server.url, key, "GET", `/api/board/${boardId}/search?q=lighthouse%20keeper`);
    return json.results.length > 0 ? json.results : undefined;
  });
  expect(early).toContain(found[0].tileId);
  expect(await create("after")).toMatch(/^til_/);
  expect((await runCommand(environment, "doctor")).code).toBe(0);
});

test(
  "a sync token from before a restore returns everything, even after as many new writes",
  {
    timeout: 300_000,
  },
  async () => {
    const folder = makeFolder();
    const environment: Environment = { DATA_DIR: folder.dataDir, LOG_LEVEL: "warn" };
    const { key } = await tesseraJson(environment, "key", "create", "--name", "sync");
    const { boards } = await tesseraJson(environment, "board", "list");
    const path = `/api/board/${boards[0].id}/tiles`;
    let server = await startServer(environment);
    const create = (content: string) => call(server.url, key, "POST", path, { content });
    const sync = async (token: string) => (await call(server.url, key, "GET", `${path}?text=false&sync_token=${token}`)).json;
    try {
      await create("kept");
      await tesseraJson(environment, "backup", folder.path("backup"));
      await create("gone with the restore");
      const { syncToken } = await sync("0");
      expect(await sync(syncToken)).toMatchObject({ tiles: [], complete: false });
      await server.kill("SIGTERM");
      await tesseraJson(environment, "restore", folder.path("backup"));
      server = await startServer(environment);
      for (let n = 0; n < 3; n++) await create(`after ${n}`);
      const whole = await sync(syncToken);
      expect([whole.complete, whole.tiles.length]).toEqual([true, 4]);
      await create("one more");
      const changed = await sync(whole.syncToken);
      expect([changed.complete, changed.tiles.length]).toEqual([false, 1]);
    } finally {
      await server.kill("SIGKILL");
      folder.remove();
    }
  },
);

test("secrets shown once do not appear in the data directory, backups, exports or the log", { timeout: 300_000 }, async () => {
  const folder = makeFolder();
  const receiver = await openReceiver();
  const environment: Environment = { DATA_DIR: folder.dataDir, LOG_LEVEL: "debug", WEBHOOK_ALLOW: receiver.host };
  const { key } = await tesseraJson(environment, "key", "create", "--name", "once");
  const server = await startServer(environment);
  try {
    const { key: second } = await tesseraJson(environment, "key", "create", "--name", "while it runs");
    const { webhook } = await tesseraJson(environment, "webhook", "set", receiver.url);
    const { webhook: rotated } = await tesseraJson(environment, "webhook", "rotate");
    const { boards } = (await call(server.url, key, "GET", "/api/board/boards")).json;
    await call(server.url, second, "POST", `/api/board/${boards[0].id}/tiles`, { content: "The words of a tile stand in the file." });
    await tesseraJson(environment, "backup", folder.path("backup"));
    await tesseraJson(environment, "export", boards[0].id, folder.path("export"));
    const bytes = Buffer.concat([contents(folder.dataDir), readFileSync(folder.path("backup")), readFileSync(folder.path("export"))]);
    const log = server.stdout() + server.stderr();
    expect(bytes.includes("The words of a tile stand in the file.")).toBe(true);
    const shown = [key, second, webhook.secret, rotated.secret].flatMap((secret: string) => [
      secret,
      secret.slice(-20),
      secret.replace("whsec_", ""),
    ]);
    const decoded = [webhook.secret, rotated.secret].map((secret: string) => Buffer.from(secret.slice(6), "base64"));
    for (const secret of [...shown, ...decoded]) expect(bytes.includes(secret)).toBe(false);
    for (const secret of shown) expect(log.includes(secret)).toBe(false);
  } finally {
    await server.kill("SIGKILL");
    await receiver.close();
  }
  folder.remove();
});
