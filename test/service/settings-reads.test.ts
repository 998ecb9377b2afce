import { expect, test, vi } from "vitest";
import type { Authorized } from "#domain/core/access.ts";
import type { Business } from "#domain/core/board.ts";
import type { HttpDeps } from "#http/route.ts";
import { apiKeyRoutes } from "#http/routes/settings/keys.ts";
import { readAudit } from "#service/settings/audit.ts";
import { requireKey } from "#service/settings/keys.ts";

const SCOPE = { target: { id: "biz_a" } } as unknown as Authorized<Business, "administer">;
const KEY = { id: "key_a", businessId: "biz_a", name: "Feed", createdAt: 0, expiresAt: null, lastUsedAt: null, revokedAt: null };

/** A store of a business with one key, which counts the reads of whole lists. */
function setUp() {
  const listAll = vi.fn(async () => [KEY]);
  const entry = (actor: string) => ({ businessId: "biz_a", actor, action: "key.create", subject: KEY.id, at: 0 });
  const actorNames = vi.fn(async (..._args: unknown[]) => new Map([[KEY.id, KEY.name]]));
  const store = {
    auditPage: async () => ({ entries: [KEY.id, "mem_a", KEY.id, "operator"].map(entry), next: 4 }),
    actorNames,
    apiKeys: { list: listAll, find: async () => KEY, update: async () => KEY },
    people: { members: listAll },
    usage: { totals: listAll, total: async () => ({ calls: 0, input: 0, output: 0 }) },
  };
  return { deps: { store, clock: { now: () => 0 } } as unknown as HttpDeps, actorNames, listAll };
}

test("a page of the audit log reads the names of its actors only, each once", async () => {
  const { deps, actorNames, listAll } = setUp();
  const { entries, next } = await readAudit(deps, SCOPE, 4, null);
  expect(entries.map(({ actor }) => [actor.kind, actor.name])).toEqual([
    ["key", "Feed"],
    ["member", "A former member"],
    ["key", "Feed"],
    ["operator", "Operator"],
  ]);
  expect(next).toBe(4);
  expect(actorNames.mock.calls).toEqual([["biz_a", ["key_a", "mem_a", "operator"]]]);
  expect(listAll).not.toHaveBeenCalled();
});

test("a change of a key reads that key and its usage only", async () => {
  const { deps, listAll } = setUp();
  expect(await requireKey(deps, "biz_a", KEY.id)).toEqual(KEY);
  const update = apiKeyRoutes({ name: 9, title: 9, content: 9, question: 9 }).find(({ operationId }) => operationId === "updateApiKey");
  const authorized = { scope: SCOPE, keyId: KEY.id };
  expect(await update?.handle({ deps, authorized, body: { name: "Feed" } } as never)).toMatchObject({ apiKey: { id: KEY.id } });
  expect(listAll).not.toHaveBeenCalled();
});
