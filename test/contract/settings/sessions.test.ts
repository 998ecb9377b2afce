import { expect } from "vitest";
import { MAX_SESSIONS_PER_MEMBER, type NewSession, newToken } from "#domain/settings/member.ts";
import { newId } from "#domain/core/system.ts";
import { newWebhook, T0 } from "../../support/boards.ts";
import { DAY, draftMember, draftSession } from "./draft-member.ts";
import { test } from "../store-test.ts";

test("sessions of one member are limited: a login beyond the limit ends the least recently used one", async ({
  store,
  business,
  manage,
}) => {
  const member = await store.people.add(manage, draftMember(business, "ada@example.com"));
  const other = await store.people.add(manage, draftMember(business, "bo@example.com"));
  const start = async (memberId: string, lastSeenAt: number): Promise<string> => {
    const session = { ...draftSession({ lastSeenAt }), businessId: business.id, memberId };
    await store.people.startSession(session);
    return session.id;
  };
  const kept = await start(other.id, T0);
  const ids: string[] = [];
  for (let n = 0; n < MAX_SESSIONS_PER_MEMBER + 3; n++) ids.push(await start(member.id, T0 + n));
  const left = (await store.people.sessions(business.id, member.id)).map(({ id }) => id);
  expect(left).toEqual(ids.slice(3).toReversed());
  expect((await store.people.sessions(business.id, other.id)).map(({ id }) => id)).toEqual([kept]);
});

test("sessions are found by the hash of their token, and end by expiry, with the others, or with the member", async ({
  store,
  business,
  manage,
}) => {
  const member = await store.people.add(manage, draftMember(business, "ada@example.com", { role: "owner" }));
  await store.people.add(manage, draftMember(business, "bo@example.com", { role: "owner" }));
  const start = async (more: Partial<NewSession> = {}) => {
    const session = { ...draftSession(more), businessId: business.id, memberId: member.id };
    await store.people.startSession(session);
    return session;
  };
  const stale = await start({ createdAt: T0 - 2 * DAY, expiresAt: T0 - DAY });
  const [one, two, three] = [await start(), await start(), await start()];
  expect(await store.people.findSession(stale.hash)).toBeNull();
  const { hash, ...rest } = one!;
  expect(await store.people.findSession(hash)).toEqual({ session: rest, member: { ...member, lastSeenAt: T0 } });
  await store.people.touchSession(rest, T0 + 5);
  expect((await store.people.sessions(business.id, member.id)).map(({ id, lastSeenAt }) => [id, lastSeenAt])[0]).toEqual([one!.id, T0 + 5]);
  expect(await store.people.endSession(business.id, "mem_other", one!.id)).toBe(false);
  expect(await store.people.endSession(business.id, member.id, one!.id)).toBe(true);
  expect(await store.people.findSession(hash)).toBeNull();
  await store.people.setPassword(member, "hashed anew", { by: manage.actor, keepSession: two!.id, now: T0 + 6 });
  expect((await store.people.sessions(business.id, member.id)).map(({ id }) => id)).toEqual([two!.id]);
  expect((await store.people.findLogin("ada@example.com"))?.password).toBe("hashed anew");
  expect(await store.people.findSession(three!.hash)).toBeNull();
  await store.people.setRole(manage, member.id, "admin", T0 + 7);
  expect(await store.people.findSession(two!.hash)).toBeNull();
  const last = await start();
  await store.people.remove(manage, member.id, T0 + 8);
  expect(await store.people.findSession(last.hash)).toBeNull();
});

test("sessions, invitations and set-up tokens are erased when expired", async ({ store, business, manage }) => {
  expect(await store.people.createSetupToken(business.id, newToken("c").hash, T0 + 1)).toBe(true);
  const member = await store.people.add(manage, draftMember(business, "ada@example.com"));
  await store.people.startSession({ ...draftSession({ expiresAt: T0 + 1 }), businessId: business.id, memberId: member.id });
  await store.people.startSession({ ...draftSession({ expiresAt: T0 + 9 }), businessId: business.id, memberId: member.id });
  const invitation = { id: newId("inv", T0), businessId: business.id, role: "member", createdBy: "operator", createdAt: T0 } as const;
  await store.people.invite(manage, { ...invitation, email: "bo@example.com", hash: newToken("j").hash, expiresAt: T0 + 1 });
  expect(await store.purge(0, T0 + 2)).toBe(3);
  expect(await store.people.sessions(business.id, member.id)).toHaveLength(1);
  expect(await store.people.invitations(business.id)).toEqual([]);
});

test("a purge erases no entry by which a restore knows that a member or a webhook of a backup was removed", async ({
  store,
  business,
  manage,
}) => {
  const { businessId: _, role: __, ...owner } = draftMember(business, "owner@example.com");
  const [link, invited] = [newToken("c").hash, newToken("j").hash];
  await store.people.createSetupToken(business.id, link, T0 + DAY);
  await store.people.createFirstOwner(link, owner, draftSession());
  const member = await store.people.add(manage, draftMember(business, "ada@example.com"));
  const invitation = { id: newId("inv", T0), businessId: business.id, role: "member", createdBy: "operator", createdAt: T0 } as const;
  await store.people.invite(manage, { ...invitation, email: "bo@example.com", hash: invited, expiresAt: T0 + DAY });
  const accepted = { id: newId("mem", T0), password: "hashed", createdAt: T0 };
  await store.people.accept(invited, accepted, draftSession());
  await store.people.setRole(manage, member.id, "admin", T0);
  for (const { id } of [member, accepted]) await store.people.remove(manage, id, T0);
  const webhook = newWebhook(business.id);
  await store.webhooks.put(webhook, "operator");
  await store.webhooks.update(business.id, { events: [] }, "operator", T0);
  await store.webhooks.clear(business.id, "operator", T0);
  await store.purge(0, T0 + 1_000 * DAY);
  const { entries } = await store.auditPage(business.id, 100, null);
  expect(entries.map(({ action, subject }) => [action, subject]).toReversed()).toEqual([
    ["business.claim", owner.id],
    ["member.create", member.id],
    ["invitation.accept", invitation.id],
    ["member.remove", member.id],
    ["member.remove", accepted.id],
    ["webhook.set", webhook.id],
    ["webhook.clear", webhook.id],
  ]);
  expect(entries.find(({ action }) => action === "invitation.accept")?.actor).toBe(accepted.id);
});
