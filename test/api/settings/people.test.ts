import { expect, test } from "vitest";
import { dumpBusiness } from "../../support/test-data.ts";
import { send } from "../../support/clients/raw.ts";
import { PASSWORD, claimOwner, joinAs, newBrowser } from "../../support/people/people.ts";
import { service, logIn, error, toError, usePeopleService } from "./support/people-service.ts";

usePeopleService();

test("a session has the permissions of an unscoped key and sees the same board", async () => {
  const owner = await claimOwner(service);
  const made = await owner.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "By hand." } });
  expect(made.status).toBe(200);
  const byKey = await service.call("GET", `/api/board/${service.boardId}/tiles`);
  expect(byKey.json).toEqual((await owner.call("GET", `/api/board/${service.boardId}/tiles`)).json);
  expect((await owner.call("POST", `/api/board/${service.boardId}/ask`, { body: { question: "By what?" } })).status).toBe(200);
});

test("a session is ignored on endpoints for programs and beside an API key", async () => {
  const owner = await claimOwner(service);
  const inbound = await owner.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, content: "x" } });
  expect(toError(inbound)).toEqual(error(401, "Missing API key. Send it in the X-API-Key header."));
  const both = await service.call("GET", "/api/settings/session", { headers: { cookie: owner.cookie } });
  expect(toError(both)).toEqual(error(403, "API keys can't make this call. Log in, and make it with the session of a member."));
  expect((await owner.call("GET", "/api/me", { headers: { "x-api-key": "tsr_wrong" } })).status).toBe(401);
});

