import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../e2e/support/commands.ts";
import { call, type Environment, makeFolder, type ServerProcess, startServer, tesseraJson } from "../e2e/support/process.ts";
import { openReceiver, type Receiver, until } from "../e2e/support/servers.ts";

const folder = makeFolder();
let environment: Environment;
let receiver: Receiver;
let server: ServerProcess;
const reply = { status: 500 };
beforeAll(async () => {
  receiver = await openReceiver((_request, response) => void response.writeHead(reply.status).end());
  environment = { DATA_DIR: folder.dataDir, WEBHOOK_ALLOW: receiver.host };
  server = await startServer(environment);
});
afterAll(async () => {
  await server.kill("SIGKILL");
  await receiver.close();
  folder.remove();
});

test("webhooks of a key are listed, their failed deliveries sent again, and deleted", async () => {
  const { key, apiKey } = await tesseraJson(environment, "key", "create", "--name", "n8n", "--webhooks");
  expect(apiKey.webhooks).toBe(true);
  const body = { url: `${receiver.url}/hook`, events: ["tile.created"], retries: false };
  const { webhook } = (await call(server.url, key, "POST", "/api/webhooks", body)).json;
  const { webhooks } = await tesseraJson(environment, "subscription", "list");
  expect(webhooks).toMatchObject([{ id: webhook.id, status: "active", owner: { kind: "key", name: "n8n" } }]);
  expect((await runCommand(environment, "subscription", "list")).stdout).toBe(
    `${webhook.id}  active  ${receiver.url}/hook  tile.created  n8n\n`,
  );
  const { boards } = await tesseraJson(environment, "board", "list");
  await call(server.url, key, "POST", `/api/board/${boards[0].id}/tiles`, { title: "One", content: "A note" });
  const listFailed = async () =>
    (await call(server.url, key, "GET", `/api/webhooks/${webhook.id}/deliveries?status=failed`)).json.deliveries;
  await until("the failure", async () => (await listFailed()).length === 1);
  const log = ["webhook", "deliveries", "--webhook", webhook.id];
  expect(await tesseraJson(environment, "webhook", "deliveries")).toEqual({ deliveries: [] });
  const [failed] = (await tesseraJson(environment, ...log)).deliveries;
  expect(failed).toMatchObject({ status: "failed", attempts: 1, nextAttemptAt: null, attemptLog: [{ responseStatus: 500 }] });
  expect((await runCommand(environment, ...log)).stdout).toBe(`${failed.createdAt}  ${failed.id}  tile.created  failed  1 attempt  500\n`);
  reply.status = 200;
  const args = ["webhook", "redeliver", "--failed", "--since", "1h"];
  expect(await runCommand(environment, ...args)).toMatchObject({ code: 1, stderr: "Webhook not found.\n" });
  expect((await runCommand(environment, ...args, "--webhook", webhook.id)).stdout).toBe("1 delivery is sent again.\n");
  await until("the delivery", () => receiver.received.length === 2);
  const again = ["webhook", "redeliver", failed.id];
  expect(await runCommand(environment, ...again)).toMatchObject({ code: 1, stderr: "Webhook not found.\n" });
  expect((await runCommand(environment, ...again, "--webhook", webhook.id)).stdout).toMatch(/^Recorded as dlv_/);
  await until("the second delivery", () => receiver.received.length === 3);
  expect(await tesseraJson(environment, "subscription", "delete", webhook.id)).toEqual({ deleted: true });
  expect(await tesseraJson(environment, "subscription", "list")).toEqual({ webhooks: [] });
  expect(await runCommand(environment, "subscription", "delete", webhook.id)).toMatchObject({ code: 1, stderr: "Webhook not found.\n" });
});

test("deliveries that are tried again show their attempts and the next one", async () => {
  const { boards } = await tesseraJson(environment, "board", "list");
  const { key } = await tesseraJson(environment, "key", "create", "--name", "Make", "--webhooks");
  reply.status = 503;
  const { webhook } = (await call(server.url, key, "POST", "/api/webhooks", { url: receiver.url, events: ["tile.created"] })).json;
  await call(server.url, key, "POST", `/api/board/${boards[0].id}/tiles`, { title: "Two", content: "A note" });
  const log = ["webhook", "deliveries", "--webhook", webhook.id];
  const retrying = await until("the first attempt", async () => {
    const [delivery] = (await tesseraJson(environment, ...log)).deliveries;
    return delivery?.status === "retrying" && delivery;
  });
  expect(retrying).toMatchObject({ attempts: 1, nextAttemptAt: expect.stringMatching(/Z$/) });
  expect((await runCommand(environment, ...log)).stdout).toMatch(/ {2}retrying {2}\d attempts?, next \S+Z {2}503\n$/);
});

test.each([
  [["webhook", "redeliver"], /^Name the id of a delivery/],
  [["webhook", "redeliver", "--failed"], /^--failed needs --since/],
  [["webhook", "redeliver", "dlv_1", "--failed", "--since", "1h"], /^--failed takes no id/],
])("%j is refused", async (args, message) => {
  expect(await runCommand(environment, ...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
});
