import { plain, type Stored } from "./mapping.ts";

/** Defines fields that are stored without conversion, in the columns of their names in snake case. */
export const plainFields = <Name extends string>(...names: readonly Name[]): Readonly<Record<Name, Stored<never>>> =>
  Object.fromEntries(names.map((name) => [name, plain])) as Record<Name, Stored<never>>;
