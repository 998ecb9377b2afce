import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EventType } from "#domain/settings/webhook.ts";
import { rotateWebhook, setWebhook } from "#service/settings/webhooks.ts";
import { type TestService, startTestService } from "../support/service.ts";
import { tessera, tesseraJson } from "./support/process.ts";
import { type LocalServer, type Receiver, listen, openReceiver, pause, sendPage, until } from "./support/servers.ts";
import { isSignedAsSpecified, isSignedByStandard } from "./support/verify.ts";

const UNICODE = 'Ünïcode — 日本語 🚀 "quoted" & <tags> \u2028 \u{1F469}\u200D\u{1F52C}';

let origin: LocalServer;
let receiver: Receiver;
let service: TestService;
/** Pending responses of the origin, which the test releases. */
const held: (() => void)[] = [];

beforeAll(async () => {
  origin = await listen((request, response) => {
    const path = request.url ?? "";
    if (path.startsWith("/missing")) return void response.writeHead(404).end("gone");
    if (path.startsWith("/held")) return void held.push(() => sendPage(response, "Held back"));
    sendPage(response, path.startsWith("/unicode") ? UNICODE : "A plain page");
  });
  receiver = await openReceiver();
  service = await startTestService({
    FETCH_ALLOW: origin.host,
    WEBHOOK_ALLOW: receiver.host,
    INGEST_PER_HOST: "8",
    INGEST_ATTEMPTS: "1",
  });
});

afterAll(async () => {
  for (const release of held) release();
  await service?.stop();
  await Promise.all([origin?.close(), receiver?.close()]);
});

const useWebhook = async (events?: readonly EventType[]): Promise<string> =>
  (
    await setWebhook(service.appContext.deps, service.businessId, {
      url: `${receiver.url}/hook`,
      actor: "operator",
      ...(events === undefined ? {} : { events }),
    })
  ).secret;

async function postLink(path: string, more: object = {}): Promise<string> {
  const body = { board_id: service.boardId, url: `${origin.url}${path}?${randomUUID()}`, ...more };
  const { status, json, text } = await service.call("POST", "/api/inbound/tiles", { body });
  if (status !== 200) throw new Error(text);
  return json.tile.id;
}
const settled = async (tileId: string) => (await service.call("GET", `/api/board/tiles/${tileId}?wait=25`)).json.tile;
const waitForEvent = (tileId: string) => until(`the event of ${tileId}`, () => receiver.of(tileId)[0]);

test("events about tiles have the specified envelope, and a signature of their exact bytes, also with Unicode titles", async () => {
  const secret = await useWebhook();
  const titledByPage = await postLink("/unicode");
  const edited = await postLink("/plain", { title: UNICODE });
  for (const tileId of [titledByPage, edited]) {
    const tile = await settled(tileId);
    const event = await waitForEvent(tileId);
    const text = event.body.toString("utf8");
    const value = JSON.parse(text);
    expect(Object.keys(value)).toEqual(["event", "payload", "sentAt"]);
    expect(value.event).toBe("tile.ready");
    expect(value.payload).toEqual({ tileId, boardId: service.boardId, title: tile.title, type: "WEBSITE" });
    expect(value.sentAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.now() - Date.parse(value.sentAt))).toBeLessThan(60_000);
    expect(value.payload.title).toContain("日本語 🚀");
    expect(event.method).toBe("POST");
    expect(event.path).toBe("/hook");
    expect(event.headers["content-type"]).toBe("application/json");
    expect(Number(event.headers["content-length"])).toBe(event.body.length);
    expect(isSignedAsSpecified(event, secret)).toBe(true);
    expect(isSignedByStandard(event, secret)).toBe(true);
    const tampered = Buffer.from(event.body);
    tampered[tampered.length - 3] = (tampered[tampered.length - 3] ?? 0) ^ 1;
    expect(isSignedAsSpecified({ ...event, body: tampered }, secret)).toBe(false);
    expect(isSignedByStandard({ ...event, body: tampered }, secret)).toBe(false);
  }
  expect((await settled(edited)).title).toBe(UNICODE);
});

test("events about tiles are not sent for text tiles, deleted tiles and tiles with an edited text", async () => {
  await useWebhook();
  const inboundText = (await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, content: "hello" } })).json
    .tile.id;
  const boardText = (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "hello" } })).json.tile.id;
  const before = held.length;
  const deleted = await postLink("/held");
  const edited = await postLink("/held");
  await until("both fetches", () => held.length === before + 2);
  expect((await service.call("DELETE", `/api/board/tiles/${deleted}`)).json).toEqual({ ok: true });
  const patched = await service.call("PATCH", `/api/board/tiles/${edited}`, { body: { content: "Written by hand." } });
  expect(patched.json.tile).toMatchObject({ status: "ready", rawContent: "Written by hand.", extractedText: "Written by hand." });
  for (const release of held.splice(0)) release();
  const marker = await postLink("/plain");
  await waitForEvent(marker);
  await pause(1_000);
  for (const tileId of [inboundText, boardText, deleted, edited]) expect(receiver.of(tileId)).toHaveLength(0);
  expect((await service.call("GET", `/api/board/tiles/${deleted}`)).status).toBe(404);
  expect((await settled(edited)).extractedText).toBe("Written by hand.");
});

