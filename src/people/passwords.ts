import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "#domain/core/errors/error.ts";
import type { Passwords } from "#domain/settings/member.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";

/** Parameters from OWASP's password storage cheat sheet for scrypt: 32 MB of memory and 0.1 s for each hash. */
const LOG2_COST = 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_MEMORY_BYTES = 64 * 1_048_576;

/** Concurrent hashes, and calls that may wait. Each hash occupies a thread of the pool that also flushes writes to disk. */
const CONCURRENCY = 2;
const MAX_WAITING = 64;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** A hash that no password has, so that checking an unknown member takes as long as checking a known one. */
const UNKNOWN_MEMBER_HASH = `$scrypt$ln=${LOG2_COST},r=${BLOCK_SIZE},p=${PARALLELIZATION}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Hashes passwords with scrypt. Hashes are stored as PHC strings (`$scrypt$ln=15,r=8,p=3$salt$hash`, base64 without padding), so that
 * the parameters can be raised later. Throws `unavailable` while too many calls wait.
 */
export function createPasswords(): Passwords {
  const slots = createSemaphore({
    slots: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    refuse: () => new AppError("unavailable", "Too many log-ins are in progress. Try again in a moment.", 5),
  });
  return {
    hash: (password) =>
      slots.run(async () => {
        const salt = randomBytes(SALT_BYTES);
        return `$scrypt$ln=${LOG2_COST},r=${BLOCK_SIZE},p=${PARALLELIZATION}$${unpadded(salt)}$${unpadded(await derive(password, salt, LOG2_COST, BLOCK_SIZE, PARALLELIZATION))}`;
      }),
    verify: (password, hashed) =>
      slots.run(async () => {
        const [, ln, r, p, salt = "", hash = ""] = STORED.exec(hashed ?? UNKNOWN_MEMBER_HASH) ?? [];
        if (ln === undefined) throw new Error("A stored password hash has an unknown format.");
        const expected = Buffer.from(hash, "base64");
        const found = await derive(password, Buffer.from(salt, "base64"), Number(ln), Number(r), Number(p));
        return timingSafeEqual(found, expected) && hashed !== null;
      }),
  };
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/** Normalised (NFKC), since keyboards may send the same password in different Unicode forms. */
const derive = (password: string, salt: Buffer, ln: number, r: number, p: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
