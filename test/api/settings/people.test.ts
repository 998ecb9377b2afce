import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { dumpBusiness } from "../../support/world.ts";
import { noteFailures } from "../../support/people/failed-log-ins.ts";
import { PASSWORD, claimOwner, joinAs, newBrowser } from "../../support/people/people.ts";
import { type TestService, startTestService } from "../../support/service.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ ROLE: "api" });
});
afterEach(() => service.stop());

const claim = (token: string, email: string, password = PASSWORD) => ({ body: { token, email, password } });
const logIn = (email: string, password = PASSWORD) => ({ body: { email, password } });
const error = (status: number, message: string): unknown => ({ status, error: message });
const told = ({ status, json }: { status: number; json: any }): unknown => ({ status, error: json.error });

describe("the first owner", () => {
  test("is made by the printed link, once, and logged in with a cookie that scripts can't read.", async () => {
    const browser = newBrowser(service);
    const answer = await browser.call("POST", "/api/settings/claim", claim(service.claimToken, " Ada@Example.COM "));
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ member: { email: "ada@example.com", role: "owner" }, business: { id: service.businessId } });
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-tessera_session=tss_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure, __Host-tessera_device=[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect((await browser.call("GET", "/api/settings/session")).json.member.email).toBe("ada@example.com");
    const again = await newBrowser(service).call("POST", "/api/settings/claim", claim(service.claimToken, "eve@example.com"));
    expect(again.status).toBe(404);
    expect(again.json.error).toMatch(/^This link was already used/);
  });

  test("is one, however many race for it.", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        newBrowser(service).call("POST", "/api/settings/claim", claim(service.claimToken, `racer${n}@example.com`)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
    expect(await service.appContext.deps.store.people.members(service.businessId)).toHaveLength(1);
  });

  test("is told at the field what is wrong, and the link stays good.", async () => {
    const browser = newBrowser(service);
    const wrong: readonly (readonly [object, string])[] = [
      [{ email: "a@example.com", password: PASSWORD }, "token is required."],
      [{ token: service.claimToken, email: "nobody", password: PASSWORD }, "email must be an e-mail address, such as name@example.com."],
      [{ token: service.claimToken, email: "a@example.com", password: "short" }, "password must be at least 10 characters."],
      [
        { token: service.claimToken, email: "a@example.com", password: "aaaaaaaaaaaa" },
        "password is too easy to guess. Choose another one.",
      ],
      [
        { token: service.claimToken, email: "adam@example.com", password: "adam@example.com" },
        "password is too easy to guess. Choose another one.",
      ],
    ];
    for (const [body, message] of wrong)
      expect(told(await browser.call("POST", "/api/settings/claim", { body }))).toEqual(error(400, message));
    expect((await browser.call("POST", "/api/settings/claim", claim("tsc_x", "a@example.com"))).status).toBe(404);
    expect((await browser.call("POST", "/api/settings/claim", claim(service.claimToken, "a@example.com"))).status).toBe(200);
  });
});

