import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "#runtime/files/make-folder.ts";

/** Returns the path of the file that has the secret key, unless SECRET_KEY is set. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, "secret.key");

/** Creates a random key with as many characters as one of `openssl rand -base64 32`. */
export const newSecretKey = (): string => randomBytes(32).toString("base64");

/** Returns the secret key of the data directory, or null if it has none. */
export function readKeyFile(dataDir: string): string | null {
  const file = secretKeyFile(dataDir);
  if (!existsSync(file)) return null;
  const key = readFileSync(file, "utf8").trim();
  // An empty key would encrypt secrets with a key that everybody knows.
  if (key === "") throw new Error(`${file} is empty: put its content back from a backup, or remove the file if there is none.`);
  return key;
}

/** Creates the secret key of the data directory, readable by its owner only, and returns it. */
export function createKeyFile(dataDir: string): string {
  makeFolder(dataDir);
  const file = secretKeyFile(dataDir);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, newSecretKey(), { mode: 0o600 });
  try {
    // Linking is atomic, so two concurrent first starts use the same key.
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readKeyFile(dataDir) ?? createKeyFile(dataDir);
}
