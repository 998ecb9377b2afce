/** The outside world a use case needs, injected so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A change of the wall clock by less than this is drift or slow work, not a jump; milliseconds. */
const MIN_JUMP_MS = 2_000;

/**
 * Tells whether the wall clock was set, forward or back, since it was asked last: whether it moved otherwise than `monotonic` time did.
 * Times that were noted before a jump can't be compared with times after it.
 */
export function createJumpDetector(clock: Clock, monotonic: () => number = () => performance.now()): () => boolean {
  let offset = clock.now() - monotonic();
  return () => {
    const before = offset;
    offset = clock.now() - monotonic();
    return Math.abs(offset - before) >= MIN_JUMP_MS;
  };
}

/** What the log says of one answered call. Nothing in it is a caller's own words: ids and routes are ours, and a method is one that HTTP knows. */
export type RequestLine = {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, not the path that was asked. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly key?: string;
  readonly member?: string;
  readonly business?: string;
};

/** The second last written, and its text up to the point: rows of a listing share their seconds, and a date costs 0.5 µs. */
const lastSecond = { second: Number.NaN, text: "" };

/** ISO 8601 UTC with milliseconds, the form every timestamp of the interface has. */
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
  | "whk"
  | "dlv"
  | "job"
  | "req"
  | "mem"
  | "ses"
  | "inv"
  | "bak";

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

/** Names for the requests of one process: a random stem and a count, far cheaper than an id of its own for each. */
export function createRequestNames(now: number): () => string {
  const stem = newId("req", now);
  let count = 0;
  return () => `${stem}_${(count++).toString(36)}`;
}

/**
 * A new identifier: prefix, then 26 characters of Crockford base32 (lower case): 40 bits of
 * milliseconds since 2024, so that ids sort by time, and 90 random bits.
 */
export function newId(prefix: IdPrefix, milliseconds: number): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let random = "";
  for (let i = 0; i < RANDOM_CHARS; i++) random += ALPHABET[(pool[used++] as number) & 31];
  return `${prefix}_${timePart(milliseconds)}${random}`;
}