describe("log-in", () => {
  test("answers an unknown address and a wrong password alike, and a right one with a new session.", async () => {
    const owner = await claimOwner(service);
    const wrong = error(401, "The e-mail address or the password is wrong.");
    for (const body of [logIn("nobody@example.com"), logIn("owner@example.com", "wrong horse battery"), logIn("not an address")])
      expect(told(await newBrowser(service).call("POST", "/api/settings/session", body))).toEqual(wrong);
    const second = newBrowser(service);
    expect((await second.call("POST", "/api/settings/session", logIn("OWNER@example.com"))).status).toBe(200);
    expect(second.cookie).not.toBe(owner.cookie);
    const { sessions } = (await second.call("GET", "/api/settings/sessions")).json;
    expect(sessions.map(({ isCurrent }: any) => isCurrent)).toEqual(expect.arrayContaining([true, false]));
    expect(sessions).toHaveLength(2);
  });

  test("does not keep a session that somebody set beforehand, and ends the one before.", async () => {
    const browser = await claimOwner(service);
    const before = browser.cookie;
    expect((await browser.call("POST", "/api/settings/session", logIn("owner@example.com"))).status).toBe(200);
    expect(browser.cookie).not.toBe(before);
    expect((await newBrowser(service, before).call("GET", "/api/settings/session")).status).toBe(401);
  });

  test("is held up after many failures at one account, with the right password too; a forwarded address changes nothing.", async () => {
    await claimOwner(service);
    const browser = newBrowser(service);
    await noteFailures(service, () => ({ email: "owner@example.com", network: "127.0.0.1", device: null }), 31_000);
    const held = await browser.call("POST", "/api/settings/session", {
      ...logIn("owner@example.com"),
      headers: { "x-forwarded-for": "203.0.113.9" },
    });
    expect(held.status).toBe(429);
    expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await browser.call("POST", "/api/settings/session", logIn("other@example.com"))).status).toBe(401);
  });

  test("ends with log-out, at the server.", async () => {
    const browser = await claimOwner(service);
    const { cookie } = browser;
    const out = await browser.call("DELETE", "/api/settings/session");
    expect(out.headers.get("set-cookie")).toMatch(/^__Host-tessera_session=; Max-Age=0;/);
    expect(out.headers.get("clear-site-data")).toBe('"cache"');
    expect((await newBrowser(service, cookie).call("GET", "/api/settings/session")).status).toBe(401);
  });

  test("ended by its id leaves the browser as a log-out does; another one's end leaves it alone.", async () => {
    const browser = await claimOwner(service);
    const other = newBrowser(service);
    await other.call("POST", "/api/settings/session", logIn("owner@example.com"));
    const idOf = async (one: typeof browser) => (await one.call("GET", "/api/settings/session")).json.session.id;
    const elsewhere = await browser.call("DELETE", `/api/settings/sessions/${await idOf(other)}`);
    expect([elsewhere.status, elsewhere.headers.get("clear-site-data")]).toEqual([200, null]);
    const own = await browser.call("DELETE", `/api/settings/sessions/${await idOf(browser)}`);
    expect(own.headers.get("set-cookie")).toMatch(/^__Host-tessera_session=; Max-Age=0;/);
    expect(own.headers.get("clear-site-data")).toBe('"cache"');
  });

  test("is not needed for a week without use, nor for more than thirty days.", async () => {
    const browser = await claimOwner(service);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    try {
      const day = 86_400_000;
      vi.setSystemTime(Date.now() + 6 * day);
      expect((await browser.call("GET", "/api/settings/session")).status).toBe(200);
      vi.setSystemTime(Date.now() + 6 * day);
      expect((await browser.call("GET", "/api/settings/session")).status).toBe(200);
      vi.setSystemTime(Date.now() + 7 * day);
      expect((await browser.call("GET", "/api/settings/session")).status).toBe(401);
      expect((await browser.call("POST", "/api/settings/session", logIn("owner@example.com"))).status).toBe(200);
      for (let n = 0; n < 5; n++) {
        vi.setSystemTime(Date.now() + 5.9 * day);
        expect((await browser.call("GET", "/api/settings/session")).status, `after ${n}`).toBe(200);
      }
      vi.setSystemTime(Date.now() + day);
      expect((await browser.call("GET", "/api/settings/session")).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test("leaves no password, token or cookie in what is stored.", async () => {
    const owner = await claimOwner(service);
    const invited = await owner.call("POST", "/api/settings/invitations", { body: { email: "new@example.com" } });
    const dump = await dumpBusiness(service, service.businessId);
    expect(dump).toContain("owner@example.com");
    for (const secret of [PASSWORD, service.claimToken, owner.cookie.split("=")[1], String(invited.json.link).split("#")[1]])
      expect(dump.includes(String(secret))).toBe(false);
  });
});

describe("a session", () => {
  test("may what an unscoped key may, and shows the same board.", async () => {
    const owner = await claimOwner(service);
    const made = await owner.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "By hand." } });
    expect(made.status).toBe(200);
    const byKey = await service.call("GET", `/api/board/${service.boardId}/tiles`);
    expect(byKey.json).toEqual((await owner.call("GET", `/api/board/${service.boardId}/tiles`)).json);
    expect((await owner.call("POST", `/api/board/${service.boardId}/ask`, { body: { question: "By what?" } })).status).toBe(200);
  });

  test("is not looked at where programs call, nor beside a key.", async () => {
    const owner = await claimOwner(service);
    const inbound = await owner.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, content: "x" } });
    expect(told(inbound)).toEqual(error(401, "Missing API key. Send it in the X-API-Key header."));
    const both = await service.call("GET", "/api/settings/session", { headers: { cookie: owner.cookie } });
    expect(told(both)).toEqual(error(403, "This API key does not have the permission for this operation."));
    expect((await owner.call("GET", "/api/me", { headers: { "x-api-key": "tsr_wrong" } })).status).toBe(401);
  });

  test("is refused for a page of another site, and nothing is changed.", async () => {
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

  test("of a changed password ends, but for the one that changed it.", async () => {
    const owner = await claimOwner(service);
    const other = newBrowser(service);
    await other.call("POST", "/api/settings/session", logIn("owner@example.com"));
    const change = (current: string, next: string) =>
      owner.call("POST", "/api/settings/password", { body: { current_password: current, new_password: next } });
    expect(told(await change("wrong horse battery", "a new long password"))).toEqual(error(400, "current_password is wrong."));
    expect(told(await change(PASSWORD, "short"))).toEqual(error(400, "new_password must be at least 10 characters."));
    expect((await change(PASSWORD, "a new long password")).status).toBe(200);
    expect((await other.call("GET", "/api/settings/session")).status).toBe(401);
    expect((await owner.call("GET", "/api/settings/session")).status).toBe(200);
    expect((await newBrowser(service).call("POST", "/api/settings/session", logIn("owner@example.com"))).status).toBe(401);
  });
});

