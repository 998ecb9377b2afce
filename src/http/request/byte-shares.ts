import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";
import { listOwnerNames, type Owner } from "#runtime/fair-queue.ts";
import { toOwner } from "#service/work-queue.ts";

/** The limit that more bytes would exceed. */
export type ExceededLimit = "caller" | "business" | "total";

/** The share of one caller, so that no caller can block all others. */
const CALLER_SHARE = 1 / 4;
/** The share of all callers of one business. */
const BUSINESS_SHARE = 1 / 2;
/** This share is kept for businesses that hold little, so that a few businesses together can't block all others. */
const RESERVED_SHARE = 1 / 4;
const LITTLE_SHARE = 1 / 16;
/** A caller that holds less than this may go on while others of its business hold their share, up to what is kept for other businesses. */
const LITTLE_CALLER_SHARE = 1 / 64;
/** Callers without a key or session count as one business, with the share of one caller. */
const NO_BUSINESS = "";
/** How long bytes may wait for room. Those of clients that read get it within seconds, because they take turns. */
const MAX_WAIT_MS = 60_000;

/** A number of bytes that is counted while they are in memory. */
export type ByteCount = {
  /** Changes the number. Returns the limit that this would exceed; then nothing changes. Fewer bytes never exceed one. */
  resize(bytes: number): ExceededLimit | null;
  /** Changes the number, whatever the limits. */
  force(bytes: number): void;
  /** Changes the number to fewer bytes if any others wait. Otherwise it stays, so that no new bytes take the room. */
  giveWay(bytes: number): void;
  /**
   * Waits until the number can be changed to `bytes`, and changes it. Of those that wait, one at a time may exceed a limit, until its
   * number is changed back: if all waited for each other, none would ever end. Resolves to false if the count is closed first. Throws
   * `unavailable` after `maxMs`.
   */
  waitFor(bytes: number, maxMs?: number): Promise<boolean>;
  /** Stops counting. Calls after the first one have no effect. */
  close(): void;
};

/**
 * Counts bytes in memory by caller (a key, a member, or the address of a caller without either), by business and for the process. The
 * only bytes of a caller, of a business or of the process never exceed its limit, so that what is larger than a share can still be
 * handled, one at a time.
 */
export class ByteShares {
  /** The limit of all bytes together. */
  readonly maxBytes: number;
  /** The bytes of callers and businesses by their names. */
  readonly #held = new Map<string, number>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<() => void>();
  /** The shares that bytes which had to wait exceed now. */
  readonly #overdrawn = new Set<string>();
  #total = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The bytes that are counted now. */
  get total(): number {
    return this.#total;
  }

  open(owner: Owner): ByteCount {
    let counted = 0;
    let isClosed = false;
    /** The shares that these bytes exceed after a wait, and the number of bytes before. */
    let overdraft: { readonly shares: readonly string[]; readonly before: number } | undefined;
    const onClose = new Set<() => void>();
    const change = (bytes: number): void => {
      const difference = bytes - counted;
      counted = bytes;
      if (overdraft !== undefined && bytes <= overdraft.before) {
        for (const share of overdraft.shares) this.#overdrawn.delete(share);
        overdraft = undefined;
      }
      this.#add(owner, difference);
    };
    const findExcess = (bytes: number) => (bytes > counted ? this.#findExcess(owner, bytes - counted, counted) : []);
    const growAfterWait = (bytes: number): boolean => {
      const shares = findExcess(bytes).map(({ share }) => share);
      if (shares.some((share) => this.#overdrawn.has(share))) return false;
      for (const share of shares) this.#overdrawn.add(share);
      if (shares.length > 0) overdraft = { shares, before: counted };
      change(bytes);
      return true;
    };
    return {
      resize(bytes) {
        const [first] = findExcess(bytes);
        if (first === undefined && !isClosed) change(bytes);
        return first?.limit ?? null;
      },
      force: (bytes) => void (isClosed || change(bytes)),
      giveWay: (bytes) => void (isClosed || this.#waiting.size === 0 || change(bytes)),
      waitFor: (bytes, maxMs = MAX_WAIT_MS) =>
        new Promise((resolve, reject) => {
          const end = (): void => {
            clearTimeout(timer);
            this.#waiting.delete(retry);
            onClose.delete(retry);
          };
          const retry = (): void => {
            if (!isClosed && !growAfterWait(bytes)) return;
            end();
            resolve(!isClosed);
          };
          const timer = setTimeout(() => {
            end();
            reject(new AppError("unavailable", "There was no memory for the rest of a response. Read the responses that wait first.", 2));
          }, maxMs).unref();
          this.#waiting.add(retry);
          onClose.add(retry);
          retry();
        }),
      close() {
        if (isClosed) return;
        isClosed = true;
        for (const retry of onClose) retry();
        change(0);
      },
    };
  }

  /** Returns the limit that `bytes` more would exceed. */
  findExceeded(owner: Owner, bytes: number): ExceededLimit | null {
    return this.#findExcess(owner, bytes, 0)[0]?.limit ?? null;
  }

  /** Whether bytes of this caller are counted. */
  holds(owner: Owner): boolean {
    return this.#held.has(listOwnerNames(owner).at(-1) ?? "");
  }

  /** Returns the limits that `bytes` more would exceed, and whose they are. `own` are bytes of the same thing, which are counted already. */
  #findExcess(owner: Owner, bytes: number, own: number): { readonly limit: ExceededLimit; readonly share: string }[] {
    const [business = NO_BUSINESS, caller = ""] = listOwnerNames(owner);
    const ofBusiness = this.#held.get(business) ?? 0;
    const isOver = (held: number, share: number): boolean => held > own && held + bytes > this.maxBytes * share;
    const ofCaller = this.#held.get(caller) ?? 0;
    const holdsLittle = !isOver(ofBusiness, LITTLE_SHARE);
    const ofMany = ofCaller + bytes <= this.maxBytes * LITTLE_CALLER_SHARE ? 1 - RESERVED_SHARE : BUSINESS_SHARE;
    const limits = [
      ["caller", caller, isOver(ofCaller, CALLER_SHARE)],
      ["business", business, isOver(ofBusiness, business === NO_BUSINESS ? CALLER_SHARE : ofMany)],
      ["total", "", isOver(this.#total, holdsLittle ? 1 : 1 - RESERVED_SHARE)],
    ] as const;
    return limits.flatMap(([limit, name, isExceeded]) => (isExceeded ? [{ limit, share: `${limit} ${name}` }] : []));
  }

  #add(owner: Owner, bytes: number): void {
    this.#total += bytes;
    for (const name of listOwnerNames(owner)) {
      const count = (this.#held.get(name) ?? 0) + bytes;
      if (count > 0) this.#held.set(name, count);
      else this.#held.delete(name);
    }
    if (bytes < 0) for (const retry of this.#waiting) retry();
  }
}

/** Returns for whom the bytes of a request are counted. */
export const ownerOfRequest = ({ actor, ip }: FastifyRequest): Owner => (actor === undefined ? [NO_BUSINESS, ip] : toOwner(actor));
