import { afterAll, expect, test } from "vitest";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tesseraJson } from "./support/process.ts";
import { type LocalServer, listen, openReceiver, sendPage, until } from "./support/servers.ts";

const folder = makeFolder();
const servers: ServerProcess[] = [];
let origin: LocalServer;

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  await origin?.close();
  folder.remove();
});

test("an API process and a worker process share their data", { timeout: 300_000 }, async () => {
  origin = await listen((_request, response) => sendPage(response, "A page for the worker"));
  const receiver = await openReceiver();
  const environment: Environment = { DATA_DIR: folder.dataDir, FETCH_ALLOW: origin.host, WEBHOOK_ALLOW: receiver.host };
  const { key } = await tesseraJson(environment, "key", "create", "--name", "roles");
  await tesseraJson(environment, "webhook", "set", receiver.url);
  const api = await startServer({ ...environment, ROLE: "api" });
  servers.push(api);
  const [board] = (await call(api.url, key, "GET", "/api/board/boards")).json.boards;
  const { json } = await call(api.url, key, "POST", "/api/inbound/tiles", { board_id: board.id, url: `${origin.url}/a` });
  const first = await call(api.url, key, "GET", `/api/board/tiles/${json.tile.id}?wait=1`);
  expect(first.json.tile.status).toBe("processing");

  const worker = await startServer({ ...environment, ROLE: "worker" });
  const secondApi = await startServer({ ...environment, ROLE: "api" });
  servers.push(worker, secondApi);
  const waited = await call(api.url, key, "GET", `/api/board/tiles/${json.tile.id}?wait=25`);
  expect(waited.json.tile).toMatchObject({ status: "ready", title: "A page for the worker" });
  const again = await call(secondApi.url, key, "POST", "/api/inbound/tiles", { board_id: board.id, url: `${origin.url}/b` });
  expect((await call(api.url, key, "GET", `/api/board/tiles/${again.json.tile.id}?wait=25`)).json.tile.status).toBe("ready");
  await until("both events", () => receiver.received.length === 2);
  const answer = await until("an answer from the tile that the worker indexed", async () => {
    const { json: asked } = await call(api.url, key, "POST", `/api/board/${board.id}/ask`, { question: "When was the harbour dredged?" });
    return asked.answered === true ? asked : undefined;
  });
  expect(answer.citations[0].quote).toContain("dredged in the spring");
  expect((await fetch(`${worker.url}/health/ready`)).status).toBe(200);
  expect((await call(worker.url, key, "GET", "/api/board/boards")).status).toBe(404);
  await receiver.close();
});
