import type { FastifyRequest } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";

/** Whose bytes are counted: a caller (a key, a member, or the address of a caller without either), and its business. */
export type ByteOwner = { readonly caller: string; readonly business: string };

/** The limit that more bytes would exceed. */
export type ExceededLimit = "caller" | "business" | "total";

/** The share of one caller, so that no caller can block all others. */
const CALLER_SHARE = 1 / 4;
/** The share of all callers of one business. */
const BUSINESS_SHARE = 1 / 2;
/** Callers without a key or session count as one business, with the share of one caller. */
const NO_BUSINESS = "";

/** A number of bytes that is counted while they are in memory. */
export type ByteCount = {
  /** Changes the number. Returns the limit that this would exceed; then nothing changes. Fewer bytes never exceed one. */
  resize(bytes: number): ExceededLimit | null;
  /** Changes the number, whatever the limits. */
  force(bytes: number): void;
  /** Waits until the number can be changed to `bytes`, and changes it. Resolves to false if the count is closed first. */
  waitFor(bytes: number): Promise<boolean>;
  /** Stops counting. Calls after the first one have no effect. */
  close(): void;
};

/**
 * Counts bytes in memory by caller, by business and for the process. The only bytes of a caller, of a business or of the process never
 * exceed its limit, so that what is larger than a share can still be handled, one at a time.
 */
export class ByteShares {
  readonly #maxBytes: number;
  readonly #callers = new Map<string, number>();
  readonly #businesses = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes that are counted now. */
  get total(): number {
    return this.#total;
  }

  open(owner: ByteOwner): ByteCount {
    let counted = 0;
    let isClosed = false;
    const force = (bytes: number): void => {
      if (isClosed) return;
      const difference = bytes - counted;
      counted = bytes;
      this.#add(owner, difference);
    };
    const resize = (bytes: number): ExceededLimit | null => {
      const exceeded = bytes > counted ? this.findExceeded(owner, bytes - counted, counted) : null;
      if (exceeded === null) force(bytes);
      return exceeded;
    };
    const onClose = new Set<() => void>();
    return {
      resize,
      force,
      waitFor: (bytes) =>
        new Promise((resolve) => {
          const retry = (): void => {
            if (!isClosed && resize(bytes) !== null) return;
            this.#waiting.delete(retry);
            onClose.delete(retry);
            resolve(!isClosed);
          };
          this.#waiting.add(retry);
          onClose.add(retry);
          retry();
        }),
      close: () => {
        const held = counted;
        counted = 0;
        isClosed = true;
        for (const retry of onClose) retry();
        if (held > 0) this.#add(owner, -held);
      },
    };
  }

  /** Returns the limit that `bytes` more would exceed. `own` are bytes of the same thing, which are counted already. */
  findExceeded({ caller, business }: ByteOwner, bytes: number, own = 0): ExceededLimit | null {
    const isOver = (held: number, share: number): boolean => held > own && held + bytes > this.#maxBytes * share;
    if (isOver(this.#callers.get(caller) ?? 0, CALLER_SHARE)) return "caller";
    if (isOver(this.#businesses.get(business) ?? 0, business === NO_BUSINESS ? CALLER_SHARE : BUSINESS_SHARE)) return "business";
    return isOver(this.#total, 1) ? "total" : null;
  }

  /** Whether bytes of this caller are counted. */
  holds({ caller }: ByteOwner): boolean {
    return this.#callers.has(caller);
  }

  #add({ caller, business }: ByteOwner, bytes: number): void {
    this.#total += bytes;
    addTo(this.#callers, caller, bytes);
    addTo(this.#businesses, business, bytes);
    if (bytes < 0) for (const retry of this.#waiting) retry();
  }
}

function addTo(counts: Map<string, number>, name: string, bytes: number): void {
  const count = (counts.get(name) ?? 0) + bytes;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

/** Returns for whom the bytes of an authenticated request are counted. */
export const ownerOf = (actor: Actor): ByteOwner => ({ caller: `${actor.kind} ${actorId(actor)}`, business: actor.businessId });

/** Returns for whom the bytes of a request are counted. */
export const ownerOfRequest = ({ actor, ip }: FastifyRequest): ByteOwner =>
  actor === undefined ? { caller: `address ${ip}`, business: NO_BUSINESS } : ownerOf(actor);
