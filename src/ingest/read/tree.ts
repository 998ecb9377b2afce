/** Reading of JSON that came from outside: whatever shape it has, a wrong one reads as nothing. */

export type Path = readonly (string | number)[];

/** What stands at the path; undefined where it leads nowhere. */
export function at(value: unknown, ...path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (here === null || typeof here !== "object" || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

/** The text at the path without the spaces around it; null where there is none. */
export function textAt(value: unknown, ...path: Path): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found.trim() !== "" ? found.trim() : null;
}

/** The number at the path, also where it is written as text; null where there is none. */
export function numberAt(value: unknown, ...path: Path): number | null {
  const found = at(value, ...path);
  const number = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** The list at the path; an empty one where there is none. */
export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Most values looked at in one search, so that a huge answer is left in time. */
const MAX_VISITED = 400_000;

/** Every object below `value` that has the key, in the order of the source; what is inside a found one is left out. */
export function findAll(value: unknown, key: string, most = 10_000): unknown[] {
  const found: unknown[] = [];
  const waiting: unknown[] = [value];
  for (let visited = 0; waiting.length > 0 && visited < MAX_VISITED && found.length < most; visited++) {
    const here = waiting.pop();
    if (here === null || typeof here !== "object") continue;
    if (Object.hasOwn(here, key)) found.push((here as Record<string, unknown>)[key]);
    else for (const inner of Object.values(here).toReversed()) if (inner !== null && typeof inner === "object") waiting.push(inner);
  }
  return found;
}

/** The object without the fields that hold nothing. */
export function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "")) as {
    [K in keyof T]?: Exclude<T[K], null | undefined>;
  };
}

/** The counts that are whole and not negative; undefined where none is. */
export function statsOf(counts: Readonly<Record<string, number | null>>): Readonly<Record<string, number>> | undefined {
  const told = Object.entries(counts).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0);
  return told.length === 0 ? undefined : Object.fromEntries(told);
}
