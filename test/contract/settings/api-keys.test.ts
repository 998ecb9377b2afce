import { expect } from "vitest";
import { type Actor, checkBusinessAccess } from "#domain/core/access.ts";
import { hashKey, keyPrefix, newKey, type NewApiKey } from "#domain/settings/api-key.ts";
import { newId } from "#domain/core/system.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { test } from "../store-test.ts";

const createMemberActor = (businessId: string): Actor => ({
  kind: "member",
  businessId,
  memberId: "mem_1",
  email: "a@example.com",
  role: "admin",
  sessionId: "ses_1",
});

function draftKey(businessId: string, more: Partial<NewApiKey> = {}): NewApiKey {
  const key = newKey();
  return {
    id: newId("key", T0),
    businessId,
    name: "Key",
    prefix: keyPrefix(key),
    hash: hashKey(key),
    boardId: null,
    permission: "write",
    expiresAt: null,
    createdBy: "operator",
    createdAt: T0,
    ...more,
  };
}

test("API keys are found by the hash of the key only", async ({ store, business, board }) => {
  const draft = draftKey(business.id, { boardId: board.id, permission: "ask", expiresAt: T0 + 99, name: "Scoped" });
  expect(await store.apiKeys.findByHash(draft.hash)).toBeNull();
  const key = await store.apiKeys.create(draft);
  const { hash, ...rest } = draft;
  expect(key).toEqual({ ...rest, budget: null, webhooks: false, lastUsedAt: null, revokedAt: null });
  expect(await store.apiKeys.findByHash(hash)).toEqual(key);
  expect(await store.apiKeys.findByHash(hash.toUpperCase())).toBeNull();
  expect(await store.apiKeys.findByHash(hashKey(newKey()))).toBeNull();
  expect(JSON.stringify(await store.apiKeys.list(business.id))).not.toContain(hash);
});

test("API keys store token budgets beyond 32 bits", async ({ store, business }) => {
  const budget = 999_999_999_999_999;
  const draft = draftKey(business.id, { budget });
  expect(await store.apiKeys.create(draft)).toMatchObject({ budget });
  expect(await store.apiKeys.findByHash(draft.hash)).toMatchObject({ budget });
  expect(await store.apiKeys.list(business.id)).toMatchObject([{ budget }]);
});

test("API keys are listed for their own business by creation", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const late = await store.apiKeys.create(draftKey(business.id, { createdAt: T0 + 2 }));
  const early = await store.apiKeys.create(draftKey(business.id, { createdAt: T0 + 1 }));
  const foreign = await store.apiKeys.create(draftKey(other.business.id));
  expect(await store.apiKeys.list(business.id)).toEqual([early, late]);
  expect(await store.apiKeys.list(other.business.id)).toEqual([foreign]);
});

test("API keys are found by id in their own business only", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const key = await store.apiKeys.create(draftKey(business.id));
  expect(await store.apiKeys.find(business.id, key.id)).toEqual(key);
  expect(await store.apiKeys.find(other.business.id, key.id)).toBeNull();
});

test("API keys are named with members by their ids, in their own business only", async ({ store, business, manage }) => {
  const other = await seedBusiness(store, "Other Lab");
  const key = await store.apiKeys.create(draftKey(business.id, { name: "Feed" }));
  await store.apiKeys.create(draftKey(business.id, { name: "Not asked for" }));
  const member = { id: "mem_1", businessId: business.id, email: "ada@example.com", role: "owner", createdAt: T0 } as const;
  await store.people.add(manage, { ...member, password: "hashed" });
  const ids = [key.id, "mem_1", "operator"];
  expect([...(await store.actorNames(business.id, ids))]).toEqual([
    [key.id, "Feed"],
    ["mem_1", "ada@example.com"],
  ]);
  expect(await store.actorNames(other.business.id, ids)).toEqual(new Map());
  expect(await store.actorNames(business.id, [])).toEqual(new Map());
});

test("API keys are revoked at once, keep their first time of revocation, and are not erased", async ({ store, business }) => {
  const draft = draftKey(business.id);
  const key = await store.apiKeys.create(draft);
  expect(await store.apiKeys.findByHash(draft.hash)).toMatchObject({ revokedAt: null });
  expect(await store.apiKeys.revoke(business.id, key.id, "operator", T0 + 5)).toEqual({ ...key, revokedAt: T0 + 5 });
  expect(await store.apiKeys.findByHash(draft.hash)).toMatchObject({ id: key.id, revokedAt: T0 + 5 });
  expect(await store.apiKeys.revoke(business.id, key.id, "operator", T0 + 9)).toMatchObject({ revokedAt: T0 + 5 });
  expect(await store.apiKeys.list(business.id)).toMatchObject([{ id: key.id, revokedAt: T0 + 5 }]);
});

