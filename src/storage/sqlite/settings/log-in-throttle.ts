import type { LogInThrottleStore, ThrottleEntries } from "#domain/settings/log-in-throttle.ts";
import { THROTTLE_COLUMNS, type ThrottleRow, throttleEntriesOf } from "../../shared/rows/throttle-rows.ts";
import type { Connection } from "../engine/database.ts";

export function createLogInThrottleStore(db: Connection): LogInThrottleStore {
  const readAll = (names: readonly string[]): ThrottleEntries =>
    throttleEntriesOf(
      names.flatMap(
        (name) => db.get<ThrottleRow>(`SELECT ${THROTTLE_COLUMNS} FROM log_in_throttle WHERE business_id = '' AND name = ?`, name) ?? [],
      ),
    );
  return {
    read: async (names) => readAll(names),

    change: (names, decide) =>
      db.write(() => {
        const { write, result } = decide(readAll(names));
        for (const [name, { failures, lastAt, nextAt, expiresAt }] of write)
          db.run(
            `INSERT INTO log_in_throttle (business_id, ${THROTTLE_COLUMNS}) VALUES ('', ?, ?, ?, ?, ?)
             ON CONFLICT (business_id, name) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at,
               next_at = excluded.next_at, expires_at = excluded.expires_at`,
            name,
            failures,
            lastAt,
            nextAt,
            expiresAt,
          );
        return result;
      }),

    async trim(maxEntries, now) {
      await db.write(() => {
        db.run("DELETE FROM log_in_throttle WHERE business_id = '' AND expires_at <= ?", now);
        db.run(
          `DELETE FROM log_in_throttle WHERE business_id = '' AND name IN (SELECT name FROM log_in_throttle
           WHERE business_id = '' ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
          maxEntries,
        );
      });
    },
  };
}
