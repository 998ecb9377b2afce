import { expect } from "vitest";
import { MAX_INBOUND_ADDRESSES, type NewInboundAddress } from "#domain/settings/inbound-address.ts";
import { newToken } from "#domain/settings/member.ts";
import { newId } from "#domain/core/system.ts";
import { addBoard, seedBusiness, T0 } from "../../support/boards.ts";
import { expectRejection } from "../store-context.ts";
import { test } from "../store-test.ts";

const draft = (more: Partial<NewInboundAddress> = {}): NewInboundAddress => ({
  id: newId("iba", T0),
  name: "GitHub",
  zoneId: null,
  tags: ["a", "é"],
  signature: null,
  sealedSecret: null,
  hash: newToken("i").hash,
  createdAt: T0,
  ...more,
});

test("inbound addresses are found by the hash of their token only, with their tags and signature", async ({
  store,
  business,
  board,
  scope,
}) => {
  const signature = { header: "x-signature", encoding: "base64", prefix: "sha256=" } as const;
  const { hash, ...fields } = draft({ signature, sealedSecret: "sealed" });
  const address = await store.inboundAddresses.create(scope, { ...fields, hash });
  expect(address).toEqual({ ...fields, businessId: business.id, boardId: board.id, createdBy: "operator", lastUsedAt: null });
  expect(await store.inboundAddresses.findByHash(hash)).toEqual(address);
  expect(await store.inboundAddresses.findByHash(newToken("i").hash)).toBeNull();
  expect(await store.inboundAddresses.list(business.id)).toEqual([address]);
  expect(JSON.stringify(await store.inboundAddresses.list(business.id))).not.toContain(hash);
  expect(await store.secretKey.sealedSecrets()).toEqual([{ sealed: "sealed", context: business.id }]);
});

test("inbound addresses are unknown once they are revoked, which the audit log records", async ({ store, business, scope, manage }) => {
  const other = await seedBusiness(store, "Other Lab");
  const { hash, ...fields } = draft();
  await store.inboundAddresses.create(scope, { ...fields, hash });
  expect(await store.inboundAddresses.revoke(other.manage, fields.id, T0 + 1)).toBe(false);
  expect(await store.inboundAddresses.findByHash(hash)).not.toBeNull();
  expect(await store.inboundAddresses.revoke(manage, fields.id, T0 + 1)).toBe(true);
  expect(await store.inboundAddresses.revoke(manage, fields.id, T0 + 2)).toBe(false);
  expect(await store.inboundAddresses.findByHash(hash)).toBeNull();
  const { entries } = await store.auditPage(business.id, 2, null);
  expect(entries).toMatchObject([
    { actor: "operator", action: "inbound_address.revoke", subject: fields.id, at: T0 + 1 },
    { actor: "operator", action: "inbound_address.create", subject: fields.id, at: T0 },
  ]);
});

test("inbound addresses keep the latest time of their use", async ({ store, business, scope }) => {
  const address = await store.inboundAddresses.create(scope, draft());
  for (const at of [T0 + 5, T0 + 3]) await store.inboundAddresses.touch(new Map([[`${business.id} ${address.id}`, at]]));
  expect(await store.inboundAddresses.list(business.id)).toMatchObject([{ lastUsedAt: T0 + 5 }]);
});

test("inbound addresses of a business are limited in number", async ({ store, scope }) => {
  const other = await seedBusiness(store, "Other Lab");
  for (let i = 0; i < MAX_INBOUND_ADDRESSES; i++) await store.inboundAddresses.create(scope, draft());
  await expectRejection(store.inboundAddresses.create(scope, draft()), "conflict");
  await store.inboundAddresses.create(other.scope, draft());
});

test("inbound addresses of a deleted board are erased with its content", async ({ store, business, manage }) => {
  const { scope } = await addBoard(store, manage, "Second");
  await store.inboundAddresses.create(scope, draft());
  await store.boards.remove(scope, T0 + 1);
  await store.purge(T0 + 1, T0 + 1);
  expect(await store.inboundAddresses.list(business.id)).toHaveLength(1);
  await store.purge(T0 + 2, T0 + 2);
  expect(await store.inboundAddresses.list(business.id)).toEqual([]);
});