test("API keys cannot be revoked by another business", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const key = await store.apiKeys.create(draftKey(business.id));
  expect(await store.apiKeys.revoke(other.business.id, key.id, "operator", T0 + 5)).toBeNull();
  expect(await store.apiKeys.revoke(business.id, "key_unknown", "operator", T0 + 5)).toBeNull();
  expect(await store.apiKeys.list(business.id)).toEqual([key]);
});

test("API keys record creation, change and revocation in the audit log once, with the actor", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const admin = checkBusinessAccess(createMemberActor(business.id), business, "administer");
  const key = await store.apiKeys.create(draftKey(business.id, { createdBy: "operator" }));
  expect(key.createdBy).toBe("operator");
  expect((await store.apiKeys.create(draftKey(business.id, { id: "key_2", createdBy: admin }))).createdBy).toBe("mem_1");
  await store.apiKeys.revoke(other.business.id, key.id, "operator", T0 + 1);
  await store.apiKeys.update(other.business.id, key.id, { name: "Theirs" }, "operator", T0 + 1);
  await store.apiKeys.update(business.id, key.id, {}, admin, T0 + 1);
  await store.apiKeys.update(business.id, key.id, { name: "Renamed" }, admin, T0 + 2);
  await store.apiKeys.revoke(business.id, key.id, admin, T0 + 3);
  await store.apiKeys.revoke(business.id, key.id, admin, T0 + 4);
  expect((await store.auditPage(business.id, 10, null)).entries).toEqual([
    { businessId: business.id, actor: "mem_1", action: "key.revoke", subject: key.id, at: T0 + 3 },
    { businessId: business.id, actor: "mem_1", action: "key.update", subject: key.id, at: T0 + 2 },
    { businessId: business.id, actor: "mem_1", action: "key.create", subject: "key_2", at: T0 },
    { businessId: business.id, actor: "operator", action: "key.create", subject: key.id, at: T0 },
  ]);
  expect((await store.auditPage(other.business.id, 10, null)).entries).toEqual([]);
});

test("API keys change name and budget separately, for their own business, visible to the next request", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const draft = draftKey(business.id, { budget: 100 });
  const key = await store.apiKeys.create(draft);
  await store.apiKeys.findByHash(draft.hash);
  expect(await store.apiKeys.update(business.id, key.id, { name: "Renamed" }, "operator", T0)).toEqual({ ...key, name: "Renamed" });
  expect(await store.apiKeys.update(business.id, key.id, { budget: 7 }, "operator", T0)).toMatchObject({
    name: "Renamed",
    budget: 7,
  });
  expect(await store.apiKeys.findByHash(draft.hash)).toMatchObject({ name: "Renamed", budget: 7 });
  expect(await store.apiKeys.update(business.id, key.id, { budget: null }, "operator", T0)).toMatchObject({ budget: null });
  expect(await store.apiKeys.update(business.id, key.id, {}, "operator", T0)).toEqual({ ...key, name: "Renamed", budget: null });
  expect(await store.apiKeys.update(other.business.id, key.id, { name: "Theirs" }, "operator", T0)).toBeNull();
  expect(await store.apiKeys.update(business.id, "key_unknown", { name: "Nobody" }, "operator", T0)).toBeNull();
  expect(await store.apiKeys.list(business.id)).toMatchObject([{ name: "Renamed", budget: null }]);
});

test("API keys cannot share a hash", async ({ store, business }) => {
  const draft = draftKey(business.id);
  await store.apiKeys.create(draft);
  await expect(store.apiKeys.create({ ...draft, id: newId("key", T0) })).rejects.toThrow();
  expect(await store.apiKeys.list(business.id)).toHaveLength(1);
});

test("API keys record their last use, which never moves backwards", async ({ store, business }) => {
  const other = await seedBusiness(store, "Other Lab");
  const used = await store.apiKeys.create(draftKey(business.id, { createdAt: T0 + 1 }));
  const idle = await store.apiKeys.create(draftKey(business.id, { createdAt: T0 + 2 }));
  await store.apiKeys.touch(
    new Map([
      [`${business.id} ${used.id}`, T0 + 50],
      [`${other.business.id} ${idle.id}`, T0 + 50],
    ]),
  );
  await store.apiKeys.touch(
    new Map([
      [`${business.id} ${used.id}`, T0 + 40],
      [`${business.id} key_unknown`, T0 + 40],
    ]),
  );
  await store.apiKeys.touch(new Map());
  expect((await store.apiKeys.list(business.id)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([T0 + 50, null]);
});
