import { expect, it } from "vitest";
import type { Owner } from "#runtime/turns/fair-queue.ts";
import { getCurrentOwner } from "#runtime/turns/current-owner.ts";
import type { Database } from "#storage/postgres/engine/database.ts";
import type { NotificationBus } from "#storage/postgres/engine/notification-bus.ts";
import { createKeyLookup } from "#storage/postgres/adapters/api-key-cache.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A lookup on a database that answers when it is told to, and the statements that wait for it. */
function setUp() {
  const waiting: { readonly owner: Owner | undefined; answer(row: object | undefined): void }[] = [];
  const db = {
    get: () => new Promise((answer) => waiting.push({ owner: getCurrentOwner(), answer })),
  } as unknown as Database;
  const listeners: ((topic: string) => void)[] = [];
  const bus = { subscribe: (listener: (topic: string) => void) => listeners.push(listener) } as unknown as NotificationBus;
  const find = createKeyLookup(db, bus);
  const announceChange = (): void => listeners.forEach((listener) => listener("keys"));
  return { find, waiting, announceChange };
}

it("keys that were never found take turns at the connections as one caller, and known ones apart from them", async () => {
  const { find, waiting, announceChange } = setUp();
  const owners = () => waiting.map(({ owner }) => owner);
  const known = find("known");
  await settle();
  waiting.pop()?.answer({ id: "key_1" });
  expect(await known).toMatchObject({ id: "key_1" });
  expect(find("known")).toMatchObject({ id: "key_1" });
  const guesses = ["guess 1", "guess 2"].map(find);
  // A change of any key makes the cached ones out of date.
  announceChange();
  const again = find("known");
  await settle();
  expect(owners()).toEqual(["unknown keys", "unknown keys", undefined]);
  waiting.pop()?.answer({ id: "key_1", revokedAt: 1 });
  expect(await again).toMatchObject({ revokedAt: 1 });
  for (const { answer } of waiting) answer(undefined);
  expect(await Promise.all(guesses)).toEqual([null, null]);
});
