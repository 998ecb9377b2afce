import { afterAll, beforeAll, expect, test } from "vitest";
import { callAs, MAX_MEMORY_MIB, startVictim, type Victim } from "./support/victim.ts";

const BODY = `{"name": "${"x".repeat(15_500_000)}`;
const ATTACK_MS = 6_000;

let victim: Victim;
beforeAll(async () => {
  victim = await startVictim();
});
afterAll(() => victim.stop());

test("bodies that fail while they are parsed do not stay in memory", async () => {
  const { server, attacker } = victim;
  const end = performance.now() + ATTACK_MS;
  while (performance.now() < end) {
    const response = await fetch(`${server.url}/api/board/boards`, {
      method: "POST",
      headers: { "x-api-key": attacker.key, "content-type": "application/json" },
      body: BODY,
    });
    expect(response.status).toBe(400);
    await response.text();
  }
  expect(victim.memoryMiB().peak).toBeLessThan(MAX_MEMORY_MIB);
  expect((await callAs(victim, victim.other, "GET", "/api/board/boards")).status).toBe(200);
});
