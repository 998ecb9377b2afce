import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, it } from "vitest";
import { eventBody, newWebhookSecret } from "#domain/settings/webhook.ts";
import { parseAllow } from "#net/url.ts";
import { createWebhookSender, type WebhookSenderOptions } from "#net/webhook-sender.ts";
import { eventually, startServer, startSocketServer, type TestServer } from "./servers.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const serve = async (listener: RequestListener): Promise<TestServer> => {
  const server = await startServer(listener);
  closers.push(server.close);
  return server;
};

const SECRETS = [newWebhookSecret(), newWebhookSecret()] as const;
const BODY = eventBody("tile.ready", { title: "Grüße 日本 😀" }, "2026-01-01T00:00:00.000Z");

const send = (port: number, options: Partial<WebhookSenderOptions> = {}, url = `http://127.0.0.1:${port}/hook?x=1`) => {
  const sender = createWebhookSender({ allow: parseAllow(`127.0.0.1:${port}`), timeoutMs: 10_000, userAgent: "Tessera/0.1", ...options });
  closers.push(sender.close);
  return sender.send({ id: "evt_1", url, body: BODY, secrets: SECRETS, timestampSeconds: Math.floor(Date.now() / 1000) });
};

it("the webhook sender posts the exact bytes once, with both signatures", async () => {
  const chunks: Buffer[] = [];
  let headers: IncomingHttpHeaders = {};
  const server = await serve((request, response) => {
    headers = request.headers;
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => response.writeHead(204).end());
  });
  expect(await send(server.port)).toMatchObject({ ok: true, responseStatus: 204, responseStart: "", error: null });
  const received = Buffer.concat(chunks);
  expect([received.toString(), server.hits]).toEqual([BODY, ["POST /hook?x=1"]]);
  expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Tessera/0.1", "webhook-id": "evt_1" });
  expect(headers["x-service-signature"]).toBe(createHmac("sha256", SECRETS[0]).update(received).digest("hex"));
  const given = Object.fromEntries(["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, String(headers[name])]));
  for (const secret of SECRETS) expect(new Webhook(secret).verify(received, given)).toEqual(JSON.parse(BODY));
  expect(given["webhook-signature"]?.split(" ")).toHaveLength(2);
});

it.each([400, 404, 500, 503])("the webhook sender reports %i as a failure without a retry", async (status) => {
  const server = await serve((_request, response) => response.writeHead(status).end("no\0\uFFFD"));
  const outcome = await send(server.port);
  expect(outcome).toMatchObject({ ok: false, responseStatus: status, responseStart: "no\uFFFD\uFFFD" });
  expect(outcome.error).toContain(String(status));
  expect(server.hits).toHaveLength(1);
});

it.each([301, 302, 307, 308])("the webhook sender reports %i and does not follow it", async (status) => {
  const server = await serve((_request, response) => response.writeHead(status, { location: "/other" }).end());
  const outcome = await send(server.port);
  expect(outcome).toMatchObject({ ok: false, responseStatus: status });
  expect(outcome.error).toContain("redirects are not followed");
  expect(server.hits).toEqual(["POST /hook?x=1"]);
});

it("the webhook sender ends at the time limit for a receiver that hangs", async () => {
  const server = await serve(() => {});
  const outcome = await send(server.port, { timeoutMs: 300 });
  expect(outcome).toMatchObject({ ok: false, responseStatus: null, responseStart: null });
  expect(outcome.error).toContain("in time");
  expect(outcome.durationMs).toBeGreaterThanOrEqual(290);
  expect(await eventually(() => server.sockets.size === 0)).toBe(true);
  expect(server.hits).toHaveLength(1);
});

it("the webhook sender ends at the time limit for slow headers", async () => {
  const timers: NodeJS.Timeout[] = [];
  const server = await startSocketServer((socket) => {
    timers.push(
      setInterval(() => socket.write("H"), 30_000),
      setInterval(() => socket.write(""), 20),
    );
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nx-slow: "));
    timers.push(setInterval(() => socket.write("x"), 20));
  });
  closers.push(server.close);
  expect(await send(server.port, { timeoutMs: 300 })).toMatchObject({ ok: false });
  for (const timer of timers) clearInterval(timer);
});

it("the webhook sender truncates a slow response at the time limit, and keeps its status", async () => {
  const timers: NodeJS.Timeout[] = [];
  const server = await serve((_request, response) => {
    response.writeHead(200);
    timers.push(setInterval(() => response.write("x"), 20));
  });
  const outcome = await send(server.port, { timeoutMs: 400 });
  expect(outcome).toMatchObject({ ok: true, responseStatus: 200, error: null });
  expect(outcome.responseStart).toMatch(/^x+$/);
  expect(await eventually(() => server.sockets.size === 0)).toBe(true);
  for (const timer of timers) clearInterval(timer);
});

it.each(["ä", "\xff"])("the webhook sender truncates an endless response at 20 KB and closes it (%j)", async (character) => {
  const server = await serve((_request, response) => {
    const chunk = Buffer.from(character.repeat(50_001), character === "\xff" ? "latin1" : "utf8");
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", write);
    write();
  });
  const outcome = await send(server.port);
  expect(outcome.ok).toBe(true);
  const size = Buffer.byteLength(outcome.responseStart ?? "");
  expect(size).toBeGreaterThan(19_900);
  expect(size).toBeLessThanOrEqual(20_000);
  expect(await eventually(() => server.sockets.size === 0)).toBe(true);
});

it("the webhook sender reports a reset connection after one attempt", async () => {
  let connections = 0;
  const server = await startSocketServer((socket) => {
    connections += 1;
    socket.once("data", () => socket.resetAndDestroy());
  });
  closers.push(server.close);
  const outcome = await send(server.port);
  expect(outcome).toMatchObject({ ok: false, responseStatus: null });
  expect(outcome.error).toContain("closed the connection");
  expect(connections).toBe(1);
});

it("the webhook sender rejects a private address, literal or by name, and names the setting", async () => {
  const server = await serve((_request, response) => response.end());
  const literal = await send(server.port, { allow: new Set() });
  expect(literal.error).toContain(`127.0.0.1:${server.port} to WEBHOOK_ALLOW`);
  const named = await send(server.port, { allow: new Set(), resolve: async () => ["127.0.0.1"] }, "http://hook.test:8080/");
  expect(named.error).toContain("hook.test:8080 to WEBHOOK_ALLOW");
  expect([literal.ok, named.ok, server.hits]).toEqual([false, false, []]);
});

it("the webhook sender connects to an allowed name wherever it resolves, and reports a hanging lookup", async () => {
  const server = await serve((_request, response) => response.end("ok"));
  const allow = parseAllow(`n8n:${server.port}`);
  const url = `http://n8n:${server.port}/`;
  expect(await send(server.port, { allow, resolve: async () => ["127.0.0.1"] }, url)).toMatchObject({ ok: true, responseStart: "ok" });
  const hanging = await send(server.port, { allow, resolve: () => new Promise(() => {}), timeoutMs: 200 }, url);
  expect(hanging).toMatchObject({ ok: false, responseStatus: null });
});

it.each(["ftp://a.test/", "http://u:p@a.test/", `https://a.test/${"x".repeat(3000)}`])(
  "the webhook sender reports an invalid address: %s",
  async (url) => {
    expect((await send(1, {}, url)).error).toMatch(/^The webhook's address /);
  },
);

it("the webhook sender reports a request that cannot be made", async () => {
  const sender = createWebhookSender({ allow: parseAllow("127.0.0.1:9"), timeoutMs: 5000, userAgent: "t" });
  closers.push(sender.close);
  const request = { url: "http://127.0.0.1:9/", body: "{}", timestampSeconds: 1 };
  expect(await sender.send({ ...request, id: "a\nb", secrets: SECRETS })).toMatchObject({ ok: false });
  expect(await sender.send({ ...request, id: "a", secrets: [] })).toMatchObject({ ok: false });
});
