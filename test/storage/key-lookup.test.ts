import { expect, it } from "vitest";
import type { Database } from "#storage/postgres/engine/database.ts";
import type { NotificationBus } from "#storage/postgres/engine/notification-bus.ts";
import { createKeyLookup } from "#storage/postgres/settings/api-key-cache.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A lookup on a database that answers when it is told to, and the statements that wait for it. */
function setUp() {
  const waiting: { readonly hash: string; answer(row: object | undefined): void }[] = [];
  const db = {
    get: (_sql: string, hash: string) => new Promise((answer) => waiting.push({ hash, answer })),
  } as unknown as Database;
  const listeners: ((topic: string) => void)[] = [];
  const bus = { subscribe: (listener: (topic: string) => void) => listeners.push(listener) } as unknown as NotificationBus;
  const find = createKeyLookup(db, bus);
  const announceChange = (): void => listeners.forEach((listener) => listener("keys"));
  return { find, waiting, announceChange };
}

it("keys that were never found take few connections, and known ones do not wait for them", async () => {
  const { find, waiting, announceChange } = setUp();
  const known = find("known");
  await settle();
  waiting.pop()?.answer({ id: "key_1" });
  expect(await known).toMatchObject({ id: "key_1" });
  expect(find("known")).toMatchObject({ id: "key_1" });
  const guesses = Array.from({ length: 50 }, (_, n) => find(`guess ${n}`));
  await settle();
  expect(waiting).toHaveLength(2);
  // A change of any key makes the cached ones out of date.
  announceChange();
  const again = find("known");
  await settle();
  expect(waiting.map(({ hash }) => hash)).toEqual(["guess 0", "guess 1", "known"]);
  waiting.pop()?.answer({ id: "key_1", revokedAt: 1 });
  expect(await again).toMatchObject({ revokedAt: 1 });
  for (let n = 0; n < guesses.length; n++) {
    waiting.shift()?.answer(undefined);
    await settle();
  }
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([null]));
});
