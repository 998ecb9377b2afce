import type { LogInThrottleStore } from "#domain/settings/log-in-throttle.ts";
import { THROTTLE_COLUMNS, type ThrottleRow, throttleEntriesOf } from "../../shared/rows/throttle-rows.ts";
import type { Database, Reader } from "../engine/database.ts";

const readAll = async (on: Reader, names: readonly string[]) =>
  throttleEntriesOf(
    await on.all<ThrottleRow>(`SELECT ${THROTTLE_COLUMNS} FROM log_in_throttle WHERE business_id = '' AND name = ANY($1)`, names),
  );

export function createLogInThrottleStore(db: Database): LogInThrottleStore {
  return {
    read: (names) => readAll(db, names),

    change: (names, decide) =>
      db.write(async (tx) => {
        // A name may have no row yet that could be locked. In one order, so that two changes do not wait for each other in a circle.
        for (const name of [...names].sort()) await tx.get("SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", name);
        const { write, result } = decide(await readAll(tx, names));
        for (const [name, { failures, lastAt, nextAt, expiresAt }] of write)
          await tx.run(
            `INSERT INTO log_in_throttle (business_id, ${THROTTLE_COLUMNS}) VALUES ('', $1, $2, $3, $4, $5)
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
      await db.write((tx) => tx.run("DELETE FROM log_in_throttle WHERE business_id = '' AND expires_at <= $1", now));
      await db.write((tx) =>
        tx.run(
          `DELETE FROM log_in_throttle WHERE business_id = '' AND name IN (SELECT name FROM log_in_throttle
           WHERE business_id = '' ORDER BY expires_at DESC OFFSET $1)`,
          maxEntries,
        ),
      );
    },
  };
}
