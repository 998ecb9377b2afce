import { describe, expect, it } from "vitest";
import type { Business } from "#domain/core/board.ts";
import { MAX_SESSIONS_PER_MEMBER, type NewMember, type NewSession, newToken } from "#domain/settings/member.ts";
import { newId } from "#domain/core/system.ts";
import { newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { withStore, type OpenStore } from "../store-context.ts";

const DAY = 86_400_000;

const draftMember = ({ id }: Pick<Business, "id">, email: string, more: Partial<NewMember> = {}): NewMember => ({
  id: newId("mem", T0),
  businessId: id,
  email,
  role: "member",
  password: "hashed",
  createdAt: T0,
  ...more,
});

const draftSession = (more: Partial<NewSession> = {}) => ({
  id: newId("ses", T0),
  hash: newToken("s").hash,
  agent: "A browser",
  createdAt: T0,
  lastSeenAt: T0,
  expiresAt: T0 + DAY,
  ...more,
});

export function describePeople(open: OpenStore): void {
  describe("sessions of one member", () => {
    it(
      "are limited: a login beyond the limit ends the least recently used one",
      withStore(open, async ({ store, business, manage }) => {
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
      }),
    );
  });

  describe("members", () => {
    it(
      "are found by their address, which belongs to one business",
      withStore(open, async ({ store, business, manage }) => {
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
      }),
    );

    it(
      "are created once for concurrent requests with one address",
      withStore(open, async ({ store, business, manage }) => {
        const outcomes = await Promise.allSettled([1, 2, 3].map(() => store.people.add(manage, draftMember(business, "ada@example.com"))));
        expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      }),
    );

    it(
      "always include an owner, also if two step down concurrently",
      withStore(open, async ({ store, business, manage }) => {
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
      }),
    );
  });

  describe("the set-up of a business", () => {
    it(
      "creates one owner from several links, and is then closed",
      withStore(open, async ({ store, business }) => {
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
      }),
    );
  });

  describe("sessions", () => {
    it(
      "are found by the hash of their token, and end by expiry, with the others, or with the member",
      withStore(open, async ({ store, business, manage }) => {
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
        expect((await store.people.sessions(business.id, member.id)).map(({ id, lastSeenAt }) => [id, lastSeenAt])[0]).toEqual([
          one!.id,
          T0 + 5,
        ]);
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
      }),
    );

    it(
      "invitations and set-up tokens are erased when expired",
      withStore(open, async ({ store, business, manage }) => {
        expect(await store.people.createSetupToken(business.id, newToken("c").hash, T0 + 1)).toBe(true);
        const member = await store.people.add(manage, draftMember(business, "ada@example.com"));
        await store.people.startSession({ ...draftSession({ expiresAt: T0 + 1 }), businessId: business.id, memberId: member.id });
        await store.people.startSession({ ...draftSession({ expiresAt: T0 + 9 }), businessId: business.id, memberId: member.id });
        const invitation = { id: newId("inv", T0), businessId: business.id, role: "member", createdBy: "operator", createdAt: T0 } as const;
        await store.people.invite(manage, { ...invitation, email: "bo@example.com", hash: newToken("j").hash, expiresAt: T0 + 1 });
        expect(await store.purge(0, T0 + 2)).toBe(3);
        expect(await store.people.sessions(business.id, member.id)).toHaveLength(1);
        expect(await store.people.invitations(business.id)).toEqual([]);
      }),
    );

    it(
      "erases no entry by which a restore knows that a member or a webhook of a backup was removed",
      withStore(open, async ({ store, business, manage }) => {
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
      }),
    );
  });

  describe("an invitation", () => {
    it(
      "belongs to its address and role, and is valid once, until it expires, is replaced or revoked",
      withStore(open, async ({ store, business, manage }) => {
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
        const accept = (hash: string) =>
          store.people.accept(hash, { id: newId("mem", T0), password: "hashed", createdAt: T0 }, draftSession());
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
      }),
    );
  });
}
