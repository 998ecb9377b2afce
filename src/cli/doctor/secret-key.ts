import { existsSync, statSync } from "node:fs";
import type { Config } from "#config";
import { secretKeyFile } from "#composition/secrets/key-file.ts";
import { describeShortKey } from "#composition/secrets/key-length.ts";
import { examineSecretKey } from "#composition/secrets/secret-key.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import type { Store } from "#domain/store.ts";
import { type Check, ok, problem, warning } from "./check.ts";

const NAME = "secret key";

/** Whether the key of the settings is the one that the installation was used with. */
export async function examineKey(config: Config, store: Store): Promise<Check> {
  const finding = await examineSecretKey(config, store);
  switch (finding.state) {
    case "ok":
      return findShortKey(config) ?? findReadableFile(config) ?? ok(NAME, "it is the one that this installation is used with");
    case "not created":
      return ok(NAME, `the next start creates ${secretKeyFile(config.dataDir)}; nothing is encrypted yet`);
    case "replaced":
      return warning(
        NAME,
        "it is not the one that this installation was used with; nothing is encrypted with that one, so the next start uses this one.",
        "If that is not meant, or other nodes have the key from before, start with that key.",
      );
    case "lost":
    case "changed":
      return problem(NAME, finding.found, finding.fix);
  }
}

/** Examines the key without the database, which is of an older version, or does not exist yet. */
export function examineKeyAlone(config: Config, hasDatabase: boolean): Check {
  const file = secretKeyFile(config.dataDir);
  const isThere = config.secretKey !== "" || existsSync(file);
  if (!isThere && hasDatabase)
    return problem(
      NAME,
      `${file} is missing, so the secrets in the database can't be opened.`,
      "Put the file back from a backup, or set SECRET_KEY to its content.",
    );
  const short = describeShortKey(config);
  if (short !== null && !hasDatabase)
    return problem(NAME, short, "Make a new one with `openssl rand -base64 32`. A start refuses this one.");
  return findShortKey(config) ?? findReadableFile(config) ?? ok(NAME, isThere ? "there is one" : `${file} is created by the first start`);
}

/** The permissions of the group and of others. Windows has none. */
const OF_OTHERS = 0o077;

/** Warns when other users of this machine can use the key file. */
function findReadableFile({ secretKey, databaseUrl, dataDir }: Config): Check | null {
  if (secretKey !== "" || databaseUrl !== "" || process.platform === "win32") return null;
  const file = secretKeyFile(dataDir);
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & OF_OTHERS) === 0) return null;
  return warning(
    NAME,
    `other users of this machine may be able to use ${file} (its mode is ${mode.toString(8)})`,
    `Let only the user of the server read it: chmod 600 ${file}`,
  );
}

function findShortKey(config: Config): Check | null {
  const found = describeShortKey(config);
  if (found === null) return null;
  return warning(
    NAME,
    found,
    `Make a new one with \`openssl rand -base64 32\`, start with it, and run "${formatCommand("webhook rotate")}" for each business with a webhook.`,
  );
}