describe("members", () => {
  test("come by an invitation that is bound to their address, once.", async () => {
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
    expect(told(await owner.call("POST", "/api/settings/invitations", { body: { email: "bo@example.com" } }))).toEqual(
      error(409, "A member with this e-mail address exists already."),
    );
  });

  test("are not made by a link that was withdrawn or replaced.", async () => {
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

  test("are invited once under an Idempotency-Key, and the link is shown no second time.", async () => {
    const owner = await claimOwner(service);
    const invite = (once: string) =>
      owner.call("POST", "/api/settings/invitations", { body: { email: "bo@example.com" }, headers: { "idempotency-key": once } });
    const first = await invite("i-1");
    const again = await invite("i-1");
    expect(told(again)).toEqual(
      error(409, expect.stringMatching(/^This call was made before, and its answer showed the link, this once\./)),
    );
    expect((await owner.call("GET", "/api/settings/invitations")).json.invitations).toEqual([first.json.invitation]);
    const next = await invite("i-2");
    expect((await owner.call("GET", "/api/settings/invitations")).json.invitations).toEqual([next.json.invitation]);
  });

  test("may what their role allows, and no more.", async () => {
    const owner = await claimOwner(service);
    const admin = await joinAs(service, owner, "admin");
    const member = await joinAs(service, owner, "member");
    const { members } = (await owner.call("GET", "/api/settings/members")).json;
    const idOf = (role: string): string => members.find((each: any) => each.role === role).id;
    const needAdmin = error(403, "Only an admin or an owner of the business may do this.");
    const needOwner = error(403, "Only an owner of the business may do this.");
    expect((await member.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Mine" } })).status).toBe(200);
    expect(told(await member.call("POST", "/api/board/boards", { body: { name: "Mine" } }))).toEqual(needAdmin);
    expect(told(await member.call("GET", "/api/settings/members"))).toEqual(needAdmin);
    expect(told(await member.call("POST", "/api/settings/invitations", { body: { email: "x@example.com" } }))).toEqual(needAdmin);
    expect((await admin.call("POST", "/api/board/boards", { body: { name: "Theirs" } })).status).toBe(200);
    expect(told(await admin.call("PATCH", `/api/settings/members/${idOf("admin")}`, { body: { role: "owner" } }))).toEqual(needOwner);
    expect(told(await admin.call("POST", "/api/settings/invitations", { body: { email: "x@example.com", role: "owner" } }))).toEqual(
      needOwner,
    );
    expect(told(await admin.call("DELETE", `/api/settings/members/${idOf("owner")}`))).toEqual(needOwner);
    expect((await admin.call("DELETE", `/api/settings/members/${idOf("member")}`)).status).toBe(200);
    expect((await member.call("GET", "/api/settings/session")).status).toBe(401);
  });

  test("keep one owner, and a changed role ends their sessions.", async () => {
    const owner = await claimOwner(service);
    const admin = await joinAs(service, owner, "admin");
    const { members } = (await owner.call("GET", "/api/settings/members")).json;
    const last = error(409, "The last owner of a business can't be removed or given another role. Make another member an owner first.");
    expect(told(await owner.call("PATCH", `/api/settings/members/${members[0].id}`, { body: { role: "member" } }))).toEqual(last);
    expect(told(await owner.call("DELETE", `/api/settings/members/${members[0].id}`))).toEqual(last);
    expect(told(await owner.call("PATCH", `/api/settings/members/${members[1].id}`, { body: { role: "king" } }))).toMatchObject({
      status: 400,
    });
    const raised = await owner.call("PATCH", `/api/settings/members/${members[1].id}`, { body: { role: "owner" } });
    expect(raised.json.member.role).toBe("owner");
    expect((await admin.call("GET", "/api/settings/session")).status).toBe(401);
    const both = await Promise.all(members.map(({ id }: any) => owner.call("DELETE", `/api/settings/members/${id}`)));
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200]);
  });

  test("of another business are not seen, and an address is one business's.", async () => {
    const owner = await claimOwner(service);
    const other = await service.newBusiness("Other Lab");
    const { deps } = service.appContext;
    const { addMember } = await import("#service/people/members.ts");
    const { authorizeBusiness } = await import("#service/access.ts");
    const scope = await authorizeBusiness(deps, { kind: "operator", businessId: other.businessId }, "own");
    const stranger = await addMember(deps, scope, { email: "stranger@example.com", role: "owner", password: PASSWORD });
    await expect(addMember(deps, scope, { email: "owner@example.com", role: "owner", password: PASSWORD })).rejects.toThrow(
      /exists already/,
    );
    expect((await owner.call("GET", "/api/settings/members")).json.members).toHaveLength(1);
    for (const [method, body] of [
      ["PATCH", { role: "member" }],
      ["DELETE", undefined],
    ] as const)
      expect(told(await owner.call(method, `/api/settings/members/${stranger.id}`, body === undefined ? {} : { body }))).toEqual(
        error(404, "Member not found."),
      );
    const browser = newBrowser(service);
    expect((await browser.call("POST", "/api/settings/session", logIn("stranger@example.com"))).json.business.name).toBe("Other Lab");
    expect((await browser.call("GET", `/api/board/${service.boardId}/zones`)).status).toBe(404);
  });
});
