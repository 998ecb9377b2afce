import { NO_USAGE, type UsageStore, type UsageTotal } from "#domain/model/usage.ts";
import type { Driver } from "../driver.ts";
import { all, get, run } from "../unit.ts";

/** The sums, cast so that both engines return whole numbers. */
const SUMS = [
  ["calls", "calls"],
  ["input_tokens", "input"],
  ["output_tokens", "output"],
]
  .map(([column, name]) => `CAST(coalesce(sum(${column}), 0) AS BIGINT) AS ${name}`)
  .join(", ");
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
        const sql = `SELECT ${SUMS} FROM usage WHERE ${IN_PERIOD} AND api_key_id = @keyId`;
        return (yield* get<UsageTotal>(sql, { businessId, keyId, from, before })) ?? NO_USAGE;
      }),

    totals: (businessId, { from, before }) =>
      read(function* () {
        const rows = yield* all<UsageTotal & { readonly keyId: string }>(
          `SELECT api_key_id AS "keyId", ${SUMS} FROM usage WHERE ${IN_PERIOD} GROUP BY api_key_id`,
          { businessId, from, before },
        );
        return new Map(rows.map(({ keyId, ...total }) => [keyId, total]));
      }),
  };
}
