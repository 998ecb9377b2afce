import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { createAccessCheck } from "#http/auth/access-check.ts";
import type { AnyRoute, HttpDeps } from "#http/route.ts";
import { getCurrentOwner } from "#runtime/turns/current-owner.ts";
import { newKey } from "#domain/settings/api-key.ts";

const FOUND = { businessId: "biz_1", id: "key_1", revokedAt: null, expiresAt: null };
const OWNER = ["biz_1", "key_1"];

/** Runs the hook of a route with this guard on a store that answers with `found`. */
function runCheck(found: object | null | Promise<object | null>, guard: () => unknown) {
  const deps = {
    store: { refreshSnapshot: () => {}, apiKeys: { findByHash: () => found } },
    clock: { now: () => 0 },
    responses: { admit: () => {} },
    limiter: () => null,
    limits: { requests: 0, asks: 0 },
  } as unknown as HttpDeps;
  const request = { headers: { "x-api-key": newKey() }, params: {} } as unknown as FastifyRequest;
  const ended: unknown[] = [];
  const check = createAccessCheck(deps, () => {})({ guard } as unknown as AnyRoute);
  check(request, {} as FastifyReply, (error?: Error) => ended.push(error ?? getCurrentOwner()));
  return { request, ended };
}

it("a call whose key and board are known passes at once, and goes on for its owner", () => {
  const { request, ended } = runCheck(FOUND, () => "proof");
  expect([ended, request.authorized]).toEqual([[OWNER], "proof"]);
});

it("a call waits for a key or a board that is looked up, and goes on for its owner", async () => {
  const { request, ended } = runCheck(Promise.resolve(FOUND), async () => "proof");
  expect(ended).toEqual([]);
  await expect.poll(() => ended).toEqual([OWNER]);
  expect(request.authorized).toBe("proof");
});

it.each([
  [
    "that is thrown",
    () => {
      throw new Error("no access");
    },
  ],
  ["of a promise", () => Promise.reject(new Error("no access"))],
])("a guard's error %s ends the call, once", async (_, guard) => {
  const { ended } = runCheck(FOUND, guard);
  await expect.poll(() => ended).toEqual([new Error("no access")]);
});

it("an unknown key never reaches the guard", async () => {
  const reached: true[] = [];
  for (const found of [null, Promise.resolve(null)]) {
    const { ended } = runCheck(found, () => reached.push(true));
    await expect.poll(() => ended).toMatchObject([{ code: "key_invalid" }]);
  }
  expect(reached).toEqual([]);
});
