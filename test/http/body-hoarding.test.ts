import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { claimOwner } from "../support/people/people.ts";
import { readRaw } from "../support/clients/raw.ts";
import { type TestService, startTestService } from "../support/service.ts";

const BODY_BYTES = 16 * 1_048_576;
/** Two such bodies are a quarter of 128 MiB. */
const MAX_HELD = 2;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(() => service.stop());

/** Declares a long body, sends one byte of it, and keeps the connection open. */
async function holdConnection(path: string, bytes = BODY_BYTES, headers = ""): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${headers}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{`,
  );
  return socket;
}

const readStatus = async (socket: Socket): Promise<number> => readRaw(String((await once(socket, "data"))[0])).status;
const boards = "/api/board/boards";
const withKey = (): string => `X-API-Key: ${service.key}\r\n`;
/** A body long enough to be counted. */
const postLong = (key: string) => service.call("POST", boards, { key, body: { name: "Harbour", unknown: "x".repeat(200_000) } });

async function newKey(): Promise<string> {
  const owner = await claimOwner(service);
  return (await owner.call("POST", "/api/settings/keys", { body: { name: "Other" } })).json.key;
}

test.each(["session", "claim", "invitations/look", "invitations/accept"])(
  "connections without a key that declare a long body to %s are rejected at once and block nobody",
  async (path) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => holdConnection(`/api/settings/${path}`)));
    expect(new Set(await Promise.all(sockets.map(readStatus)))).toEqual(new Set([413]));
    await Promise.all(Array.from({ length: 20 }, () => holdConnection(`/api/settings/${path}`, 64 * 1_024)));
    expect((await postLong(service.key)).status).toBe(200);
  },
);

test("one key can reserve a quarter of the body memory", async () => {
  const other = await newKey();
  const sockets = await Promise.all(Array.from({ length: 20 }, () => holdConnection(boards, BODY_BYTES, withKey())));
  const statuses: number[] = [];
  for (const socket of sockets) void readStatus(socket).then((status) => statuses.push(status));
  await expect.poll(() => statuses.length).toBe(20 - MAX_HELD);
  expect(new Set(statuses)).toEqual(new Set([429]));
  expect((await postLong(service.key)).status).toBe(429);
  expect((await postLong(other)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await postLong(service.key)).status).toBe(200);
});

/** Begins a body of unknown length, and sends some of it. */
async function holdChunked(bytes: number): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const head = `POST ${boards} HTTP/1.1\r\nHost: ${hostname}\r\n${withKey()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.on("error", () => undefined).write(`${head}${bytes.toString(16)}\r\n{"name":"${"x".repeat(bytes - 9)}\r\n`);
  return socket;
}

test("bodies of unknown length count as they arrive", async () => {
  const small = await Promise.all(Array.from({ length: 100 }, () => holdChunked(1_000)));
  expect((await postLong(service.key)).status).toBe(200);
  for (const socket of small) socket.destroy();
  const large = await Promise.all(Array.from({ length: 8 }, () => holdChunked(8_000_000)));
  const statuses: number[] = [];
  for (const socket of large) void readStatus(socket).then((status) => statuses.push(status));
  // Each would count as 8 MiB, so at most four find room; more are refused if all of them grow at once.
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(4);
  expect(new Set(statuses)).toEqual(new Set([429]));
});
