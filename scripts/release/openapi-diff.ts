import { ANYTHING, type Fact, FactReader, type Json } from "./openapi-facts.ts";

/**
 * What of the old OpenAPI document a client relied on and the new one no longer has, as sentences in the order of the old document. A valid
 * request stays valid, and a response contains only what clients were told; more fields are allowed. Throws an `Error` if a reference leads
 * to nothing.
 */
export function diffOpenApi(before: Json, after: Json): readonly string[] {
  const [olds, news] = [new FactReader(before).facts, new FactReader(after).facts];
  const problems = new Set<string>();
  for (const [place, old] of olds) {
    const now = news.get(place) ?? getDefault(place, old);
    if (now !== undefined) for (const reason of compareFacts(old, now, place)) problems.add(`${place} ${reason}.`);
    else if (old.parent === "" || news.has(old.parent)) problems.add(`${old.removal}.`);
  }
  for (const [place, now] of news) {
    if (olds.has(place) || !olds.has(now.parent)) continue;
    // A value that was no list before had no items to limit.
    const isNewList = place.endsWith("[]") && !allowsType(olds.get(now.parent)?.types ?? [], "array");
    const old = isNewList ? undefined : getDefault(place, now);
    if (old !== undefined) for (const reason of compareFacts(old, now, place)) problems.add(`${place} ${reason}.`);
    else if (now.isRequired && now.direction === "request") problems.add(`${place} is required now.`);
  }
  return [...problems];
}

/** Items of lists and fields that are not listed may be anything if the schema does not say. */
const getDefault = (place: string, fact: Fact): Fact | undefined => (/(?:\[\]|[ .]\*)$/.test(place) ? { ...fact, ...ANYTHING } : undefined);

function compareFacts(old: Fact, now: Fact, place: string): readonly string[] {
  const isRequest = old.direction === "request";
  const say = (request: string, response: string): string => (isRequest ? request : response);
  if (now.types.length === 0 && old.types.length > 0) return isRequest ? ["is no longer accepted"] : [];
  if (old.types.length === 0 && !isRequest && place.endsWith("*")) return [];
  const [inner, outer] = isRequest ? [old, now] : [now, old];
  const reasons: string[] = [];
  if (isRequest ? now.isRequired && !old.isRequired : old.isRequired && !now.isRequired)
    reasons.push(say("is required now", "may now be missing"));
  for (const type of inner.types.filter((one) => !allowsType(outer.types, one))) {
    const name = type === "any" ? "any type" : type;
    reasons.push(say(`no longer accepts ${name}`, `may now be ${name}`));
  }
  if (outer.values !== undefined && !(old.mayGrow && !isRequest)) {
    if (inner.values === undefined) reasons.push(say("accepts only listed values now", "is no longer limited to the listed values"));
    for (const value of inner.values?.filter((one) => outer.values?.includes(one) !== true) ?? [])
      reasons.push(say(`no longer accepts ${value}`, `has the new value ${value}, which clients do not expect`));
  }
  if (inner.values !== undefined) return reasons;
  for (const name of Object.keys(outer.limits).filter((limit) => !isWithin(limit, inner.limits[limit], outer.limits[limit]))) {
    const [from, to] = [old.limits[name], now.limits[name]].map((value) => (value === undefined ? "none" : JSON.stringify(value)));
    reasons.push(`has a ${say("narrower", "wider")} ${name}: ${to}, before ${from}`);
  }
  return reasons;
}

const allowsType = (types: readonly string[], type: string): boolean =>
  types.includes("any") || types.includes(type) || (type === "integer" && types.includes("number"));

function isWithin(name: string, value: unknown, limit: unknown): boolean {
  const least = /(?:Length|Items|Properties)$/.test(name) ? 0 : -Infinity;
  if (/^(?:min|exclusiveMin)/.test(name)) return Number(value ?? least) >= Number(limit);
  if (/^(?:max|exclusiveMax)/.test(name)) return Number(value ?? Infinity) <= Number(limit);
  return limit === false || JSON.stringify(value) === JSON.stringify(limit);
}
