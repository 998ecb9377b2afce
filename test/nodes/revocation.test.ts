import { expect, test } from "vitest";
import { authorizeBoard, authorizeBusiness } from "#service/access.ts";
import { createInboundAddress, revokeInboundAddress } from "#service/settings/inbound-addresses.ts";
import { revokeKey } from "#service/settings/keys.ts";
import { call, tesseraJson } from "../e2e/support/process.ts";
import { pause, until } from "../e2e/support/servers.ts";
import { printFigure } from "./support/figures.ts";
import { openNodes } from "./support/nodes.ts";

const REVOKED_MS = 1_000;
const BETWEEN_MS = 5;

/** Calls a node continuously until it rejects the key. Returns the time of the last accepted request, undefined if it never rejects. */
async function useUntilRefused(url: string, key: string, onUse: () => void): Promise<number | undefined> {
  let last: number | undefined;
  for (;;) {
    const { status, text } = await call(url, key, "GET", "/api/me");
    if (status === 401) return last;
    if (status !== 200) throw new Error(`A call was answered ${status}: ${text}`);
    last = Date.now();
    onUse();
    await pause(BETWEEN_MS);
  }
}

test("a revoked inbound address is unknown on every node at once", { timeout: 300_000 }, async () => {
  const nodes = await openNodes();
  const { deps } = await nodes.appContext();
  const { businessId } = await nodes.newAccess();
  const servers = await Promise.all([nodes.start("api"), nodes.start("api")]);
  const [board] = await deps.store.boards.list(businessId);
  const operator = { kind: "operator", businessId } as const;
  const input = { name: "Sender", zoneId: null, tags: [], signature: null };
  const scope = await authorizeBoard(deps, operator, board!.id, "write");
  const { address, token } = await createInboundAddress(deps, scope, input);
  const post = async (n: number) => (await call(servers[n]!.url, null, "POST", `/in/${token}`, { text: "sent" })).status;
  expect(await Promise.all([post(0), post(1)])).toEqual([200, 200]);
  await revokeInboundAddress(deps, await authorizeBusiness(deps, operator, "write"), address.id);
  expect(await Promise.all([post(0), post(1)])).toEqual([404, 404]);
});

test("a revoked key is rejected on every node within a second, also where it is in use", { timeout: 300_000 }, async () => {
  const nodes = await openNodes();
  const { deps } = await nodes.appContext();
  const servers = await Promise.all([nodes.start("api"), nodes.start("api")]);
  const ways = {
    "at the command line": async (keyId: string) =>
      Date.parse((await tesseraJson(nodes.environment, "key", "revoke", keyId)).apiKey.revokedAt as string),
    "by another node": async (keyId: string, businessId: string) => (await revokeKey(deps, businessId, keyId, "operator")).revokedAt ?? NaN,
  };
  for (const [way, revoke] of Object.entries(ways)) {
    const { key, keyId, businessId } = await nodes.newAccess();
    const { key: other } = await nodes.newAccess();
    const uses = servers.map(() => 0);
    const using = servers.map((server, n) => useUntilRefused(server.url, key, () => uses[n]!++));
    await until("steady use", () => uses.every((count) => count >= 20));
    const revokedAt = await revoke(keyId, businessId);
    const took = (await Promise.all(using)).map((last) => (last ?? NaN) - revokedAt);
    printFigure(`a key revoked ${way}: its last use ${took.map((ms) => `${ms} ms`).join(" and ")} later on two nodes in use`);
    for (const ms of took) expect(ms).toBeLessThan(REVOKED_MS);
    for (const server of servers) {
      expect((await call(server.url, key, "GET", "/api/me")).status).toBe(401);
      expect((await call(server.url, other, "GET", "/api/me")).status).toBe(200);
    }
  }
});
