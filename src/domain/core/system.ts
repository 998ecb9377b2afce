import type { ErrorCode } from "./errors/error-codes.ts";

/** The wall clock, injected so that tests can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A change of the wall clock by less than this is drift or slow work, not a jump; milliseconds. */
const MIN_JUMP_MS = 2_000;

/**
 * Creates a function that returns whether the wall clock was set since its last call, by comparison with `monotonic` time. Stored times
 * from before a jump can't be compared with later ones.
 */
export function createJumpDetector(clock: Clock, monotonic: () => number = () => performance.now()): () => boolean {
  let offset = clock.now() - monotonic();
  return () => {
    const before = offset;
    offset = clock.now() - monotonic();
    return Math.abs(offset - before) >= MIN_JUMP_MS;
  };
}

/** The log entry of one request. It contains no caller input: ids and routes are generated here, and the method is a known one. */
export type RequestLine = {
  /** Requests of the page's files are logged at `debug`. */
  readonly level: "info" | "debug";
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, not the requested path. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The code of an error response. */
  readonly code?: ErrorCode;
  readonly key?: string;
  readonly member?: string;
  /** The id of the inbound address. Its token is in no log. */
  readonly address?: string;
  readonly business?: string;
};

/** Caches the last formatted second, since rows of a listing often share it and formatting a date takes 0.5 µs. */
const lastSecond = { second: Number.NaN, text: "" };

/** Formats a timestamp as ISO 8601 in UTC with milliseconds, as everywhere in the API. */
export function isoTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1_000);
  if (second !== lastSecond.second) {
    lastSecond.text = new Date(second * 1_000).toISOString().slice(0, -4);
    lastSecond.second = second;
  }
  return `${lastSecond.text}${String(milliseconds - second * 1_000).padStart(3, "0")}Z`;
}

export type IdPrefix =
  | "biz"
  | "brd"
  | "zon"
  | "til"
  | "gen"
  | "ide"
  | "key"
  | "iba"
  | "whk"
  | "dlv"
  | "job"
  | "req"
  | "mem"
  | "ses"
  | "inv"
  | "bak"
  | "evt"
  | "sub";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const EPOCH = Date.UTC(2024, 0, 1);
const TIME_CHARS = 8;
const RANDOM_CHARS = 18;
const pool = new Uint8Array(RANDOM_CHARS * 256);
let used = pool.length;

function timePart(milliseconds: number): string {
  let rest = Math.max(0, milliseconds - EPOCH);
  let out = "";
  for (let i = 0; i < TIME_CHARS; i++) {
    out = ALPHABET[rest % 32] + out;
    rest = Math.floor(rest / 32);
  }
  return out;
}

/** Creates request ids from a random prefix and a counter, which is much cheaper than a random id for each request. */
export function createRequestIds(now: number): () => string {
  const prefix = newId("req", now);
  let count = 0;
  return () => `${prefix}_${(count++).toString(36)}`;
}

/**
 * Creates an id: the prefix, then 26 characters of lower-case Crockford base32. They encode 40 bits of milliseconds since 2024, so that
 * ids sort by time, and 90 random bits.
 */
export function newId(prefix: IdPrefix, milliseconds: number): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const start = used;
  used += RANDOM_CHARS;
  return formatId(prefix, milliseconds, pool, start);
}

/** As `newId`, with the 18 bytes from `start` on in place of random ones. */
export function formatId(prefix: IdPrefix, milliseconds: number, bytes: Uint8Array, start = 0): string {
  let random = "";
  for (let i = start; i < start + RANDOM_CHARS; i++) random += ALPHABET[(bytes[i] as number) & 31];
  return `${prefix}_${timePart(milliseconds)}${random}`;
}
