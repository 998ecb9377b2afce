/** The server's clock is read again after this time, in milliseconds. */
const MAX_AGE_MS = 30_000;
/** Smaller differences between the clocks are ignored. */
const TOLERANCE_MS = 1_000;

/** Converts times of this node to the clock of the database server, so that nodes with different clocks agree on leases. */
export class ServerClock {
  readonly #readServerTime: () => Promise<number | undefined>;
  /** The offset of the server's clock to `performance.now()`. */
  #measured: { readonly at: number; readonly offset: number } | null = null;

  /** `readServerTime` returns milliseconds since 1970. */
  constructor(readServerTime: () => Promise<number | undefined>) {
    this.#readServerTime = readServerTime;
  }

  /** Returns the server's time at the time `now` of this node. Between two readings it follows the monotonic clock. */
  async toServerTime(now: number): Promise<number> {
    const before = performance.now();
    if (this.#measured === null || before - this.#measured.at > MAX_AGE_MS) {
      const serverTime = (await this.#readServerTime()) ?? Date.now();
      const after = performance.now();
      // The server read its clock about halfway between request and response.
      this.#measured = { at: after, offset: serverTime - (before + after) / 2 };
    }
    const difference = this.#measured.offset + performance.now() - Date.now();
    return Math.abs(difference) < TOLERANCE_MS ? now : now + Math.round(difference);
  }
}
