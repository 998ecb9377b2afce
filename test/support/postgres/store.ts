import { TestClock } from "pg-boss";
import type { Store } from "#domain/store.ts";
import { openStore } from "#storage/postgres/store.ts";
import { newMigratedDatabase } from "./migrated.ts";

/** Times are told from other numbers by their size: milliseconds since 1970 of this century. */
const isTime = (value: unknown): value is number => typeof value === "number" && value > Date.UTC(2001) && value < Date.UTC(2101);

/**
 * A store on a database of its own. The queue reads the database's clock where callers of SQLite's tell the time; so each call that
 * names a time first sets the clock to it.
 */
export async function openPostgresStore(): Promise<Store> {
  const database = await newMigratedDatabase();
  const clock = new TestClock(Date.UTC(2026, 0, 1));
  const store = await openStore({ url: database.url, connections: 10, clock });
  let setting: Promise<void> = Promise.resolve();
  const setTime = (time: number): Promise<void> => {
    setting = setting.then(() => (clock.now() === time ? undefined : clock.setTime(time)));
    return setting;
  };
  const timed = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== "function") return value;
        return (...values: unknown[]) => {
          const time = values.findLast(isTime);
          if (time === undefined) return value.apply(target, values);
          return setTime(time).then(() => value.apply(target, values));
        };
      },
    });
  return {
    ...store,
    zones: timed(store.zones),
    tiles: timed(store.tiles),
    queue: timed(store.queue),
    async close() {
      await store.close();
      await database.drop();
    },
  };
}
