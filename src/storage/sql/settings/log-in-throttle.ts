import type { LogInThrottleStore, ThrottleEntries, ThrottleEntry } from "#domain/settings/log-in-throttle.ts";
import type { Driver } from "../driver.ts";
import { insert, Mapping, plainFields } from "../mapping.ts";
import { run, type Unit } from "../unit.ts";

const ENTRIES = new Mapping<ThrottleEntry & { readonly name: string }>(plainFields("name", "failures", "lastAt", "nextAt", "expiresAt"));

const REPLACE = ` ON CONFLICT (business_id, name) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at,
  next_at = excluded.next_at, expires_at = excluded.expires_at`;
/** A number above any row count, since PostgreSQL and SQLite have different syntax for "no limit". */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export function createLogInThrottleStore({ dialect, toSharedTime, read, write }: Driver): LogInThrottleStore {
  function* readEntries(names: readonly string[]): Unit<ThrottleEntries> {
    const rows = yield* ENTRIES.list(`log_in_throttle WHERE business_id = '' AND ${dialect.isAnyOf("name", "names")}`, { names });
    return new Map(rows.map(({ name, ...entry }) => [name, entry]));
  }

  return {
    toSharedTime,
    read: (names) => read(() => readEntries(names)),

    change: (names, decide) =>
      write(function* () {
        // An advisory lock, since a name may have no row yet. The names are sorted to avoid deadlocks.
        for (const name of [...names].sort()) yield* dialect.lock("log-in", name);
        const { write: changes, result } = decide(yield* readEntries(names));
        for (const [name, entry] of changes) yield* insert("log_in_throttle", { businessId: "", name, ...entry }, REPLACE);
        return result;
      }),

    async trim(maxEntries, now) {
      await write(() => run("DELETE FROM log_in_throttle WHERE business_id = '' AND expires_at <= @now", { now }));
      await write(() =>
        run(
          `DELETE FROM log_in_throttle WHERE business_id = '' AND name IN (SELECT name FROM log_in_throttle
           WHERE business_id = '' ORDER BY expires_at DESC LIMIT ${NO_LIMIT} OFFSET @maxEntries)`,
          { maxEntries },
        ),
      );
    },
  };
}
