import { NO_USAGE, type UsageStore } from "#domain/model/usage.ts";
import { USAGE_SUMS, type UsageSumRow, usageTotalOf } from "../../shared/rows/rows.ts";
import type { Connection } from "../engine/database.ts";

export function createUsageStore(db: Connection): UsageStore {
  return {
    add: async ({ businessId, keyId, day, endpoint, usage }) => {
      await db.write(() =>
        db.run(
          `INSERT INTO usage (business_id, api_key_id, day, endpoint, calls, input_tokens, output_tokens) VALUES (?, ?, ?, ?, 1, ?, ?)
           ON CONFLICT (business_id, api_key_id, day, endpoint) DO UPDATE SET calls = calls + 1,
             input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens`,
          businessId,
          keyId,
          day,
          endpoint,
          usage.input,
          usage.output,
        ),
      );
    },

    async total(businessId, keyId, { from, before }) {
      const row = db.get<UsageSumRow>(
        `SELECT ${USAGE_SUMS} FROM usage WHERE business_id = ? AND api_key_id = ? AND day >= ? AND day < ?`,
        businessId,
        keyId,
        from,
        before,
      );
      return row === undefined ? NO_USAGE : usageTotalOf(row);
    },

    async totals(businessId, { from, before }) {
      const rows = db.all<UsageSumRow & { api_key_id: string }>(
        `SELECT api_key_id, ${USAGE_SUMS} FROM usage WHERE business_id = ? AND day >= ? AND day < ? GROUP BY api_key_id`,
        businessId,
        from,
        before,
      );
      return new Map(rows.map((row) => [row.api_key_id, usageTotalOf(row)]));
    },
  };
}
