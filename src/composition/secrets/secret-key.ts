import { createHmac } from "node:crypto";
import type { Config } from "#config";
import { conflict, isUnavailable } from "#domain/core/errors/error.ts";
import type { SealedSecret, SecretKeyState } from "#domain/settings/secret-key.ts";
import type { SecretBox } from "#domain/settings/webhook.ts";
import type { Store } from "#domain/store.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { withDataDirErrors } from "../start/installation.ts";
import { createKeyFile, newSecretKey, readKeyFile, secretKeyFile } from "./key-file.ts";
import { refuseShortKey } from "./key-length.ts";
import { createSecretBox } from "./secret-box.ts";

type KeyConfig = Pick<Config, "dataDir" | "databaseUrl" | "secretKey">;

/** What is wrong with the secret key, and what to do. */
export type KeyProblem = { readonly state: Exclude<SecretKeyState, "ok">; readonly found: string; readonly fix: string };

/** What an examination finds: the key of the installation, one that nothing needs yet, or a problem. */
export type KeyFinding = KeyProblem | { readonly state: "ok" | "not created" | "replaced" };

/** The secret key of the installation. */
export type SecretKey = {
  /** Signs cookies and cursors. */
  readonly value: string;
  readonly box: SecretBox;
  /** Checks again what was wrong with the key. A new secret may have solved it; the key is then adopted. Null if nothing is wrong. */
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
  const found = withDataDirErrors(config.dataDir, () => readKey(config));
  // Another key than before must be long enough. One that is in use goes on, since a new one would make webhooks wait.
  if (!isExamination && known !== null && known !== computeCheckValue(found ?? "")) refuseShortKey(config);
  const isLost = found === null && (isExamination || (await store.secretKey.sealedSecrets()).length > 0);
  // Cookies and cursors of this process are signed with a temporary key.
  const value = isLost ? newSecretKey() : (found ?? withDataDirErrors(config.dataDir, () => createKeyFile(config.dataDir)));
  const box = isLost ? createLostBox(config) : createSecretBox(value);
  let problem = await diagnoseKey(config, store, box, isLost);
  const adopt = async (): Promise<void> => {
    // The temporary key of this process is not the one of the installation.
    if (isLost || isExamination) return;
    await store.secretKey.recordCheckValue(computeCheckValue(value)).catch((error: unknown) => {
      // On a full disk, a later start records it.
      if (!isUnavailable(error)) throw error;
    });
  };
  if (known === null && problem === null) await adopt();
  return {
    value,
    box,
    isReplaced: known !== null && problem === null && known !== computeCheckValue(value),
    adopt,
    async problem() {
      if (problem === null) return null;
      problem = await diagnoseKey(config, store, box, isLost);
      if (problem === null) await adopt();
      return problem;
    },
  };
}

/** Examines the key without creating or storing anything. Finds another key also when the database has no secrets. */
export async function examineSecretKey(config: KeyConfig, store: Store): Promise<KeyFinding> {
  const secrets = await store.secretKey.sealedSecrets();
  const found = readKey(config);
  const problem = examineSecrets(config, found, secrets);
  if (problem !== null) return problem;
  if (found === null) return { state: "not created" };
  const known = await store.secretKey.checkValue();
  const isOther = known !== null && known !== computeCheckValue(found);
  // The secrets prove that the key is the right one, even if no start has recorded it yet.
  return { state: isOther && secrets.length === 0 ? "replaced" : "ok" };
}

/** Finds out whether the key of the settings opens the secrets of a database. Null if it does. */
export const findSecretsProblem = (config: KeyConfig, secrets: readonly SealedSecret[]): KeyProblem | null =>
  examineSecrets(config, readKey(config), secrets);

const readKey = ({ secretKey, dataDir }: KeyConfig): string | null => (secretKey === "" ? readKeyFile(dataDir) : secretKey);

function examineSecrets(config: KeyConfig, key: string | null, secrets: readonly SealedSecret[]): KeyProblem | null {
  if (key !== null) return findUnopened(config, secrets, createSecretBox(key), false);
  return secrets.length === 0 ? null : describeLost(config);
}

const diagnoseKey = async (config: KeyConfig, store: Store, box: SecretBox, isLost: boolean): Promise<KeyProblem | null> =>
  findUnopened(config, await store.secretKey.sealedSecrets(), box, isLost);

function findUnopened(config: KeyConfig, secrets: readonly SealedSecret[], box: SecretBox, isLost: boolean): KeyProblem | null {
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

const ROTATE = `run "${formatCommand("webhook rotate")}" for each business with a webhook: the waiting events are then sent, signed with its new secret. Revoke inbound addresses with a signature, and create them anew.`;
const IF_GONE = `If it is gone for good, set SECRET_KEY to a new one, start, and ${ROTATE}`;

const describeLost = ({ dataDir }: KeyConfig): KeyProblem => ({
  state: "lost",
  found: `${secretKeyFile(dataDir)} is missing, so the secrets in the database can't be opened: webhooks wait, and inbound addresses with a signature refuse requests.`,
  fix: `Put the file back from a backup, or set SECRET_KEY to its content, and start again. ${IF_GONE}`,
});

const describeChanged = ({ dataDir, secretKey }: KeyConfig): KeyProblem => ({
  state: "changed",
  found: `${secretKey === "" ? secretKeyFile(dataDir) : "SECRET_KEY"} is not the key that this installation was used with, so its secrets can't be opened: webhooks wait, and inbound addresses with a signature refuse requests.`,
  fix: `Start with the key from before. If it is gone for good, keep this one, and ${ROTATE}`,
});

/** The box of an installation whose key is lost: it opens nothing, and stores nothing that no later key would open. */
function createLostBox(config: KeyConfig): SecretBox {
  const refuse = (): never => {
    const { found, fix } = describeLost(config);
    throw conflict(`${found} ${fix}`);
  };
  return { seal: refuse, open: refuse };
}