test("events about tiles report failures only if tile.failed is enabled", async () => {
  await useWebhook();
  const before = await postLink("/missing");
  expect((await settled(before)).status).toBe("failed");
  const { webhook } = await tesseraJson(
    service.environment,
    "webhook",
    "set",
    `${receiver.url}/hook`,
    "--events",
    "tile.ready,tile.failed",
  );
  const after = await postLink("/missing");
  const tile = await settled(after);
  expect(tile.status).toBe("failed");
  const event = await waitForEvent(after);
  expect(JSON.parse(event.body.toString("utf8"))).toMatchObject({
    event: "tile.failed",
    payload: { tileId: after, boardId: service.boardId, title: tile.title, type: "WEBSITE" },
  });
  expect(isSignedAsSpecified(event, webhook.secret)).toBe(true);
  expect(receiver.of(before)).toHaveLength(0);
});

test("events about tiles do not report a retried tile as ready again", async () => {
  await useWebhook();
  const tileId = await postLink("/plain");
  await waitForEvent(tileId);
  expect((await service.call("POST", `/api/board/tiles/${tileId}/retry`)).status).toBe(200);
  expect((await settled(tileId)).status).toBe("ready");
  await pause(700);
  expect(receiver.of(tileId)).toHaveLength(1);
});

test("events about tiles are signed with the new secret after a rotation, and the standard header matches both secrets during the overlap", async () => {
  const first = await useWebhook();
  const { webhook } = await tesseraJson(service.environment, "webhook", "rotate", "--overlap", "1h");
  const second: string = webhook.secret;
  expect(second).not.toBe(first);
  const during = await waitForEvent(await postLink("/plain"));
  expect(isSignedAsSpecified(during, second)).toBe(true);
  expect(isSignedAsSpecified(during, first)).toBe(false);
  expect(isSignedByStandard(during, second)).toBe(true);
  expect(isSignedByStandard(during, first)).toBe(true);

  const { secret: third } = await rotateWebhook(service.appContext.deps, service.businessId, 0, "operator");
  const after = await waitForEvent(await postLink("/plain"));
  expect(isSignedAsSpecified(after, third)).toBe(true);
  expect(isSignedByStandard(after, third)).toBe(true);
  for (const earlier of [first, second]) {
    expect(isSignedAsSpecified(after, earlier)).toBe(false);
    expect(isSignedByStandard(after, earlier)).toBe(false);
  }
});

test("events about tiles can be redelivered as a new delivery with the same payload", async () => {
  const secret = await useWebhook();
  const tileId = await postLink("/plain");
  await waitForEvent(tileId);
  const find = async () =>
    (await tesseraJson(service.environment, "webhook", "deliveries")).deliveries.filter(({ body }: { body: string | null }) =>
      body?.includes(tileId),
    );
  const [earlier] = await until("the delivery in the log", async () => ((await find()).length === 1 ? find() : undefined));
  expect(earlier).toMatchObject({ event: "tile.ready", status: "succeeded", responseStatus: 200, responseStart: "ok", error: null });
  const { delivery } = await tesseraJson(service.environment, "webhook", "redeliver", earlier.id);
  expect(delivery.id).not.toBe(earlier.id);
  const [one, two] = await until("the second delivery", () => (receiver.of(tileId).length === 2 ? receiver.of(tileId) : undefined));
  expect(two?.headers["webhook-id"]).toBe(delivery.id);
  expect(JSON.parse(String(two?.body)).payload).toEqual(JSON.parse(String(one?.body)).payload);
  expect(two !== undefined && isSignedAsSpecified(two, secret)).toBe(true);
  const { code, stderr } = await tessera(service.environment, "webhook", "redeliver", "dlv_unknown");
  expect({ code, stderr }).toEqual({ code: 1, stderr: "Delivery not found.\n" });
});

test("events about tiles cannot be sent to a private address, whose rejection names the setting that allows it", async () => {
  const { WEBHOOK_ALLOW: _removed, ...closed } = service.environment;
  for (const environment of [closed, { ...closed, FETCH_ALLOW: receiver.host }]) {
    const { code, stdout, stderr } = await tessera(environment, "webhook", "set", receiver.url, "--json");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("WEBHOOK_ALLOW");
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
  const secret = await useWebhook();
  const event = await waitForEvent(await postLink("/plain"));
  expect(isSignedAsSpecified(event, secret)).toBe(true);
});

test("events about tiles are not sent after the webhook was removed", async () => {
  await useWebhook();
  expect(await tesseraJson(service.environment, "webhook", "clear")).toEqual({ cleared: true });
  const tileId = await postLink("/plain");
  expect((await settled(tileId)).status).toBe("ready");
  await pause(700);
  expect(receiver.of(tileId)).toHaveLength(0);
});
