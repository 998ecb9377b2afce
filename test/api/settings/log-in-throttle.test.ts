import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordFailures } from "../../support/people/failed-log-ins.ts";
import { PASSWORD, claimOwner, newBrowser } from "../../support/people/people.ts";
import { type TestService, startTestService } from "../../support/service.ts";

// Checking a password takes 0.1 s of CPU time, and other tests run at the same time.
vi.setConfig({ testTimeout: 180_000 });

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ ROLE: "api", TRUST_PROXY: "127.0.0.1" });
});
afterEach(() => service.stop());

const PATH = "/api/settings/session";

/** Logs in through the trusted proxy from `address`; returns the status and Retry-After. */
async function logIn(address: string, email: string, password: string, cookie = "") {
  const headers = { "x-forwarded-for": address };
  const { status, headers: told, json } = await newBrowser(service, cookie).call("POST", PATH, { body: { email, password }, headers });
  return { status, wait: told.get("retry-after"), error: json.error as string | undefined, cookies: told.getSetCookie() };
}

/** Uses up the attempts of an account from unknown networks. */
const fail = (email: string) => recordFailures(service, (n) => ({ email, network: `203.0.113.${n}`, device: null }));

const ADDRESSES: readonly (readonly [string, (n: number) => string])[] = [
  ["120 addresses of one IPv6 /64", (n) => `2001:db8:1:2:${n.toString(16)}::${n.toString(16)}`],
  ["120 addresses of as many networks", (n) => `203.0.113.${n + 1}`],
];

test.each(ADDRESSES)(
  "wrong passwords for one account are limited to a few attempts from %s, also for unknown accounts",
  async (_name, getAddress) => {
    await claimOwner(service);
    // As many at once as the server checks without rejecting.
    const tryAll = async (email: string, count: number) => {
      const answers = [];
      for (let n = 0; n < count; n += 10)
        answers.push(
          ...(await Promise.all(Array.from({ length: 10 }, (_, i) => logIn(getAddress(n + i), email, `wrong ${n + i} horse battery`)))),
        );
      return answers;
    };
    for (const [email, count] of [
      ["owner@example.com", 120],
      ["nobody@example.com", 20],
    ] as const) {
      const answers = await tryAll(email, count);
      const tried = answers.filter(({ status }) => status === 401);
      const held = answers.filter(({ status }) => status === 429);
      expect(tried.length, email).toBeGreaterThanOrEqual(10);
      expect(tried.length, email).toBeLessThanOrEqual(16);
      expect(tried.length + held.length).toBe(count);
      expect(held[0]?.error).toMatch(/^Too many failed attempts\. Wait \d+ s, then try again\.$/);
      expect(Number(held[0]?.wait)).toBeGreaterThan(0);
    }
  },
);

test("wrong passwords for one account from elsewhere do not block the owner's network or browser", async () => {
  await claimOwner(service);
  const home = await logIn("198.51.100.7", "owner@example.com", PASSWORD);
  expect(home.status).toBe(200);
  const device = home.cookies.find((cookie) => cookie.includes("tessera_device"))?.split(";", 1)[0];
  await fail("owner@example.com");
  expect((await logIn("192.0.2.1", "owner@example.com", PASSWORD)).status).toBe(429);
  expect((await logIn("::ffff:198.51.100.7", "owner@example.com", PASSWORD)).status).toBe(200);
  expect((await logIn("192.0.2.2", "owner@example.com", PASSWORD, device)).status).toBe(200);
  // A browser known for one account is unknown for the others.
  await fail("other@example.com");
  expect((await logIn("192.0.2.3", "other@example.com", PASSWORD, device)).status).toBe(429);
});

test("sessions cannot be used to guess the password by changing it", async () => {
  const browser = await claimOwner(service);
  const change = () =>
    browser.call("POST", "/api/settings/password", {
      body: { current_password: "wrong horse battery", new_password: "another horse battery" },
    });
  const statuses = [];
  for (let n = 0; n < 14; n++) statuses.push((await change()).status);
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400));
  expect(statuses).toContain(429);
  expect((await logIn("198.51.100.1", "owner@example.com", PASSWORD)).status).toBe(200);
});

test("a new password that is too short does not count as a wrong guess of the current one", async () => {
  const browser = await claimOwner(service);
  for (let n = 0; n < 12; n++) {
    const body = { current_password: PASSWORD, new_password: "short" };
    const { status, json } = await browser.call("POST", "/api/settings/password", { body });
    expect([status, json.error]).toEqual([400, expect.stringContaining("new_password")]);
  }
});

test("links cannot be guessed faster than passwords", async () => {
  const statuses = [];
  for (let n = 0; n < 40; n++)
    statuses.push(
      (
        await newBrowser(service).call("POST", "/api/settings/invitations/look", {
          body: { token: `tsj_${n}` },
          headers: { "x-forwarded-for": `2001:db8:1:2::${n}` },
        })
      ).status,
    );
  expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 404));
  expect(statuses).toContain(429);
});
