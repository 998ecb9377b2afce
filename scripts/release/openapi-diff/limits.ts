import { type Json, canonical } from "./json.ts";
import type { Alternative } from "./alternatives.ts";

/** Keywords that `schemas.ts` compares part by part. */
const SCHEMAS = new Set(["items", "additionalProperties", "patternProperties"]);
const MEASURES: Readonly<Record<string, (value: unknown) => number | undefined>> = {
  Length: (value) => (typeof value === "string" ? [...value].length : undefined),
  imum: (value) => (typeof value === "number" ? value : undefined),
  Items: (value) => (Array.isArray(value) ? value.length : undefined),
};

/**
 * The keywords by which `inner` allows values that `outer` does not, each with the value it has in `inner`: a lower minimum, a higher
 * maximum, another format or pattern. A keyword that is not understood counts if it differs.
 */
export function findWiderKeywords(inner: Alternative, outer: Alternative): readonly string[] {
  return Object.entries(outer.rest)
    .filter(([name, value]) => !SCHEMAS.has(name) && !isWithin(inner, name, value))
    .map(([name]) => name);
}

function isWithin(inner: Alternative, name: string, limit: unknown): boolean {
  if (typeof limit === "number" && /^(?:min|exclusiveMin)/.test(name)) return (getBound(inner, name, Math.min) ?? getLeast(name)) >= limit;
  if (typeof limit === "number" && /^(?:max|exclusiveMax)/.test(name)) return (getBound(inner, name, Math.max) ?? Infinity) <= limit;
  if (name === "pattern" && typeof limit === "string" && inner.values !== undefined)
    return inner.values.every((value) => typeof value === "string" && new RegExp(limit, "u").test(value));
  if (name === "format" && inner.values !== undefined) return true;
  if (limit === false && name === "uniqueItems") return true;
  return canonical(inner.rest[name]) === canonical(limit);
}

/** What a value without this limit has at least: lengths and counts are never negative. */
const getLeast = (name: string): number => (/(?:Length|Items|Properties)$/.test(name) ? 0 : -Infinity);

/** The limit of the keyword in this form: its own, or what its values have. */
function getBound({ rest, values }: Alternative, name: string, choose: (...all: number[]) => number): number | undefined {
  const stated = (rest as Json)[name];
  if (typeof stated === "number") return stated;
  const measure = Object.entries(MEASURES).find(([ending]) => name.endsWith(ending))?.[1];
  const measured = measure === undefined ? [] : (values ?? []).map(measure);
  return measured.length > 0 && measured.every((one) => one !== undefined) ? choose(...measured) : undefined;
}
