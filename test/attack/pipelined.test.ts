import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { formatRequest, openUnread, readStatuses } from "./support/unread.ts";
import { MAX_MEMORY_MIB, callAs, startVictim, timeDuring, type Victim } from "./support/victim.ts";

const CONTENT = "harbour ".repeat(25_000);
const TIMEOUT_MS = 60_000;
const BODY_BYTES = 15_500_000;

let victim: Victim;
let listing: string;
let events: string;
beforeAll(async () => {
  victim = await startVictim();
  listing = `/api/board/${victim.attacker.boardId}/tiles`;
  events = formatRequest(`/api/board/${victim.attacker.boardId}/events`, withKey());
  for (let made = 0; made < 20; made++)
    expect((await callAs(victim, victim.attacker, "POST", listing, { content: CONTENT })).status).toBe(200);
}, TIMEOUT_MS);
afterAll(() => victim.stop());

const withKey = (): Record<string, string> => ({ "x-api-key": victim.attacker.key });
const readOther = () => callAs(victim, victim.other, "GET", `/api/board/${victim.other.boardId}/tiles`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function send(count: number, bytes: string) {
  const connections = await openUnread(victim, count, bytes);
  onTestFinished(() => connections.close());
  return connections;
}

test("1,500 pipelined listings on one connection take little memory", { timeout: TIMEOUT_MS }, async () => {
  await send(1, formatRequest(listing, withKey()).repeat(1_500));
  await timeDuring(pause(1_000), readOther);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test("1,500 pipelined requests are all answered once the client reads", { timeout: TIMEOUT_MS }, async () => {
  const connections = await send(1, formatRequest(`${listing}?text=false&limit=1`, withKey()).repeat(1_500));
  await pause(500);
  expect(await readStatuses(connections, 3_000)).toEqual({ 200: 1_500 });
});

test("requests that wait for others of their connection take little memory", { timeout: TIMEOUT_MS }, async () => {
  // The streams do not end, so that everything after them waits.
  await send(4, events.repeat(4) + "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20_000));
  await send(200, "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20_000));
  await timeDuring(pause(1_000), readOther);
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});

test("a body behind another request is no longer counted when its connection is closed", { timeout: TIMEOUT_MS }, async () => {
  const headers = { ...withKey(), "content-type": "application/json", "content-length": String(BODY_BYTES) };
  const body = `${formatRequest("/api/board/boards", headers, "POST")}{`;
  for (let round = 0; round < 3; round++) {
    const connections = await openUnread(victim, 4, events + body);
    await pause(300);
    connections.close();
    await pause(100);
  }
  const long = { name: "Harbour", unknown: "x".repeat(BODY_BYTES) };
  const post = async () => (await callAs(victim, victim.attacker, "POST", "/api/board/boards", long)).status;
  await expect.poll(post, { timeout: 10_000 }).toBe(200);
});
