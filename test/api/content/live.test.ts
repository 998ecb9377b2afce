import { expect, onTestFinished, test } from "vitest";
import { claimOwner, joinAs, newBrowser, PASSWORD } from "../../support/people/people.ts";
import { revokeKey } from "#service/settings/keys.ts";
import { startTestService } from "../../support/service.ts";
import { service, follow, useEventStreams } from "./support/event-streams.ts";

useEventStreams();

const addTile = () => service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "New" } });

test("the events of a board send the revision at once and after each change of that board only", async () => {
  const other = (await service.call("POST", "/api/board/boards", { body: { name: "Other" } })).json.board.id;
  const stream = await follow();
  const first = await stream.next();
  expect(first).toEqual({ event: "revision", data: { zones: expect.any(Number), content: expect.any(Number) } });
  await service.call("POST", `/api/board/${other}/zones`, { body: { name: "Elsewhere" } });
  await addTile();
  const second = await stream.next();
  expect(second!.data.zones).toBe(first!.data.zones);
  expect(second!.data.content).toBeGreaterThan(first!.data.content);
  await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Zone" } });
  const third = await stream.next();
  expect(third!.data.zones).toBeGreaterThan(second!.data.zones);
});

test("the events of a board coalesce changes in quick succession, and include the last one", async () => {
  const stream = await follow();
  await stream.next();
  await Promise.all(Array.from({ length: 40 }, addTile));
  const { content } = await Promise.resolve(
    service.appContext.deps.store.boards.revisions({ businessId: service.businessId, id: service.boardId }),
  );
  let told = 0;
  for (let seen = 0; seen < content; told++) seen = (await stream.next())!.data.content;
  expect(told).toBeLessThan(20);
});

test("the events of a board are also sent to members with a session", async () => {
  const fresh = await startTestService({ ROLE: "api" });
  onTestFinished(() => fresh.stop());
  const { cookie } = await claimOwner(fresh);
  expect(await (await follow({ cookie, "sec-fetch-site": "same-origin" }, fresh)).next()).toMatchObject({ event: "revision" });
});

test("the events of a board end when their key is revoked by another process, or expires, and no other", async () => {
  const revoked = await service.newKey();
  const expiring = await service.newKey({ expiresAt: Date.now() + 700 });
  const [ended, expired, kept] = await Promise.all([revoked.key, expiring.key, service.key].map((key) => follow({ "x-api-key": key })));
  for (const stream of [ended, expired, kept]) expect((await stream!.next())!.event).toBe("revision");
  await revokeKey(service.appContext.deps, service.businessId, revoked.id, "operator");
  expect(await ended!.next()).toBeNull();
  expect(await expired!.next()).toBeNull();
  await addTile();
  expect((await kept!.next())!.event).toBe("revision");
});

test("the events of a board end with a session that another process ends", async () => {
  const fresh = await startTestService({ ROLE: "api" });
  onTestFinished(() => fresh.stop());
  const owner = await claimOwner(fresh);
  const stream = await follow({ cookie: owner.cookie }, fresh);
  await stream.next();
  const { member, session } = (await owner.call("GET", "/api/settings/session")).json;
  expect(await fresh.appContext.deps.store.people.endSession(fresh.businessId, member.id, session.id)).toBe(true);
  expect(await stream.next()).toBeNull();
});

