import type { FastifyRequest } from "fastify";
import { createFairQueue, listOwnerNames, type Owner } from "#runtime/turns/fair-queue.ts";
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

/** How bytes wait for room. */
export type Patience = {
  /** Called every `checkMs` milliseconds. An error that it throws ends the wait. */
  readonly check: () => void;
  readonly checkMs: number;
  /**
   * Whether these bytes may exceed a limit when none of those that wait exceeds it now. This is for bytes of which some are counted while
   * the rest waits: if all waited for each other, none would ever end.
   */
  readonly mayExceed?: boolean;
};

/** A number of bytes that is counted while they are in memory. */
export type ByteCount = {
  /** Changes the number. Returns the limit that this would exceed; then nothing changes. Fewer bytes never exceed one. */
  resize(bytes: number): ExceededLimit | null;
  /** Changes the number, whatever the limits. */
  force(bytes: number): void;
  /** Changes the number to fewer bytes if any others wait. Otherwise it stays, so that no new bytes take the room. */
  giveWay(bytes: number): void;
  /**
   * Waits until the number can be changed to `bytes`, and changes it. Those that wait take turns: businesses first, then callers, the one
   * that holds least first. Resolves to false if the count is closed first. Throws what `patience.check` throws. One wait at a time.
   */
  waitFor(bytes: number, patience: Patience): Promise<boolean>;
  /** Stops counting. Calls after the first one have no effect. */
  close(): void;
};

/** The names of a caller and of its business. */
type Names = { readonly business: string; readonly caller: string };

/** A limit that would be exceeded, and the name of the share. */
type Excess = { readonly limit: ExceededLimit; readonly share: string };

const LIMITS: readonly ExceededLimit[] = ["caller", "business", "total"];
const NONE: readonly Excess[] = [];

/** A change to more bytes. */
type Growth = { readonly mayGrow: () => boolean; readonly grow: () => void };

