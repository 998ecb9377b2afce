import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setWebhook } from "#service/settings/webhooks.ts";
import { type TestService, startTestService } from "../support/service.ts";
import { tesseraJson } from "./support/process.ts";
import { type LocalServer, type Receiver, listen, openReceiver, pause, sendPage, until } from "./support/servers.ts";

const TIMEOUT_MS = 700;

/** Writes `piece` every `step` ms until the client closes the connection. */
function writeRepeatedly(response: ServerResponse, piece: string, step: number, onClosed: () => void): void {
  const timer = setInterval(() => response.write(piece), step);
  response.on("close", () => {
    clearInterval(timer);
    onClosed();
  });
}

let origin: LocalServer;
let receiver: Receiver;
let service: TestService;
const closed = new Set<string>();

beforeAll(async () => {
  origin = await listen((_request, response) => sendPage(response, "A plain page"));
  receiver = await openReceiver((request, response) => {
    const path = request.url ?? "";
    if (path === "/500") return void response.writeHead(500).end("it broke\0 here");
    if (path === "/hang") return;
    if (path === "/reset") return void request.socket.resetAndDestroy();
    if (path === "/302") return void response.writeHead(302, { location: `${receiver.url}/landed` }).end();
    if (path === "/307") return void response.writeHead(307, { location: `${receiver.url}/landed` }).end();
    if (path === "/endless") return writeRepeatedly(response, "x".repeat(4_000), 1, () => closed.add(path));
    if (path === "/drip") return writeRepeatedly(response, "x", 50, () => closed.add(path));
    response.writeHead(204).end();
  });
  service = await startTestService({
    FETCH_ALLOW: origin.host,
    WEBHOOK_ALLOW: receiver.host,
    WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    INGEST_PER_HOST: "8",
  });
});

afterAll(async () => {
  await service?.stop();
  await Promise.all([origin?.close(), receiver?.close()]);
});

/** Sends one event to `path` of the receiver. Returns its entry in the delivery log, read with the command line. */
async function deliverTo(path: string) {
  await setWebhook(service.appContext.deps, service.businessId, { url: receiver.url + path, actor: "operator" });
  const { json } = await service.call("POST", "/api/inbound/tiles", {
    body: { board_id: service.boardId, url: `${origin.url}/${randomUUID()}` },
  });
  const tileId: string = json.tile.id;
  expect((await service.call("GET", `/api/board/tiles/${tileId}?wait=25`)).json.tile.status).toBe("ready");
  const row = await until("the end of the delivery", async () => {
    const [newest] = await service.appContext.deps.store.webhooks.deliveries(service.businessId, 1);
    return newest?.payload.includes(tileId) === true && (newest.status === "failed" || newest.status === "succeeded");
  }).then(async () => (await tesseraJson(service.environment, "webhook", "deliveries")).deliveries[0]);
  await pause(1_500);
  expect(receiver.of(tileId), "exactly one attempt").toHaveLength(1);
  expect(row.body).toBe(receiver.of(tileId)[0]?.body.toString("utf8"));
  expect(row).toMatchObject({
    event: "tile.ready",
    url: receiver.url + path,
    sentAt: expect.any(String),
    durationMs: expect.any(Number),
  });
  expect(JSON.stringify(row)).not.toMatch(/whsec_|signature/i);
  return row;
}

test("a receiver that returns 500 gets one attempt, and the log has the status and the start of the response", async () => {
  expect(await deliverTo("/500")).toMatchObject({
    status: "failed",
    responseStatus: 500,
    responseStart: expect.stringContaining("it broke"),
    error: expect.stringContaining("500"),
  });
});

test("a receiver that never responds gets one attempt, which ends at the time limit", async () => {
  const row = await deliverTo("/hang");
  expect(row).toMatchObject({ status: "failed", responseStatus: null, error: expect.stringContaining("in time") });
  expect(row.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 50);
});

test("a receiver that resets the connection gets one attempt, and the log has the reason", async () => {
  expect(await deliverTo("/reset")).toMatchObject({
    status: "failed",
    responseStatus: null,
    error: expect.stringContaining("closed the connection"),
  });
});

test.each([302, 307])("a redirect of a receiver with %i is not followed", async (status) => {
  expect(await deliverTo(`/${status}`)).toMatchObject({
    status: "failed",
    responseStatus: status,
    error: expect.stringContaining("redirect"),
  });
  expect(receiver.received.filter(({ path }) => path === "/landed")).toHaveLength(0);
});

test("a receiver that responds endlessly is disconnected after 20 KB", async () => {
  const row = await deliverTo("/endless");
  expect(row).toMatchObject({ status: "succeeded", responseStatus: 200 });
  expect(Buffer.byteLength(row.responseStart)).toBeLessThanOrEqual(20_000);
  await until("the end of the connection", () => closed.has("/endless"));
});

test("a receiver that responds slowly is disconnected at the time limit", async () => {
  const row = await deliverTo("/drip");
  expect(row.responseStatus).toBe(200);
  await until("the end of the connection", () => closed.has("/drip"));
});

test("a receiver that returns any 2xx has received the event", async () => {
  expect(await deliverTo("/fine")).toMatchObject({ status: "succeeded", responseStatus: 204, error: null });
});
