import { afterAll, beforeAll, expect, test } from "vitest";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { pause } from "./support/servers.ts";

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir, LOG_LEVEL: "warn" };
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer(environment);
});
afterAll(async () => {
  await server?.kill("SIGTERM");
  folder.remove();
});

const boards = (key: string) => call(server.url, key, "GET", "/api/board/boards");

test("the command line revokes a key for the next request of a running server, although it was in use, and affects no other key", async () => {
  const { key, apiKey } = await tesseraJson(environment, "key", "create", "--name", "a");
  const { key: other } = await tesseraJson(environment, "key", "create", "--name", "b");
  for (let n = 0; n < 5; n++) expect((await boards(key)).status).toBe(200);
  const { apiKey: revoked } = await tesseraJson(environment, "key", "revoke", apiKey.id);
  expect(revoked).toMatchObject({ id: apiKey.id, revokedAt: expect.any(String) });
  const answer = await boards(key);
  expect({ status: answer.status, json: answer.json }).toEqual({ status: 401, json: { error: "Invalid API key." } });
  expect((await boards(other)).status).toBe(200);
  const again = await tesseraJson(environment, "key", "revoke", apiKey.id);
  expect(again.apiKey.revokedAt).toBe(revoked.revokedAt);
});

test("the command line creates keys and boards that work immediately", async () => {
  const { key } = await tesseraJson(environment, "key", "create", "--name", "c");
  expect((await boards(key)).json.boards).toHaveLength(1);
  const { board } = await tesseraJson(environment, "board", "create", "Tëst 板");
  const listed = (await boards(key)).json.boards;
  expect(listed).toContainEqual(board);
  expect(listed[0].isDefault).toBe(true);
  expect((await call(server.url, key, "POST", `/api/board/${board.id}/tiles`, { content: "here" })).status).toBe(200);
  const { key: scoped } = await tesseraJson(environment, "key", "create", "--name", "scoped", "--board", board.id);
  expect((await boards(scoped)).json).toEqual({ boards: [board] });
  const elsewhere = await call(server.url, scoped, "GET", `/api/board/${listed[0].id}/tiles`);
  expect({ status: elsewhere.status, json: elsewhere.json }).toEqual({
    status: 403,
    json: { error: "This API key is not authorized for this board." },
  });
});

test("the command line sets permissions, and a key sees only its own business", async () => {
  const { key } = await tesseraJson(environment, "key", "create", "--name", "reader", "--permission", "read");
  const [board] = (await boards(key)).json.boards;
  const rejected = await call(server.url, key, "POST", `/api/board/${board.id}/zones`, { name: "no" });
  expect({ status: rejected.status, json: rejected.json }).toEqual({
    status: 403,
    json: { error: "This API key does not have the permission for this operation." },
  });
  const { business } = await tesseraJson(environment, "business", "create", "Second");
  const { key: foreign } = await tesseraJson(environment, "key", "create", "--name", "foreign", "--business", business.id);
  expect((await boards(foreign)).json.boards.map(({ id }: { id: string }) => id)).not.toContain(board.id);
  expect((await call(server.url, foreign, "GET", `/api/board/${board.id}/tiles`)).status).toBe(404);
});

test("the command line lets a key expire at its time", async () => {
  const { key, apiKey } = await tesseraJson(environment, "key", "create", "--name", "short", "--expires", "1m");
  expect(Math.abs(Date.parse(apiKey.expiresAt) - Date.parse(apiKey.createdAt) - 60_000)).toBeLessThan(5_000);
  expect((await boards(key)).status).toBe(200);
  // The clock of another process can't be changed, so change the stored time.
  const { default: Database } = await import("better-sqlite3");
  const db = new Database(folder.path("data/tessera.sqlite"));
  db.prepare("UPDATE api_key SET expires_at = ? WHERE id = ?").run(Date.now() + 300, apiKey.id);
  db.close();
  expect((await boards(key)).status).toBe(200);
  await pause(600);
  expect((await boards(key)).json).toEqual({ error: "Invalid API key." });
});
