import type { Probe } from "./probe.ts";

/** Looks at a running service; throws `Mismatch` when a claim does not hold and `Skip` when it can't look. */
export type Check = (t: Probe) => Promise<void>;

/**
 * One sentence of the specification (S-…) of the decisions on what it leaves open (D-…) or of the additions to the
 * interface (A-…), with the check that holds a server to it or the reason why none can.
 */
export type Claim = {
  readonly id: string;
  /** The heading it stands under. */
  readonly section: string;
  readonly says: string;
} & ({ readonly check: Check; readonly unchecked?: undefined } | { readonly check?: undefined; readonly unchecked: string });

export type Fields = Readonly<Record<string, unknown>>;
