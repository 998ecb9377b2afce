import { NO_USAGE, type UsageStore } from "#domain/model/usage.ts";
import { USAGE_SUMS, type UsageSumRow, usageTotalOf } from "../../shared/rows/rows.ts";
import type { Database } from "../engine/database.ts";

export function createUsageStore(db: Database): UsageStore {
  return {
    add: async ({ businessId, keyId, day, endpoint, usage }) => {
      await db.write((tx) =>
        tx.run(
          `INSERT INTO usage (business_id, api_key_id, day, endpoint, calls, input_tokens, output_tokens) VALUES ($1, $2, $3, $4, 1, $5, $6)
           ON CONFLICT (business_id, api_key_id, day, endpoint) DO UPDATE SET calls = usage.calls + 1,
             input_tokens = usage.input_tokens + excluded.input_tokens, output_tokens = usage.output_tokens + excluded.output_tokens`,
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
      const row = await db.get<UsageSumRow>(
        `SELECT ${USAGE_SUMS} FROM usage WHERE business_id = $1 AND api_key_id = $2 AND day >= $3 AND day < $4`,
        businessId,
        keyId,
        from,
        before,
      );
      return row === undefined ? NO_USAGE : usageTotalOf(row);
    },

    async totals(businessId, { from, before }) {
      const rows = await db.all<UsageSumRow & { api_key_id: string }>(
        `SELECT api_key_id, ${USAGE_SUMS} FROM usage WHERE business_id = $1 AND day >= $2 AND day < $3 GROUP BY api_key_id`,
        businessId,
        from,
        before,
      );
      return new Map(rows.map((row) => [row.api_key_id, usageTotalOf(row)]));
    },
  };
}
