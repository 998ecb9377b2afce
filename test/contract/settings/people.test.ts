import { expect } from "vitest";
import { newToken } from "#domain/settings/member.ts";
import { newId } from "#domain/core/system.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { DAY, draftMember, draftSession } from "./draft-member.ts";
import { test } from "../store-test.ts";

test("members are found by their address, which belongs to one business", async ({ store, business, manage }) => {
  const other = await seedBusiness(store, "Other Lab");
  const member = await store.people.add(manage, draftMember(business, "ada@example.com", { role: "owner" }));
  expect(member).toMatchObject({ email: "ada@example.com", role: "owner", businessId: business.id, lastSeenAt: null });
  expect(await store.people.findLogin("ada@example.com")).toEqual({ member, password: "hashed" });
  expect(await store.people.findLogin("bo@example.com")).toBeNull();
  await expect(store.people.add(other.manage, draftMember(other.business, "ada@example.com"))).rejects.toThrow(/exists already/);
  expect(await store.people.members(other.business.id)).toEqual([]);
  expect(await store.people.member(other.business.id, member.id)).toBeNull();
  expect((await store.auditPage(business.id, 1, null)).entries[0]).toMatchObject({
    action: "member.create",
    subject: member.id,
    actor: "operator",
  });
});

test("members are created once for concurrent requests with one address", async ({ store, business, manage }) => {
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => store.people.add(manage, draftMember(business, "ada@example.com"))));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("members always include an owner, also if two step down concurrently", async ({ store, business, manage }) => {
  const [one, two] = await Promise.all(
    ["ada", "bo"].map((name) => store.people.add(manage, draftMember(business, `${name}@example.com`, { role: "owner" }))),
  );
  const outcomes = await Promise.allSettled([
    store.people.setRole(manage, one!.id, "member", T0),
    store.people.remove(manage, two!.id, T0),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const owners = (await store.people.members(business.id)).filter(({ role }) => role === "owner");
  expect(owners).toHaveLength(1);
  await expect(store.people.remove(manage, owners[0]!.id, T0)).rejects.toThrow(/last owner/);
  await expect(store.people.remove(manage, "mem_none", T0)).rejects.toThrow("Member not found.");
});

test("the set-up of a business creates one owner from several links, and is then closed", async ({ store, business }) => {
  const links = [newToken("c"), newToken("c")];
  for (const { hash } of links) expect(await store.people.createSetupToken(business.id, hash, T0 + DAY)).toBe(true);
  const claim = (hash: string, email: string, createdAt = T0) => {
    const { businessId: _, role: __, ...draft } = draftMember(business, email, { createdAt });
    return store.people.createFirstOwner(hash, draft, draftSession());
  };
  expect(await claim(newToken("c").hash, "eve@example.com")).toBeNull();
  expect(await claim(links[0]!.hash, "late@example.com", T0 + DAY)).toBeNull();
  const outcomes = await Promise.all(links.map(({ hash }, n) => claim(hash, `racer${n}@example.com`)));
  const [first, ...more] = outcomes.filter((outcome) => outcome !== null);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ member: { role: "owner", lastSeenAt: T0 }, session: { agent: "A browser" } });
  for (const { hash } of links) expect(await claim(hash, "again@example.com")).toBeNull();
  expect(await store.people.createSetupToken(business.id, newToken("c").hash, T0 + DAY)).toBe(false);
});

test("an invitation belongs to its address and role, and is valid once, until it expires, is replaced or revoked", async ({
  store,
  business,
  manage,
}) => {
  const invite = async (email: string, expiresAt = T0 + DAY) => {
    const { hash } = newToken("j");
    const id = newId("inv", T0);
    await store.people.invite(manage, {
      id,
      businessId: business.id,
      email,
      role: "admin",
      hash,
      createdBy: "operator",
      createdAt: T0,
      expiresAt,
    });
    return { id, hash };
  };
  const accept = (hash: string) => store.people.accept(hash, { id: newId("mem", T0), password: "hashed", createdAt: T0 }, draftSession());
  const [replaced, second] = [await invite("bo@example.com"), await invite("bo@example.com")];
  const expired = await invite("cy@example.com", T0);
  const withdrawn = await invite("di@example.com");
  expect(await store.people.findInvitation(second.hash)).toMatchObject({ id: second.id, email: "bo@example.com", role: "admin" });
  expect(await store.people.revokeInvitation(manage, withdrawn.id, T0)).toBe(true);
  expect(await store.people.revokeInvitation(manage, withdrawn.id, T0)).toBe(false);
  for (const { hash } of [replaced, expired, withdrawn]) expect(await accept(hash)).toBeNull();
  const outcomes = await Promise.all([accept(second.hash), accept(second.hash)]);
  expect(outcomes.filter((outcome) => outcome !== null)).toMatchObject([{ member: { email: "bo@example.com", role: "admin" } }]);
  await expect(invite("bo@example.com")).rejects.toThrow(/exists already/);
});
