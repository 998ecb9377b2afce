import { createHmac } from "node:crypto";
import type { Config } from "#config";
import { conflict, isUnavailable } from "#domain/core/error.ts";
import type { SecretKeyState } from "#domain/settings/secret-key.ts";
import type { SecretBox } from "#domain/settings/webhook.ts";
import type { Store } from "#domain/store.ts";
import { withDataDirErrors } from "../start/installation.ts";
import { createKeyFile, newSecretKey, readKeyFile, secretKeyFile } from "./key-file.ts";
import { createSecretBox } from "./secret-box.ts";

type KeyConfig = Pick<Config, "dataDir" | "databaseUrl" | "secretKey">;

/** What is wrong with the secret key, and what to do. */
export type KeyProblem = { readonly state: Exclude<SecretKeyState, "ok">; readonly found: string; readonly fix: string };

/** The secret key of the installation. */
export type SecretKey = {
  /** Signs cookies and cursors. */
  readonly value: string;
  readonly box: SecretBox;
  /** Checks again what was wrong with the key, since setting a webhook anew may have solved it. Null if nothing is. */
  problem(): Promise<KeyProblem | null>;
  /** Whether the database was used with another key before. */
  readonly isReplaced: boolean;
  /** Makes this key the one that the database is used with. */
  adopt(): Promise<void>;
};

/** Computes the value by which a key is recognised. It does not reveal the key. */
const computeCheckValue = (key: string): string => createHmac("sha256", key).update("tessera secret key check").digest("base64url");

/**
 * Finds the secret key, or creates it in a new data directory. A key is never created while the database has secrets that another one
 * opens: those stay as they are, and no secret is stored until the key is back. An examination creates and stores nothing.
 */
export async function openSecretKey(config: KeyConfig, store: Store, isExamination: boolean): Promise<SecretKey> {
  const known = await store.secretKey.checkValue();
  const found = config.secretKey === "" ? withDataDirErrors(config.dataDir, () => readKeyFile(config.dataDir)) : config.secretKey;
  const isLost = found === null && (isExamination || (await store.secretKey.sealedSecrets()).length > 0);
  // Cookies and cursors of this process are signed with a temporary key.
  const value = isLost ? newSecretKey() : (found ?? withDataDirErrors(config.dataDir, () => createKeyFile(config.dataDir)));
  const box = isLost ? createLostBox(config) : createSecretBox(value);
  let problem = await diagnoseKey(config, store, box, isLost);
  const adopt = (): Promise<void> => store.secretKey.recordCheckValue(computeCheckValue(value));
  if (known === null && problem === null && !isExamination)
    await adopt().catch((error: unknown) => {
      // On a full disk, a later start records it.
      if (!isUnavailable(error)) throw error;
    });
  return {
    value,
    box,
    isReplaced: known !== null && problem === null && known !== computeCheckValue(value),
    adopt,
    async problem() {
      if (problem !== null) problem = await diagnoseKey(config, store, box, isLost);
      return problem;
    },
  };
}

/** Examines the key without creating or storing anything. Finds another key also when the database has no secrets. */
export async function examineSecretKey(config: KeyConfig, store: Store): Promise<KeyProblem | null> {
  const found = config.secretKey === "" ? readKeyFile(config.dataDir) : config.secretKey;
  if (found === null) return describeLost(config);
  const known = await store.secretKey.checkValue();
  if (known !== null && known !== computeCheckValue(found)) return describeChanged(config);
  return diagnoseKey(config, store, createSecretBox(found), false);
}

async function diagnoseKey(config: KeyConfig, store: Store, box: SecretBox, isLost: boolean): Promise<KeyProblem | null> {
  const secrets = await store.secretKey.sealedSecrets();
  const opens = secrets.every(({ sealed, context }) => opensWith(box, sealed, context));
  if (opens) return null;
  return isLost ? describeLost(config) : describeChanged(config);
}

function opensWith(box: SecretBox, sealed: string, context: string): boolean {
  try {
    box.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}

const IF_GONE = "If it is gone for good, set SECRET_KEY to a new one, start, and set each webhook again.";

const describeLost = ({ dataDir }: KeyConfig): KeyProblem => ({
  state: "lost",
  found: `${secretKeyFile(dataDir)} is missing, so the secrets in the database can't be opened and webhooks wait.`,
  fix: `Put the file back from a backup, or set SECRET_KEY to its content, and start again. ${IF_GONE}`,
});

const describeChanged = ({ dataDir, secretKey }: KeyConfig): KeyProblem => ({
  state: "changed",
  found: `${secretKey === "" ? secretKeyFile(dataDir) : "SECRET_KEY"} is not the key that this installation was used with, so its secrets can't be opened and webhooks wait.`,
  fix: "Start with the key from before. If it is gone for good, keep this one, and set each webhook again.",
});

/** The box of an installation whose key is lost: it opens nothing, and stores nothing that no later key would open. */
function createLostBox(config: KeyConfig): SecretBox {
  const refuse = (): never => {
    const { found, fix } = describeLost(config);
    throw conflict(`${found} ${fix}`);
  };
  return { seal: refuse, open: refuse };
}
