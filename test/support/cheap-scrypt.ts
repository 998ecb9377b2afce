import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

type Callback = (error: Error | null, key: Buffer) => void;

const { scrypt } = crypto;

/**
 * A password hash takes 0.1 s of CPU time by design. In this process hashes take almost none, so that tests can log in often.
 * test/people/passwords.test.ts and all tests of real processes use the full cost.
 */
function cheapScrypt(password: BinaryLike, salt: BinaryLike, bytes: number, options: ScryptOptions, callback: Callback): void {
  scrypt(password, salt, bytes, { ...options, N: 2 }, callback);
}

// All test files of a process share `crypto`, and each runs this set-up.
if (scrypt.name !== cheapScrypt.name) {
  Object.defineProperty(crypto, "scrypt", { value: cheapScrypt });
  syncBuiltinESMExports();
}
