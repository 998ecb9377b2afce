/** Safe access to untrusted JSON: a value of an unexpected type counts as missing. */

export type JsonPath = readonly (string | number)[];

/** Returns the value at the path, or undefined if the path does not exist. */
export function getValue(value: unknown, ...path: JsonPath): unknown {
  let current = value;
  for (const key of path) {
    if (current === null || typeof current !== "object" || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string | number, unknown>)[key];
  }
  return current;
}

/** Returns the trimmed string at the path, or null if there is none or it is blank. */
export function getString(value: unknown, ...path: JsonPath): string | null {
  const found = getValue(value, ...path);
  return typeof found === "string" && found.trim() !== "" ? found.trim() : null;
}

/** Returns the finite number at the path, or null. Numbers in strings are parsed. */
export function getNumber(value: unknown, ...path: JsonPath): number | null {
  const found = getValue(value, ...path);
  const number = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Returns the array at the path, or an empty one. */
export function getArray(value: unknown, ...path: JsonPath): readonly unknown[] {
  const found = getValue(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Bounds the time of one search in a huge document. */
const MAX_VISITED = 400_000;

/** Returns the values of `key` in all objects below `value`, in document order. Found values are not searched. */
export function findAll(value: unknown, key: string, maxCount = 10_000): unknown[] {
  const found: unknown[] = [];
  const stack: unknown[] = [value];
  for (let visited = 0; stack.length > 0 && visited < MAX_VISITED && found.length < maxCount; visited++) {
    const current = stack.pop();
    if (current === null || typeof current !== "object") continue;
    if (Object.hasOwn(current, key)) found.push((current as Record<string, unknown>)[key]);
    else for (const child of Object.values(current).toReversed()) if (child !== null && typeof child === "object") stack.push(child);
  }
  return found;
}

/** Returns the object without the fields that are null, undefined or an empty string. */
export function omitEmpty<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "")) as {
    [K in keyof T]?: Exclude<T[K], null | undefined>;
  };
}

/** Returns the counts that are non-negative integers, or undefined if there are none. */
export function keepValidCounts(counts: Readonly<Record<string, number | null>>): Readonly<Record<string, number>> | undefined {
  const valid = Object.entries(counts).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  );
  return valid.length === 0 ? undefined : Object.fromEntries(valid);
}
