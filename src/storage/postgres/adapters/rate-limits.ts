import type { RateLimitStore } from "#domain/store.ts";
import type { Database } from "../engine/database.ts";

export function createRateLimitStore(db: Database): RateLimitStore {
  return {
    async count(businessId, name, calls, windowMs, nodeNow) {
      // By the server's clock, since nodes whose clocks differ by a window would otherwise begin a new one at every call.
      const now = await db.toServerTime(nodeNow);
      // A window that starts far in the future was set by a wrong clock, so it starts again. The table is unlogged: a crash may lose counts.
      const row = await db.get<{ window_start: number; used: number }>(
        `INSERT INTO allowance (business_id, name, window_start, used) VALUES (@businessId, @name, @now, @calls)
         ON CONFLICT (business_id, name) DO UPDATE SET
           window_start = CASE WHEN abs(@now - allowance.window_start) >= @windowMs THEN @now ELSE allowance.window_start END,
           used = CASE WHEN abs(@now - allowance.window_start) >= @windowMs THEN @calls ELSE allowance.used + @calls END
         RETURNING window_start, used`,
        { businessId, name, now, calls, windowMs },
      );
      return { start: row?.window_start ?? now, used: row?.used ?? calls, now };
    },
  };
}