test("a session is rejected for pages of other sites, and nothing changes", async () => {
  const owner = await claimOwner(service);
  const before = await dumpBusiness(service, service.businessId);
  const foreign: readonly Record<string, string>[] = [
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: `${service.url}.evil.test` },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
  ];
  const calls: readonly (readonly [string, string, unknown])[] = [
    ["POST", `/api/board/${service.boardId}/tiles`, { content: "Forged" }],
    ["POST", "/api/settings/invitations", { email: "eve@example.com", role: "owner" }],
    ["POST", "/api/settings/session", { email: "owner@example.com", password: PASSWORD }],
  ];
  for (const headers of foreign)
    for (const [method, path, body] of calls)
      expect((await owner.call(method, path, { body, headers })).status, `${path} ${JSON.stringify(headers)}`).toBe(403);
  const { status } = await owner.call("DELETE", "/api/settings/session", { headers: { origin: "https://evil.test" } });
  expect(status).toBe(403);
  expect((await owner.call("GET", "/api/board/boards", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});

test("a session ends when the password changes, except the one that changed it", async () => {
  const owner = await claimOwner(service);
  const other = newBrowser(service);
  await other.call("POST", "/api/settings/session", logIn("owner@example.com"));
  const change = (current: string, next: string) =>
    owner.call("POST", "/api/settings/password", { body: { current_password: current, new_password: next } });
  expect(toError(await change("wrong horse battery", "a new long password"))).toEqual(error(400, "current_password is wrong."));
  expect(toError(await change(PASSWORD, "short"))).toEqual(error(400, "new_password must be at least 10 characters."));
  expect((await change(PASSWORD, "a new long password")).status).toBe(200);
  expect((await other.call("GET", "/api/settings/session")).status).toBe(401);
  expect((await owner.call("GET", "/api/settings/session")).status).toBe(200);
  expect((await newBrowser(service).call("POST", "/api/settings/session", logIn("owner@example.com"))).status).toBe(401);
});

test("members join with an invitation for their address, once", async () => {
  const owner = await claimOwner(service);
  const invited = await owner.call("POST", "/api/settings/invitations", { body: { email: "Bo@example.com", role: "admin" } });
  expect(invited.json.link).toMatch(new RegExp(`^${service.url}/join#tsj_`));
  const token = invited.json.link.split("#")[1];
  const look = await newBrowser(service).call("POST", "/api/settings/invitations/look", { body: { token } });
  expect(look.json).toMatchObject({ invitation: { email: "bo@example.com", role: "admin" }, business: { name: "My business" } });
  const accept = () => newBrowser(service).call("POST", "/api/settings/invitations/accept", { body: { token, password: PASSWORD } });
  const answers = await Promise.all([accept(), accept(), accept()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect((await owner.call("GET", "/api/settings/members")).json.members.map(({ email, role }: any) => [email, role])).toEqual([
    ["owner@example.com", "owner"],
    ["bo@example.com", "admin"],
  ]);
  expect(toError(await owner.call("POST", "/api/settings/invitations", { body: { email: "bo@example.com" } }))).toEqual(
    error(409, "A member with this e-mail address exists already."),
  );
});

test("members are invited by an address that the server knows as its own, whatever Host the caller sends", async () => {
  const owner = await claimOwner(service);
  const invite = async (host: string): Promise<{ status: number; json: any }> => {
    const headers = { host, origin: `http://${host}`, cookie: owner.cookie, "content-type": "application/json" };
    const body = JSON.stringify({ email: "cy@example.com" });
    const { status, text } = await send(service.url, "POST", "/api/settings/invitations", headers, body);
    return { status, json: JSON.parse(text) };
  };
  for (const host of ["localhost:9999", "127.0.0.1", "[::1]:8080"])
    expect((await invite(host)).json.link).toMatch(`http://${host}/join#tsj_`);
  const before = (await owner.call("GET", "/api/settings/invitations")).text;
  for (const host of ["evil.example", "127.0.0.1.evil.example", "192.0.2.7"]) {
    expect(await invite(host)).toMatchObject({ status: 403, json: { error: expect.stringContaining("Set BASE_URL") } });
  }
  expect((await owner.call("GET", "/api/settings/invitations")).text).toBe(before);
});

test("members cannot join with a revoked or replaced link", async () => {
  const owner = await claimOwner(service);
  const invite = async () => (await owner.call("POST", "/api/settings/invitations", { body: { email: "bo@example.com" } })).json;
  const [first, second] = [await invite(), await invite()];
  const accept = (link: string) =>
    newBrowser(service).call("POST", "/api/settings/invitations/accept", { body: { token: link.split("#")[1], password: PASSWORD } });
  expect((await accept(first.link)).status).toBe(404);
  expect((await owner.call("DELETE", `/api/settings/invitations/${second.invitation.id}`)).status).toBe(200);
  expect((await accept(second.link)).status).toBe(404);
  expect((await owner.call("GET", "/api/settings/invitations")).json).toEqual({ invitations: [] });
});

test("members are invited once per Idempotency-Key, and the link is not shown again", async () => {
  const owner = await claimOwner(service);
  const invite = (once: string) =>
    owner.call("POST", "/api/settings/invitations", { body: { email: "bo@example.com" }, headers: { "idempotency-key": once } });
  const first = await invite("i-1");
  const again = await invite("i-1");
  expect(toError(again)).toEqual(
    error(409, expect.stringMatching(/^This call was made before, and its answer showed the link, this once\./)),
  );
  expect((await owner.call("GET", "/api/settings/invitations")).json.invitations).toEqual([first.json.invitation]);
  const next = await invite("i-2");
  expect((await owner.call("GET", "/api/settings/invitations")).json.invitations).toEqual([next.json.invitation]);
});

test("members have the permissions of their role only", async () => {
  const owner = await claimOwner(service);
  const admin = await joinAs(service, owner, "admin");
  const member = await joinAs(service, owner, "member");
  const { members } = (await owner.call("GET", "/api/settings/members")).json;
  const findMemberId = (role: string): string => members.find((each: any) => each.role === role).id;
  const needAdmin = error(403, "Only an admin or an owner of the business may do this.");
  const needOwner = error(403, "Only an owner of the business may do this.");
  expect((await member.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Mine" } })).status).toBe(200);
  expect(toError(await member.call("POST", "/api/board/boards", { body: { name: "Mine" } }))).toEqual(needAdmin);
  expect(toError(await member.call("GET", "/api/settings/members"))).toEqual(needAdmin);
  expect(toError(await member.call("POST", "/api/settings/invitations", { body: { email: "x@example.com" } }))).toEqual(needAdmin);
  expect((await admin.call("POST", "/api/board/boards", { body: { name: "Theirs" } })).status).toBe(200);
  expect(toError(await admin.call("PATCH", `/api/settings/members/${findMemberId("admin")}`, { body: { role: "owner" } }))).toEqual(
    needOwner,
  );
  expect(toError(await admin.call("POST", "/api/settings/invitations", { body: { email: "x@example.com", role: "owner" } }))).toEqual(
    needOwner,
  );
  expect(toError(await admin.call("DELETE", `/api/settings/members/${findMemberId("owner")}`))).toEqual(needOwner);
  expect((await admin.call("DELETE", `/api/settings/members/${findMemberId("member")}`)).status).toBe(200);
  expect((await member.call("GET", "/api/settings/session")).status).toBe(401);
});

test("members always include an owner, and a changed role ends their sessions", async () => {
  const owner = await claimOwner(service);
  const admin = await joinAs(service, owner, "admin");
  const { members } = (await owner.call("GET", "/api/settings/members")).json;
  const last = error(409, "The last owner of a business can't be removed or given another role. Make another member an owner first.");
  expect(toError(await owner.call("PATCH", `/api/settings/members/${members[0].id}`, { body: { role: "member" } }))).toEqual(last);
  expect(toError(await owner.call("DELETE", `/api/settings/members/${members[0].id}`))).toEqual(last);
  expect(toError(await owner.call("PATCH", `/api/settings/members/${members[1].id}`, { body: { role: "king" } }))).toMatchObject({
    status: 400,
  });
  const raised = await owner.call("PATCH", `/api/settings/members/${members[1].id}`, { body: { role: "owner" } });
  expect(raised.json.member.role).toBe("owner");
  expect((await admin.call("GET", "/api/settings/session")).status).toBe(401);
  const both = await Promise.all(members.map(({ id }: any) => owner.call("DELETE", `/api/settings/members/${id}`)));
  expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200]);
});

test("members of other businesses are invisible, and an address belongs to one business", async () => {
  const owner = await claimOwner(service);
  const other = await service.newBusiness("Other Lab");
  const { deps } = service.appContext;
  const { addMember } = await import("#service/people/members.ts");
  const { authorizeBusiness } = await import("#service/access.ts");
  const scope = await authorizeBusiness(deps, { kind: "operator", businessId: other.businessId }, "own");
  const stranger = await addMember(deps, scope, { email: "stranger@example.com", role: "owner", password: PASSWORD });
  await expect(addMember(deps, scope, { email: "owner@example.com", role: "owner", password: PASSWORD })).rejects.toThrow(/exists already/);
  expect((await owner.call("GET", "/api/settings/members")).json.members).toHaveLength(1);
  for (const [method, body] of [
    ["PATCH", { role: "member" }],
    ["DELETE", undefined],
  ] as const)
    expect(toError(await owner.call(method, `/api/settings/members/${stranger.id}`, body === undefined ? {} : { body }))).toEqual(
      error(404, "Member not found."),
    );
  const browser = newBrowser(service);
  expect((await browser.call("POST", "/api/settings/session", logIn("stranger@example.com"))).json.business.name).toBe("Other Lab");
  expect((await browser.call("GET", `/api/board/${service.boardId}/zones`)).status).toBe(404);
});
