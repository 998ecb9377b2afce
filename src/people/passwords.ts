import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "#domain/core/error.ts";
import type { Passwords } from "#domain/settings/member.ts";

/** One of the settings that OWASP's password storage cheat sheet names for scrypt: 32 MB and a tenth of a second each. */
const LN = 15;
const BLOCK = 8;
const PARALLEL = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_MEMORY = 64 * 1_048_576;

/** At once and in line; a hash keeps a thread that others need, to see writes to the disk, from its work. */
const CONCURRENCY = 2;
const MAX_WAITING = 64;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** What nobody's password hashes to, so that who does not exist takes as long as who does. */
const NOBODY = `$scrypt$ln=${LN},r=${BLOCK},p=${PARALLEL}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Passwords by scrypt, stored as PHC strings (`$scrypt$ln=15,r=8,p=3$salt$hash`, base64 without padding), so that the settings can be
 * raised later. Where too many wait it throws an `unavailable` refusal.
 */
export function createPasswords(): Passwords {
  const inTurn = createSerialQueue();
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES);
        return `$scrypt$ln=${LN},r=${BLOCK},p=${PARALLEL}$${unpadded(salt)}$${unpadded(await derive(password, salt, LN, BLOCK, PARALLEL))}`;
      }),
    verify: (password, hashed) =>
      inTurn(async () => {
        const [, ln, r, p, salt = "", hash = ""] = STORED.exec(hashed ?? NOBODY) ?? [];
        if (ln === undefined) throw new Error("A stored password has an unknown form.");
        const expected = Buffer.from(hash, "base64");
        const found = await derive(password, Buffer.from(salt, "base64"), Number(ln), Number(r), Number(p));
        return timingSafeEqual(found, expected) && hashed !== null;
      }),
  };
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/** The same password typed on two keyboards may come in two forms of Unicode. */
const derive = (password: string, salt: Buffer, ln: number, r: number, p: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay >= CONCURRENCY) {
      if (waiting.length >= MAX_WAITING) throw new AppError("unavailable", "Too many people log in at once. Try again in a moment.", 5);
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else underWay++;
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) underWay--;
      else next();
    }
  };
}
