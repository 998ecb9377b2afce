import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readRaw } from "../support/clients/raw.ts";
import { type TestService, startTestService } from "../support/service.ts";

const MIB = 1_048_576;
const SLICE_BYTES = MIB;
const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(() => service.stop());

type Call = { readonly socket: Socket; readonly status: Promise<number>; readonly body: Buffer; sent: number };

async function open(path: string, type: string, text: string): Promise<Call> {
  const body = Buffer.from(text);
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const status = once(socket, "data").then(([data]) => readRaw(String(data)).status);
  const headers = `X-API-Key: ${service.key}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${headers}\r\n`);
  return { socket, status, body, sent: 0 };
}

/** Sends the bodies over one line, a slice of each in turn, until the server takes no more of them. */
async function sendSlowly(calls: readonly Call[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { status } of calls) void status.then((one) => statuses.push(one));
  while (statuses.length < calls.length) {
    for (const call of calls) {
      if (call.sent === call.body.length || call.socket.writableNeedDrain) continue;
      const slice = call.body.subarray(call.sent, call.sent + SLICE_BYTES);
      call.sent += slice.length;
      call.socket.write(slice);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return statuses;
}

test("four batches of 14 MB at once are received one after another, as many as the share of a key holds", async () => {
  const text = JSON.stringify({ tiles: Array.from({ length: 20 }, () => ({ content: "harbour ".repeat(87_500) })) });
  const calls = await Promise.all(Array.from({ length: 4 }, () => open("/api/inbound/tiles/batch", "application/json", text)));
  expect(await sendSlowly(calls)).toEqual([200, 200, 200, 200]);
});

test("more uploads at once than the share of a key holds are all received", async () => {
  const text = `${FORM_START}${"Harbour. ".repeat(300_000)}\r\n--b--\r\n`;
  const path = `/api/board/${service.boardId}/files`;
  const calls = await Promise.all(Array.from({ length: 24 }, () => open(path, "multipart/form-data; boundary=b", text)));
  expect(new Set(await sendSlowly(calls))).toEqual(new Set([200]));
});

test("while the bodies of a key wait, another key of the business sends its own", async () => {
  const waiting = await Promise.all(Array.from({ length: 8 }, () => open("/api/board/boards", "application/json", "x".repeat(14 * MIB))));
  for (const { socket } of waiting) socket.write("{");
  const { key } = await service.newKey();
  const body = { content: "x".repeat(900_000) };
  expect((await service.call("POST", `/api/board/${service.boardId}/tiles`, { key, body })).status).toBe(200);
});
