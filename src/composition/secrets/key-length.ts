import { type Config, ConfigError } from "#config";
import { isInstalled } from "../start/installation.ts";

/** As long as 16 random bytes in hexadecimal digits. */
const MIN_KEY_LENGTH = 32;

const ADVICE = "Make one of at least 32 characters with `openssl rand -base64 32`";

/** Says that SECRET_KEY is too short. Null if it is long enough, or not set. */
export function describeShortKey({ secretKey }: Pick<Config, "secretKey">): string | null {
  if (secretKey === "" || secretKey.length >= MIN_KEY_LENGTH) return null;
  return `SECRET_KEY has ${secretKey.length} characters, so that it can be guessed from a copy of the database.`;
}

/** Throws when a new installation would be created with a short key. Existing ones go on with theirs. Creates nothing. */
export async function requireLongKey(config: Config): Promise<void> {
  if (describeShortKey(config) !== null && !(await isInstalled(config))) refuseShortKey(config);
}

/** Throws when SECRET_KEY is short. */
export function refuseShortKey(config: Pick<Config, "secretKey">): void {
  const found = describeShortKey(config);
  if (found !== null) throw new ConfigError(`${found} ${ADVICE}.`);
}
