import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalServer, listen, until } from "../e2e/support/servers.ts";
import { callAs, MAX_MEMORY_MIB, startVictim, type Victim } from "./support/victim.ts";

const SILENT = "silent.example";
const CALLS = 400;
const MAX_PER_KEY = 128;
const MAX_PER_BUSINESS = 256;
const TIMEOUT_MS = 60_000;

let origin: LocalServer;
let victim: Victim;
let tileId: string;
beforeAll(async () => {
  origin = await listen(() => {});
  victim = await startVictim({
    FETCH_ALLOW: origin.host,
    FETCH_ROUTES: `http://${SILENT}=${origin.url}`,
    INGEST_TIMEOUT_MS: String(10 * TIMEOUT_MS),
  });
  const link = { url: `http://${SILENT}/` };
  tileId = (await callAs(victim, victim.attacker, "POST", `/api/board/${victim.attacker.boardId}/tiles`, link)).json.tile.id;
}, TIMEOUT_MS);
afterAll(async () => {
  await victim.stop();
  await origin.close();
});

/** Sends calls that wait for longer than the test, in turn with these keys, and collects the statuses of those that are answered. */
function sendWaiting(keys: readonly string[]): number[] {
  const statuses: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const caller = { ...victim.attacker, key: keys[n % keys.length] ?? "" };
    callAs(victim, caller, "GET", `/api/board/tiles/${tileId}?wait=60`).then(
      ({ status }) => statuses.push(status),
      // The server is stopped before they end.
      () => {},
    );
  }
  return statuses;
}

test("calls that wait are limited by key and by business, and others are answered", { timeout: TIMEOUT_MS }, async () => {
  const { attacker, other } = victim;
  const ofOneKey = sendWaiting([attacker.key]);
  await until("The calls beyond the limit of the key are refused", () => ofOneKey.length >= CALLS - MAX_PER_KEY);
  expect((await callAs(victim, other, "GET", `/api/board/${other.boardId}/tiles`)).status).toBe(200);
  expect(ofOneKey).toEqual(Array.from({ length: CALLS - MAX_PER_KEY }, () => 429));
  const ofTwoKeys = sendWaiting([await victim.newKey(), await victim.newKey()]);
  const refused = CALLS - (MAX_PER_BUSINESS - MAX_PER_KEY);
  await until("The calls beyond the limit of the business are refused", () => ofTwoKeys.length >= refused);
  expect((await callAs(victim, attacker, "GET", `/api/board/tiles/${tileId}`)).status).toBe(200);
  expect(ofTwoKeys).toEqual(Array.from({ length: refused }, () => 429));
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
});
