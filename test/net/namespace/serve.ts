import { call, makeFolder, startServer, tesseraJson } from "../../e2e/support/process.ts";

/** Starts the real service with links to a name whose addresses all fail, and prints their final status. */
const LINKS = ["https://two.example/a", "http://two.example/b", "https://two.example/c"];
const folder = makeFolder();
const environment = { DATA_DIR: folder.dataDir, INGEST_ATTEMPTS: "1", LOG_LEVEL: "warn" };
const server = await startServer(environment);
try {
  const { key } = await tesseraJson(environment, "key", "create", "--name", "test");
  const boardId = (await call(server.url, key, "GET", "/api/board/boards")).json.boards[0].id;
  const ids: string[] = [];
  for (const url of LINKS) ids.push((await call(server.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url })).json.tile.id);
  const codes: string[] = [];
  for (const id of ids) codes.push((await call(server.url, key, "GET", `/api/board/tiles/${id}?wait=20`)).json.tile.error?.code);
  const health = (await call(server.url, null, "GET", "/health/live")).status;
  const { code } = await server.kill("SIGTERM");
  process.stdout.write(`${JSON.stringify({ codes, health, code })}\n`);
} finally {
  await server.kill("SIGKILL");
  folder.remove();
}
