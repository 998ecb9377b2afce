import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../e2e/support/servers.ts";
import { type Environment, type ServerProcess, call, makeFolder, startServer, tessera, tesseraJson } from "../e2e/support/process.ts";

const folder = makeFolder();
const environment: Environment = { DATA_DIR: folder.dataDir, LOG_LEVEL: "info", BASE_URL: "https://tessera.example.com" };
let server: ServerProcess;
let boardId: string;

beforeAll(async () => {
  server = await startServer(environment);
  [{ id: boardId }] = (await tesseraJson(environment, "board", "list")).boards;
});
afterAll(async () => {
  await server?.kill("SIGTERM");
  folder.remove();
});

const create = (...more: string[]) =>
  tesseraJson(environment, "inbound-address", "create", "--name", "Sender", "--board", boardId, ...more);
const post = (url: string, body: object, headers = {}) => call(server.url, null, "POST", new URL(url).pathname, body, headers);

test("the command line creates, lists and revokes inbound addresses of a running server, and no log has their tokens", async () => {
  const { inboundAddress, url } = await create("--tag", "a", "--tag", "b", "--tag", "A");
  expect(url).toMatch(/^https:\/\/tessera\.example\.com\/in\/tsi_[\w-]{43}$/);
  expect(inboundAddress).toMatchObject({ name: "Sender", boardId, zoneId: null, tags: ["a", "b"], signature: null, createdBy: "operator" });
  expect((await post(url, { text: "sent" })).status).toBe(200);
  expect((await post(url, { foo: 1 })).status).toBe(400);
  expect((await tesseraJson(environment, "inbound-address", "list")).inboundAddresses).toMatchObject([{ id: inboundAddress.id }]);
  expect(await tesseraJson(environment, "inbound-address", "revoke", inboundAddress.id)).toEqual({ revoked: true });
  expect((await post(url, { text: "sent" })).status).toBe(404);
  await call(server.url, null, "GET", `${new URL(url).pathname}?x=${url}`);
  // The log is written in the background. The last call is the only one with 405.
  await until("the log of the last call", () => server.stdout().includes('"status":405'));
  const log = server.stdout() + server.stderr();
  expect(log).toContain(`"address":"${inboundAddress.id}"`);
  expect(log).toContain("/in/:token");
  expect(log).not.toContain(url.split("/in/")[1]);
});

test("without BASE_URL, the address is one that this machine reaches", async () => {
  const local = { ...environment, BASE_URL: "", HOST: "0.0.0.0", PORT: "3123" };
  const { url } = await tesseraJson(local, "inbound-address", "create", "--name", "Local", "--board", boardId);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3123\/in\/tsi_/);
});

test("the command line creates an inbound address with a signature", async () => {
  const { inboundAddress, url } = await create(
    "--signature-header",
    "X-Sig",
    "--signature-secret",
    "s",
    "--signature-prefix",
    "v1=",
    "--signature-encoding",
    "base64",
  );
  expect(inboundAddress.signature).toEqual({ header: "x-sig", encoding: "base64", prefix: "v1=" });
  expect(JSON.stringify(inboundAddress)).not.toContain("sealed");
  expect((await post(url, { text: "sent" })).status).toBe(401);
});

test.each([
  [["create", "--board", "brd_x"], 2, "--name is required"],
  [["create", "--name", "x"], 2, "--board is required"],
  [["create", "--name", "x", "--board", "brd_x"], 1, "Board not found."],
  [["create", "--name", "x", "--board", "brd_x", "--tag", " "], 2, "--tag is empty."],
  [["create", "--name", "x", "--board", "brd_x", "--signature-header", "X"], 2, "go together"],
  [["create", "--name", "x", "--board", "brd_x", "--signature-prefix", "v1="], 2, "needs --signature-header"],
  [["create", "--name", "x", "--board", "brd_x", "--signature-header", "X Y", "--signature-secret", "s"], 2, "name of a header"],
  [
    ["create", "--name", "x", "--board", "brd_x", "--signature-header", "X", "--signature-secret", "s", "--signature-encoding", "b"],
    2,
    "one of hex, base64",
  ],
  [["revoke", "iba_none"], 1, "Inbound address not found."],
])("the command line refuses inbound-address %j", async (args, code, message) => {
  const result = await tessera(environment, "inbound-address", ...args);
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)]);
});
