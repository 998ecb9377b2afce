import { TestClock } from "pg-boss";
import type { Store } from "#domain/store.ts";
import { openStore } from "#storage/postgres/store.ts";
import { newMigratedDatabase } from "./migrated.ts";

/** Numbers in the range of times of this century, in milliseconds since 1970, are times. */
const isTime = (value: unknown): value is number => typeof value === "number" && value > Date.UTC(2001) && value < Date.UTC(2101);

/**
 * Opens a store on a new database. The queue of PostgreSQL uses the clock of the database, while callers pass the time to that of SQLite.
 * So each call with a time argument first sets the clock to it.
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
