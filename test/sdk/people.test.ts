import { expect, test } from "vitest";
import { createClient } from "@tessera-board/sdk";
import { serve } from "./server.ts";

const MEMBER = { id: "mem", email: "a@example.com", role: "owner", lastSeenAt: null, createdAt: "2026-01-01T00:00:00.000Z" };
const BUSINESS = { id: "biz", name: "Ours" };
const EVERYTHING = {
  member: MEMBER,
  business: BUSINESS,
  session: { id: "ses" },
  limits: { fileBytes: 1_000 },
  sessions: [{ id: "ses" }],
  members: [MEMBER],
  invitation: { id: "inv" },
  invitations: [{ id: "inv" }],
  link: "https://x/join#t",
};

test("every method about people calls its documented endpoint", async () => {
  await using server = await serve(() => ({ body: EVERYTHING }));
  const { people } = createClient({ baseUrl: server.url });
  const login = { email: "a@example.com", password: "long enough" };
  expect(await people.claim({ token: "t", ...login })).toEqual({ member: MEMBER, business: BUSINESS });
  expect(await people.logIn(login)).toEqual({ member: MEMBER, business: BUSINESS });
  expect(await people.session()).toEqual({ member: MEMBER, business: BUSINESS, session: { id: "ses" }, limits: { fileBytes: 1_000 } });
  expect(await people.getInvitation("t")).toEqual({ invitation: { id: "inv" }, business: BUSINESS });
  expect(await people.acceptInvitation({ token: "t", password: "p" })).toEqual({ member: MEMBER, business: BUSINESS });
  expect(await people.sessions()).toEqual([{ id: "ses" }]);
  await people.endSession("s/1");
  await people.changePassword({ currentPassword: "old", newPassword: "new" });
  expect(await people.members()).toEqual([MEMBER]);
  expect(await people.setRole("m", "admin")).toEqual(MEMBER);
  await people.removeMember("m");
  expect(await people.invitations()).toEqual([{ id: "inv" }]);
  expect(await people.invite({ email: "b@example.com", role: "member" })).toEqual({ invitation: { id: "inv" }, link: "https://x/join#t" });
  await people.revokeInvitation("i");
  await people.logOut();
  expect(server.seen.map(({ method, url, body }) => [method, url.replace("/api/settings/", ""), body])).toEqual([
    ["POST", "claim", { token: "t", ...login }],
    ["POST", "session", login],
    ["GET", "session", undefined],
    ["POST", "invitations/look", { token: "t" }],
    ["POST", "invitations/accept", { token: "t", password: "p" }],
    ["GET", "sessions", undefined],
    ["DELETE", "sessions/s%2F1", undefined],
    ["POST", "password", { current_password: "old", new_password: "new" }],
    ["GET", "members", undefined],
    ["PATCH", "members/m", { role: "admin" }],
    ["DELETE", "members/m", undefined],
    ["GET", "invitations", undefined],
    ["POST", "invitations", { email: "b@example.com", role: "member" }],
    ["DELETE", "invitations/i", undefined],
    ["DELETE", "session", undefined],
  ]);
  for (const { headers } of server.seen) expect(headers).not.toHaveProperty("x-api-key");
});

test("a page served by the service needs no address and no key", async () => {
  const seen: unknown[] = [];
  const fetch = async (url: unknown) => {
    seen.push(url);
    return Response.json({ boards: [], tile: { id: "t" } });
  };
  const client = createClient({ baseUrl: "", fetch });
  await client.boards.list();
  await client.tiles.create("b", { url: "https://example.com" });
  expect(seen).toEqual(["/api/board/boards", "/api/board/b/tiles"]);
});
