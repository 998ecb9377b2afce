import type { Probe } from "./probe.ts";

/** Checks a running server. Throws `Mismatch` if a requirement is not met, and `Skip` if it can't be checked. */
export type Check = (t: Probe) => Promise<void>;

/**
 * One requirement of the specification (S-…), of the decisions on what it leaves open (D-…) or of the additions (A-…), with its
 * check, or with the reason why it can't be checked.
 */
export type Requirement = {
  readonly id: string;
  /** The heading in the source. */
  readonly section: string;
  readonly statement: string;
} & ({ readonly check: Check; readonly unchecked?: undefined } | { readonly check?: undefined; readonly unchecked: string });