/** `close` resolves `ended` to false. */
type Wait = { readonly ended: Promise<boolean>; readonly close: () => void };

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
  readonly #waiting = createFairQueue<Growth>((name) => this.#held.get(name) ?? 0);
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
    const names = toNames(owner);
    let counted = 0;
    let isClosed = false;
    /** The shares that these bytes exceed after a wait, and the number of bytes before. */
    let overdraft: { readonly shares: readonly string[]; readonly before: number } | undefined;
    let wait: Wait | undefined;
    const change = (bytes: number): void => {
      const difference = bytes - counted;
      counted = bytes;
      if (overdraft !== undefined && bytes <= overdraft.before) {
        for (const share of overdraft.shares) this.#overdrawn.delete(share);
        overdraft = undefined;
      }
      this.#add(names, difference);
    };
    const findExcess = (bytes: number) =>
      bytes <= counted || this.#hasRoom(bytes - counted) ? NONE : this.#findExcess(names, bytes - counted, counted);
    const mayGrow = (bytes: number, mayExceed: boolean): boolean =>
      findExcess(bytes).every(({ share }) => mayExceed && !this.#overdrawn.has(share));
    const grow = (bytes: number): void => {
      const shares = findExcess(bytes).map(({ share }) => share);
      for (const share of shares) this.#overdrawn.add(share);
      if (shares.length > 0) overdraft = { shares, before: counted };
      change(bytes);
    };
    return {
      resize(bytes) {
        const first = findExcess(bytes)[0];
        if (first === undefined && !isClosed) change(bytes);
        return first?.limit ?? null;
      },
      force: (bytes) => void (isClosed || change(bytes)),
      giveWay: (bytes) => void (isClosed || this.#waiting.size === 0 || change(bytes)),
      waitFor: async (bytes, patience) => {
        const { mayExceed = false } = patience;
        const growth = { mayGrow: () => mayGrow(bytes, mayExceed), grow: () => grow(bytes) };
        if (!isClosed && !growth.mayGrow()) return (wait = this.#wait(owner, growth, patience)).ended;
        if (!isClosed) growth.grow();
        return !isClosed;
      },
      close() {
        if (isClosed) return;
        isClosed = true;
        wait?.close();
        change(0);
      },
    };
  }

  /** Returns the limit that `bytes` more would exceed. */
  findExceeded(owner: Owner, bytes: number): ExceededLimit | null {
    return this.#hasRoom(bytes) ? null : (this.#findExcess(toNames(owner), bytes, 0)[0]?.limit ?? null);
  }

  /** Whether bytes of this caller are counted. */
  holds(owner: Owner): boolean {
    return this.#held.has(toNames(owner).caller);
  }

  /** Returns the most bytes that a caller, its business or the process may have in memory when `bytes` more are to be counted for the caller. */
  findMaxBytes(owner: Owner, bytes: number, limit: ExceededLimit): number {
    return this.#findMaximum(limit, toNames(owner), bytes, 0);
  }

  /** Whether there is room for anyone: all bytes together are within the share of one caller, the smallest of all limits. */
  #hasRoom(bytes: number): boolean {
    return this.#total + bytes <= this.maxBytes * CALLER_SHARE;
  }

  /** Returns the limits that `bytes` more would exceed, and whose they are. `own` are bytes of the same thing, which are counted already. */
  #findExcess(names: Names, bytes: number, own: number): readonly Excess[] {
    let found: Excess[] | undefined;
    for (const limit of LIMITS) {
      const held = limit === "total" ? this.#total : (this.#held.get(names[limit]) ?? 0);
      if (held <= own || held + bytes <= this.#findMaximum(limit, names, bytes, own)) continue;
      (found ??= []).push({ limit, share: `${limit} ${limit === "total" ? "" : names[limit]}` });
    }
    return found ?? NONE;
  }

  #findMaximum(limit: ExceededLimit, { business, caller }: Names, bytes: number, own: number): number {
    if (limit === "caller") return this.maxBytes * CALLER_SHARE;
    if (limit === "total") {
      const ofBusiness = this.#held.get(business) ?? 0;
      const holdsLittle = ofBusiness <= own || ofBusiness + bytes <= this.maxBytes * LITTLE_SHARE;
      return this.maxBytes * (holdsLittle ? 1 : 1 - RESERVED_SHARE);
    }
    const isLittleCaller = (this.#held.get(caller) ?? 0) + bytes <= this.maxBytes * LITTLE_CALLER_SHARE;
    return this.maxBytes * (business === NO_BUSINESS ? CALLER_SHARE : isLittleCaller ? 1 - RESERVED_SHARE : BUSINESS_SHARE);
  }

  #wait(owner: Owner, { mayGrow, grow }: Growth, { check, checkMs }: Patience): Wait {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    // Nothing may find a wait in the queue that has ended.
    const end = (): void => {
      clearInterval(timer);
      this.#waiting.remove(waiter);
    };
    const waiter = { mayGrow, grow: () => (end(), grow(), resolve(true)) };
    const timer = setInterval(() => {
      try {
        check();
      } catch (error) {
        end();
        reject(error);
      }
    }, checkMs).unref();
    this.#waiting.add(owner, waiter);
    return { ended: promise, close: () => (end(), resolve(false)) };
  }

  #passOn(): void {
    for (let next = this.#waiting.take(isNext); next !== undefined; next = this.#waiting.take(isNext)) next.grow();
  }

  #add({ business, caller }: Names, bytes: number): void {
    this.#total += bytes;
    this.#addTo(business, bytes);
    if (caller !== business) this.#addTo(caller, bytes);
    if (bytes < 0 && this.#waiting.size > 0) this.#passOn();
  }

  #addTo(name: string, bytes: number): void {
    const count = (this.#held.get(name) ?? 0) + bytes;
    if (count > 0) this.#held.set(name, count);
    else this.#held.delete(name);
  }
}

const toNames = (owner: Owner): Names => {
  const names = listOwnerNames(owner);
  return { business: names[0] ?? NO_BUSINESS, caller: names.at(-1) ?? "" };
};

const isNext = ({ mayGrow }: Growth): boolean => mayGrow();

/** Returns for whom the bytes of a request are counted. */
export const ownerOfRequest = ({ actor, ip }: FastifyRequest): Owner => (actor === undefined ? [NO_BUSINESS, ip] : toOwner(actor));