test("the events of a board end with the session they use: by logout, revocation, a new password or a new role", async () => {
  const fresh = await startTestService({ ROLE: "api" });
  onTestFinished(() => fresh.stop());
  const owner = await claimOwner(fresh);
  const logIn = async (email: string) => {
    const browser = newBrowser(fresh);
    expect((await browser.call("POST", "/api/settings/session", { body: { email, password: PASSWORD } })).status).toBe(200);
    return browser;
  };
  const opened = async ({ cookie }: { readonly cookie: string }) => {
    const stream = await follow({ cookie, "sec-fetch-site": "same-origin" }, fresh);
    expect(await stream.next()).toMatchObject({ event: "revision" });
    return stream;
  };
  const mine = await opened(owner);
  const leaving = await logIn("owner@example.com");
  const left = await opened(leaving);
  await leaving.call("DELETE", "/api/settings/session");
  expect(await left.next()).toBeNull();

  const away = await logIn("owner@example.com");
  const ended = await opened(away);
  const { id } = (await away.call("GET", "/api/settings/session")).json.session;
  expect((await owner.call("DELETE", `/api/settings/sessions/${id}`)).status).toBe(200);
  expect(await ended.next()).toBeNull();

  const other = await opened(await logIn("owner@example.com"));
  const changed = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
  expect((await owner.call("POST", "/api/settings/password", { body: changed })).status).toBe(200);
  expect(await other.next()).toBeNull();

  const member = await joinAs(fresh, owner, "member");
  const theirs = await opened(member);
  const { members } = (await owner.call("GET", "/api/settings/members")).json;
  const { id: memberId } = members.find(({ role }: { role: string }) => role === "member");
  expect((await owner.call("PATCH", `/api/settings/members/${memberId}`, { body: { role: "admin" } })).status).toBe(200);
  expect(await theirs.next()).toBeNull();

  const { key, id: keyId } = await fresh.newKey();
  const ofKey = await follow({ "x-api-key": key }, fresh);
  await ofKey.next();
  expect((await owner.call("DELETE", `/api/settings/keys/${keyId}`)).status).toBe(200);
  expect(await ofKey.next()).toBeNull();

  await owner.call("POST", `/api/board/${fresh.boardId}/zones`, { body: { name: "Still followed" } });
  expect(await mine.next()).toMatchObject({ event: "revision" });
});

test("the events of a board are documented as a stream in the OpenAPI document", async () => {
  const { paths } = (await service.call("GET", "/openapi.json", { key: null })).json;
  const { get } = paths["/api/board/{boardId}/events"];
  expect(get.description).toMatch(/revision.*progress.*tileId, stage, attempt, maxAttempts, startedAt/);
  expect(get.responses["200"].content).toEqual({ "text/event-stream": { schema: { type: "string" } } });
  expect(Object.keys(get.responses)).toContain("429");
});

test("the events of a board are rejected without a key, for keys of other boards, and without read permission", async () => {
  const other = await service.newBusiness("Other Lab");
  const statusWith = async (key: string | null) => (await service.call("GET", `/api/board/${service.boardId}/events`, { key })).status;
  expect(await statusWith(null)).toBe(401);
  expect(await statusWith((await service.newKey({ permission: "inbound" })).key)).toBe(403);
  expect(await statusWith((await service.newKey({ businessId: other.businessId })).key)).toBe(404);
  const elsewhere = (await service.call("POST", "/api/board/boards", { body: { name: "Elsewhere" } })).json.board.id;
  expect(await statusWith((await service.newKey({ boardId: elsewhere })).key)).toBe(403);
});

test("the events of a board are limited to twenty streams per key, and closing one frees its slot", async () => {
  const { key } = await service.newKey();
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow({ "x-api-key": key })));
  const more = await service.call("GET", `/api/board/${service.boardId}/events`, { key });
  expect(more.status).toBe(429);
  expect(more.json.error).toBe("Too many streams of this API key or member are open. The maximum is 20. Try again in 5 s.");
  streams[0]!.close();
  await expect.poll(async () => (await follow({ "x-api-key": key })).status).toBe(200);
});

test("the events of a board end when the server stops, which does not wait for them", async () => {
  const fresh = await startTestService({ ROLE: "api" });
  const stream = await follow({ "x-api-key": fresh.key }, fresh);
  await stream.next();
  await fresh.stop();
  // Connections that are still open after a while are closed by force, which is an error instead of an end.
  expect(await stream.next()).toBeNull();
});
