import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRaw } from "../support/clients/raw.ts";
import { type TestService, startTestService } from "../support/service.ts";

const MAX_PER_KEY = 20;
const MAX_PER_BUSINESS = 1_000;
const MAX_SHARED = 1_500;

let service: TestService;
const sockets: Socket[] = [];
beforeAll(async () => {
  service = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

/** Opens a stream that stays open until the test ends. Returns the status and, of a refusal, the code and the message. */
async function follow(key: string, boardId: string): Promise<{ status: number; text: string }> {
  const { host, hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  sockets.push(socket);
  socket.write(`GET /api/board/${boardId}/events HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n\r\n`);
  const [data] = await once(socket, "data");
  const { status, body } = readRaw(String(data));
  return { status, text: body };
}

/** Opens streams with as many keys as they need, and expects that all are open. */
async function occupy(businessId: string, boardId: string, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += MAX_PER_KEY) {
    const { key } = await service.newKey({ businessId });
    const all = await Promise.all(Array.from({ length: MAX_PER_KEY }, () => follow(key, boardId)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  }
}

test("one business can't take all places of event streams, and a business without any finds one", { timeout: 120_000 }, async () => {
  const { businessId, boardId } = service;
  await occupy(businessId, boardId, MAX_PER_BUSINESS);
  const refused = await follow((await service.newKey({ businessId })).key, boardId);
  expect(refused).toMatchObject({ status: 429, text: expect.stringContaining("Too many streams of this business are open.") });

  const second = await service.newBusiness("Second");
  await occupy(second.businessId, second.boardId, MAX_SHARED - MAX_PER_BUSINESS);
  const third = await service.newBusiness("Third");
  const { key } = await service.newKey({ businessId: third.businessId });
  expect(await follow(key, third.boardId)).toMatchObject({ status: 200 });
  expect(await follow(key, third.boardId)).toMatchObject({ status: 503, text: expect.stringContaining("Too many streams are open on") });
});
