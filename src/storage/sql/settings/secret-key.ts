import type { SecretKeyStore } from "#domain/settings/secret-key.ts";
import type { Driver } from "../driver.ts";
import { all, get, run } from "../unit.ts";

/** The check value of the secret key, and the secrets that it encrypts. */
export const createSecretKeyStore = ({ read, write }: Driver): SecretKeyStore => ({
  checkValue: () =>
    read(function* () {
      const row = yield* get<{ check_value: string }>("SELECT check_value FROM secret_key");
      return row?.check_value ?? null;
    }),

  async recordCheckValue(value) {
    const sql = `INSERT INTO secret_key (only_one, check_value) VALUES (1, @value)
      ON CONFLICT (only_one) DO UPDATE SET check_value = excluded.check_value`;
    await write(() => run(sql, { value }));
  },

  sealedSecrets: () =>
    read(function* () {
      const rows = yield* all<{ business_id: string; sealed_secret: string }>("SELECT business_id, sealed_secret FROM webhook");
      return rows.map((row) => ({ sealed: row.sealed_secret, context: row.business_id }));
    }),
});
