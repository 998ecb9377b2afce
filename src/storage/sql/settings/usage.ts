import { NO_USAGE, type UsageStore } from "#domain/model/usage.ts";
import { USAGE_SUMS, type UsageSumRow, usageTotalOf } from "../../shared/rows/rows.ts";
import type { Driver } from "../driver.ts";
import { all, get, run } from "../unit.ts";

const IN_PERIOD = "business_id = @businessId AND day >= @from AND day < @before";

export function createUsageStore({ read, write }: Driver): UsageStore {
  return {
    add: async ({ businessId, keyId, day, endpoint, usage: { input, output } }) => {
      await write(() =>
        run(
          `INSERT INTO usage (business_id, api_key_id, day, endpoint, calls, input_tokens, output_tokens)
           VALUES (@businessId, @keyId, @day, @endpoint, 1, @input, @output)
           ON CONFLICT (business_id, api_key_id, day, endpoint) DO UPDATE SET calls = usage.calls + 1,
             input_tokens = usage.input_tokens + excluded.input_tokens, output_tokens = usage.output_tokens + excluded.output_tokens`,
          { businessId, keyId, day, endpoint, input, output },
        ),
      );
    },

    total: (businessId, keyId, { from, before }) =>
      read(function* () {
        const row = yield* get<UsageSumRow>(`SELECT ${USAGE_SUMS} FROM usage WHERE ${IN_PERIOD} AND api_key_id = @keyId`, {
          businessId,
          keyId,
          from,
          before,
        });
        return row === undefined ? NO_USAGE : usageTotalOf(row);
      }),

    totals: (businessId, { from, before }) =>
      read(function* () {
        const rows = yield* all<UsageSumRow & { api_key_id: string }>(
          `SELECT api_key_id, ${USAGE_SUMS} FROM usage WHERE ${IN_PERIOD} GROUP BY api_key_id`,
          { businessId, from, before },
        );
        return new Map(rows.map((row) => [row.api_key_id, usageTotalOf(row)]));
      }),
  };
}
