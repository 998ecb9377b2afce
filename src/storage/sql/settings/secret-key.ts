import type { SealedSecret, SecretKeyStore } from "#domain/settings/secret-key.ts";
import type { Driver } from "../driver.ts";
import { Mapping } from "../mapping.ts";
import { find, run } from "../unit.ts";

const SECRETS = new Mapping<SealedSecret>({ sealed: { column: "sealed_secret" }, context: { column: "business_id" } });
const SEALED = `(SELECT sealed_secret, business_id FROM webhook UNION ALL
  SELECT sealed_secret, business_id FROM subscription UNION ALL
  SELECT sealed_secret, business_id FROM inbound_address WHERE sealed_secret IS NOT NULL) AS sealed`;

/** The check value of the secret key, and the secrets that it encrypts. */
export const createSecretKeyStore = ({ read, write }: Driver): SecretKeyStore => ({
  checkValue: () => read(() => find("SELECT check_value FROM secret_key", {}, (row: { check_value: string }) => row.check_value)),

  async recordCheckValue(value) {
    const sql = `INSERT INTO secret_key (only_one, check_value) VALUES (1, @value)
      ON CONFLICT (only_one) DO UPDATE SET check_value = excluded.check_value`;
    await write(() => run(sql, { value }));
  },

  sealedSecrets: () => read(() => SECRETS.list(SEALED)),
});
