import type { FastifyReply, FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "#domain/core/errors/error.ts";
import { MAX_THROTTLE_ENTRIES } from "#domain/settings/log-in-throttle.ts";
import type { Store } from "#domain/store.ts";
import { createDeviceCookie } from "#http/auth/device-cookie.ts";
import { type AttemptOrigin, createLogInThrottle, type LogInThrottle } from "#service/people/log-in-throttle.ts";
import { openStore } from "#storage/sqlite/store.ts";

const SECOND = 1_000;
const DAY = 86_400_000;
const OWNER = "owner@example.com";

let store: Store;
let throttle: LogInThrottle;
let now: number;
const clock = { now: () => now };

beforeEach(() => {
  store = openStore(":memory:");
  throttle = createLogInThrottle({ store, clock });
  now = Date.UTC(2026, 0, 1);
});

afterEach(() => store.close());

const at = (network: string, email: string | null = OWNER, device: string | null = null): AttemptOrigin => ({ network, email, device });

/** Seconds that a failing attempt has to wait; 0 if it was allowed and failed. */
async function fail(origin: AttemptOrigin): Promise<number> {
  try {
    await throttle.begin(origin);
    return 0;
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return error.retryAfterSeconds ?? -1;
    throw error;
  }
}

/** A successful login of the owner from this network. */
const logIn = async (origin: AttemptOrigin): Promise<void> => throttle.forget(await throttle.begin(origin), OWNER);

/** The number of allowed attempts within `hours`, with one try per second by the next attacker. */
async function countAllowed(hours: number, attempters: (n: number) => AttemptOrigin): Promise<number> {
  let through = 0;
  for (let n = 0; n < hours * 3_600; n++, now += SECOND) if ((await fail(attempters(n))) === 0) through++;
  return through;
}

test("login attempts from changing networks are limited to one a minute, but always possible", async () => {
  expect(await countAllowed(1, (n) => at(`net ${n}`))).toBeLessThanOrEqual(75);
  const second = await countAllowed(1, (n) => at(`other ${n}`));
  expect(second).toBeGreaterThanOrEqual(59);
  expect(second).toBeLessThanOrEqual(61);
});

test("login attempts for one account are delayed increasingly, at most a minute, and no longer for repeated tries", async () => {
  for (let n = 0; n < 10; n++) expect(await fail(at(`net ${n}`))).toBe(0);
  const waits: number[] = [];
  for (let n = 0; n < 6; n++) {
    const wait = await fail(at("net a"));
    for (let insisting = 0; insisting < 20; insisting++) expect(await fail(at("net a"))).toBe(wait);
    waits.push(wait);
    now += wait * SECOND;
    expect(await fail(at(`net ${n}`))).toBe(0);
  }
  expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
});

test("login attempts for one account do not block a network or a browser that logged in recently", async () => {
  await logIn(at("home"));
  await countAllowed(0.05, (n) => at(`net ${n}`));
  expect(await fail(at("elsewhere"))).toBeGreaterThan(0);
  await logIn(at("home"));
  await logIn(at("a train", OWNER, "laptop"));
  now += 20 * DAY;
  await countAllowed(0.05, (n) => at(`net ${n}`));
  await logIn(at("home"));
  await logIn(at("a train"));
  expect(await fail(at("a train", "other@example.com"))).toBe(0);
});

test("login attempts from a known network have a separate counter, which a login resets", async () => {
  await logIn(at("home"));
  for (let n = 0; n < 10; n++) expect(await fail(at("home"))).toBe(0);
  expect(await fail(at("home"))).toBe(5);
  now += 5 * SECOND;
  await logIn(at("home"));
  for (let n = 0; n < 10; n++) expect(await fail(at("home"))).toBe(0);
});

test("login attempts for one account are counted alike whether the account exists or not, however it is spelled", async () => {
  for (const email of ["nobody@example.com", OWNER]) {
    for (let n = 0; n < 10; n++) expect(await fail(at(`net ${email} ${n}`, n % 2 === 0 ? email : ` ${email.toUpperCase()} `))).toBe(0);
    expect(await fail(at("net", email))).toBe(5);
  }
});

test("login attempts that succeed are no failures, also for many logins from one network", async () => {
  for (let n = 0; n < 100; n++) {
    const origin = at("office", `person${n}@example.com`);
    const begun = await throttle.begin(origin);
    await throttle.forget(begun, origin.email);
  }
  expect(await fail(at("office", "somebody@example.com"))).toBe(0);
});

test("attempts of one network are throttled together, for all accounts and links", async () => {
  expect(await countAllowed(0.5, (n) => at("one", n % 2 === 0 ? null : `person${n}@example.com`))).toBeLessThanOrEqual(65);
  expect(await fail(at("two", "person1@example.com"))).toBe(0);
});

test("concurrent attempts are counted one by one", async () => {
  const waits = await Promise.all(Array.from({ length: 50 }, (_, n) => fail(at(`net ${n}`))));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
});

test("a clock that was ahead blocks nobody once it is corrected, and failures expire", async () => {
  now += 40 * DAY;
  for (let n = 0; n < 14; n++, now += 60 * SECOND) await fail(at(`net ${n}`));
  now -= 40 * DAY;
  expect(await fail(at("net a"))).toBe(0);
  expect(await fail(at("net b"))).toBeGreaterThan(0);
  now += DAY;
  for (let n = 0; n < 10; n++) expect(await fail(at(`net ${n}`))).toBe(0);
});

test("each throttle trims its own store after every 1,000 attempts, independent of others in the process", async () => {
  const other = openStore(":memory:");
  try {
    const trim = vi.spyOn(store.logInThrottle, "trim");
    const neighbour = createLogInThrottle({ store: other, clock });
    for (let n = 0; n < 999; n++) await throttle.begin(at(`net ${n}`, `person${n}@example.com`));
    await neighbour.begin(at("net"));
    expect(trim).not.toHaveBeenCalled();
    await throttle.begin(at("net"));
    expect(trim.mock.calls).toEqual([[MAX_THROTTLE_ENTRIES, now]]);
  } finally {
    await other.close();
  }
});

test("Unicode spellings of one address are one account", async () => {
  const spellings = ["ren\u00E9@example.com", "rene\u0301@example.com"] as const;
  for (let n = 0; n < 10; n++) expect(await fail(at(`net ${n}`, spellings[0]))).toBe(0);
  expect(await fail(at("net a", spellings[0]))).toBeGreaterThan(0);
  expect(await fail(at("net b", spellings[1]))).toBeGreaterThan(0);
});

test("a browser is known for every spelling of its account", () => {
  const cookies = createDeviceCookie("secret", false);
  let cookie = "";
  const reply = { header: (_name: string, value: string) => (cookie = value.split(";", 1)[0] ?? "") } as unknown as FastifyReply;
  cookies.set({ headers: {} } as FastifyRequest, reply, "ren\u00E9@example.com");
  const known = { headers: { cookie } } as FastifyRequest;
  expect(cookies.read(known, "rene\u0301@example.com")).toBe(cookies.read(known, "ren\u00E9@example.com"));
  expect(cookies.read(known, " RENE\u0301@example.com")).not.toBeNull();
});
