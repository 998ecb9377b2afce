import { afterEach, beforeEach, expect, test } from "vitest";
import { AppError } from "#domain/core/errors/error.ts";
import type { LogInThrottleStore, ThrottleEntry } from "#domain/settings/log-in-throttle.ts";
import type { NewSession } from "#domain/settings/member.ts";
import type { Store } from "#domain/store.ts";
import { keepSessionsInMemory, type MemorySessions } from "#service/people/memory-sessions.ts";
import { createBusiness } from "#service/content/boards.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { withMethods } from "../support/with-methods.ts";

const NOW = 1_000;
const LATER = 2_000;

let store: Store;
let kept: MemorySessions;
let isFull: boolean;
let member: { readonly businessId: string; readonly memberId: string };

const failIfFull = (): void => {
  if (isFull) throw new AppError("storage_full", "The disk is full.");
};

beforeEach(async () => {
  isFull = false;
  store = openStore(":memory:");
  const { people, logInThrottle } = store;
  const business = await createBusiness({ store, clock: { now: () => NOW } }, "Test");
  await people.createSetupToken(business.id, "setup", LATER);
  const first = session("first");
  const owner = { id: "mem_1", email: "owner@example.com", password: "hash", createdAt: NOW };
  await people.createFirstOwner("setup", owner, first);
  member = { businessId: business.id, memberId: "mem_1" };
  kept = keepSessionsInMemory({
    rateLimits: null,
    people: withMethods(people, {
      async startSession(one) {
        failIfFull();
        await people.startSession(one);
      },
    }),
    logInThrottle: withMethods(logInThrottle, {
      async change<T>(...args: Parameters<LogInThrottleStore["change"]>): Promise<T> {
        failIfFull();
        return (await logInThrottle.change(...args)) as T;
      },
    } as Partial<LogInThrottleStore>),
  });
});
afterEach(() => store.close());

const session = (id: string, expiresAt = LATER): NewSession => ({
  id,
  hash: `hash of ${id}`,
  businessId: member?.businessId ?? "",
  memberId: "mem_1",
  agent: "",
  createdAt: NOW,
  lastSeenAt: NOW,
  expiresAt,
});
const ended = (now: number, ...ids: string[]): Promise<string[]> =>
  kept.people.findEndedSessions(
    ids.map((id) => ({ businessId: member.businessId, id })),
    now,
  );
const listed = async (): Promise<string[]> => (await kept.people.sessions(member.businessId, member.memberId)).map(({ id }) => id).sort();

test("a session in memory is active until it expires or is ended, and is listed", async () => {
  isFull = true;
  await kept.people.startSession(session("kept"));
  expect(await ended(NOW, "first", "kept", "unknown")).toEqual(["unknown"]);
  expect(await listed()).toEqual(["first", "kept"]);
  expect((await ended(LATER, "first", "kept")).sort()).toEqual(["first", "kept"]);
  expect(await kept.people.endSession(member.businessId, member.memberId, "kept")).toBe(true);
  expect(await ended(NOW, "kept")).toEqual(["kept"]);
  expect(await listed()).toEqual(["first"]);
});

test("a session in memory is stored when there is room, unless it was ended meanwhile", async () => {
  isFull = true;
  await kept.people.startSession(session("kept"));
  isFull = false;
  await kept.storeSessions();
  expect(await ended(NOW, "kept")).toEqual([]);
  expect(await listed()).toEqual(["first", "kept"]);

  isFull = true;
  await kept.people.startSession(session("ending"));
  isFull = false;
  await Promise.all([kept.storeSessions(), kept.people.endSession(member.businessId, member.memberId, "ending")]);
  expect(await listed()).toEqual(["first", "kept"]);
});

test("a new password ends the sessions in memory but the one that goes on", async () => {
  isFull = true;
  for (const id of ["mine", "other"]) await kept.people.startSession(session(id));
  const by = { kind: "operator" as const, businessId: member.businessId };
  await kept.people.setPassword({ businessId: member.businessId, id: "mem_1" }, "new", { by, keepSession: "mine", now: NOW });
  expect(await ended(NOW, "mine", "other")).toEqual(["other"]);
});

test("failed attempts in memory are stored, and never replace newer ones", async () => {
  const entry = (failures: number, lastAt: number): ThrottleEntry => ({ failures, lastAt, nextAt: 0, expiresAt: 10_000 });
  const write = (one: ThrottleEntry) =>
    kept.logInThrottle.change(["network"], (entries) => ({ write: new Map([["network", one]]), result: entries.get("network")?.failures }));
  isFull = true;
  await write(entry(1, 1));
  isFull = false;
  await kept.storeSessions();
  expect(await write(entry(2, 2))).toBe(1);
  isFull = true;
  expect(await write(entry(3, 3))).toBe(2);
  isFull = false;
  await write(entry(4, 4));
  await kept.storeSessions();
  isFull = true;
  expect(await write(entry(5, 5))).toBe(4);
});
