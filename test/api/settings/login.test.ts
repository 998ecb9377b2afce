import { expect, test, vi } from "vitest";
import { dumpBusiness } from "../../support/test-data.ts";
import { recordFailures } from "../../support/people/failed-log-ins.ts";
import { PASSWORD, claimOwner, newBrowser } from "../../support/people/people.ts";
import { service, claim, logIn, error, toError, usePeopleService } from "./support/people-service.ts";

usePeopleService();

test("the first owner is created once with the printed link, and logged in with an HttpOnly cookie", async () => {
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

test("the first owner is created once despite concurrent requests", async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      newBrowser(service).call("POST", "/api/settings/claim", claim(service.claimToken, `racer${n}@example.com`)),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
  expect(await service.appContext.deps.store.people.members(service.businessId)).toHaveLength(1);
});

test("the first owner gets errors per field, and the link stays valid", async () => {
  const browser = newBrowser(service);
  const wrong: readonly (readonly [object, string])[] = [
    [{ email: "a@example.com", password: PASSWORD }, "token is required."],
    [{ token: service.claimToken, email: "nobody", password: PASSWORD }, "email must be an e-mail address, such as name@example.com."],
    [{ token: service.claimToken, email: "a@example.com", password: "short" }, "password must be at least 10 characters."],
    [{ token: service.claimToken, email: "a@example.com", password: "aaaaaaaaaaaa" }, "password is too easy to guess. Choose another one."],
    [
      { token: service.claimToken, email: "adam@example.com", password: "adam@example.com" },
      "password is too easy to guess. Choose another one.",
    ],
  ];
  for (const [body, message] of wrong)
    expect(toError(await browser.call("POST", "/api/settings/claim", { body }))).toEqual(error(400, message));
  expect((await browser.call("POST", "/api/settings/claim", claim("tsc_x", "a@example.com"))).status).toBe(404);
  expect((await browser.call("POST", "/api/settings/claim", claim(service.claimToken, "a@example.com"))).status).toBe(200);
});

test("login responds alike to an unknown address and a wrong password, and creates a session for the right one", async () => {
  const owner = await claimOwner(service);
  const wrong = error(401, "The e-mail address or the password is wrong.");
  for (const body of [logIn("nobody@example.com"), logIn("owner@example.com", "wrong horse battery"), logIn("not an address")])
    expect(toError(await newBrowser(service).call("POST", "/api/settings/session", body))).toEqual(wrong);
  const second = newBrowser(service);
  expect((await second.call("POST", "/api/settings/session", logIn("OWNER@example.com"))).status).toBe(200);
  expect(second.cookie).not.toBe(owner.cookie);
  const { sessions } = (await second.call("GET", "/api/settings/sessions")).json;
  expect(sessions.map(({ isCurrent }: any) => isCurrent)).toEqual(expect.arrayContaining([true, false]));
  expect(sessions).toHaveLength(2);
});

test("login does not adopt a preset session, and ends the previous one", async () => {
  const browser = await claimOwner(service);
  const before = browser.cookie;
  expect((await browser.call("POST", "/api/settings/session", logIn("owner@example.com"))).status).toBe(200);
  expect(browser.cookie).not.toBe(before);
  expect((await newBrowser(service, before).call("GET", "/api/settings/session")).status).toBe(401);
});

test("login is delayed after many failures of an account, also with the right password; X-Forwarded-For has no effect", async () => {
  await claimOwner(service);
  const browser = newBrowser(service);
  await recordFailures(service, () => ({ email: "owner@example.com", network: "127.0.0.1", device: null }), 31_000);
  const held = await browser.call("POST", "/api/settings/session", {
    ...logIn("owner@example.com"),
    headers: { "x-forwarded-for": "203.0.113.9" },
  });
  expect(held.status).toBe(429);
  expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await browser.call("POST", "/api/settings/session", logIn("other@example.com"))).status).toBe(401);
});

test("a session ends with logout, on the server", async () => {
  const browser = await claimOwner(service);
  const { cookie } = browser;
  const out = await browser.call("DELETE", "/api/settings/session");
  expect(out.headers.get("set-cookie")).toMatch(/^__Host-tessera_session=; Max-Age=0;/);
  expect(out.headers.get("clear-site-data")).toBe('"cache"');
  expect((await newBrowser(service, cookie).call("GET", "/api/settings/session")).status).toBe(401);
});

test("a session revoked by its id clears the cookie of its own browser only", async () => {
  const browser = await claimOwner(service);
  const other = newBrowser(service);
  await other.call("POST", "/api/settings/session", logIn("owner@example.com"));
  const getSessionId = async (one: typeof browser) => (await one.call("GET", "/api/settings/session")).json.session.id;
  const elsewhere = await browser.call("DELETE", `/api/settings/sessions/${await getSessionId(other)}`);
  expect([elsewhere.status, elsewhere.headers.get("clear-site-data")]).toEqual([200, null]);
  const own = await browser.call("DELETE", `/api/settings/sessions/${await getSessionId(browser)}`);
  expect(own.headers.get("set-cookie")).toMatch(/^__Host-tessera_session=; Max-Age=0;/);
  expect(own.headers.get("clear-site-data")).toBe('"cache"');
});

test("a session expires after a week without use, and after 30 days at most", async () => {
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

test("login stores no password, token or cookie in plain text", async () => {
  const owner = await claimOwner(service);
  const invited = await owner.call("POST", "/api/settings/invitations", { body: { email: "new@example.com" } });
  const dump = await dumpBusiness(service, service.businessId);
  expect(dump).toContain("owner@example.com");
  for (const secret of [PASSWORD, service.claimToken, owner.cookie.split("=")[1], String(invited.json.link).split("#")[1]])
    expect(dump.includes(String(secret))).toBe(false);
});
