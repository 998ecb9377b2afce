import type { Probe } from "./probe.ts";

/** Checks a running server. Throws `Mismatch` if a requirement is not met, and `Skip` if it can't be checked. */
export type Check = (t: Probe) => Promise<void>;

type Definition = {
  /** The heading in the source, if it is not the one of the group. */
  readonly section?: string;
  readonly statement: string;
} & ({ readonly check: Check; readonly unchecked?: undefined } | { readonly check?: undefined; readonly unchecked: string });

/**
 * One requirement of the specification (S-…), of the decisions on what it leaves open (D-…) or of the additions (A-…), with its
 * check, or with the reason why it can't be checked.
 */
export type Requirement = Definition & { readonly id: string; readonly section: string };

/** Returns requirements that are given by their id. `section` is the heading in the source. */
export const defineRequirements = (section: string, definitions: Readonly<Record<string, Definition>>): readonly Requirement[] =>
  Object.entries(definitions).map(([id, definition]) => ({ id, section, ...definition }));
