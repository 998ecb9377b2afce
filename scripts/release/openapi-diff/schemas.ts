import { type Alternative, listAlternatives } from "./alternatives.ts";
import { type Json, canonical, isObject, resolve } from "./json.ts";
import { findWiderKeywords } from "./limits.ts";

/** Who sends the value: clients send requests, the server sends responses and events. */
export type Direction = "request" | "response";
/** A document, and the part of it that is compared. */
export type Side = { readonly document: Json; readonly schema: unknown };
/** What breaks a client: `path` is the field as in `tiles[].title`, empty for the whole value. */
export type SchemaProblem = { readonly path: string; readonly reason: string };

/** Deeper parts of recursive schemas were compared before. */
const MAX_DEPTH = 40;
/** How the description of a list of values in a response says that clients must expect others. */
const MAY_GROW = /\b(?:values|types|codes|kinds|events) may be added\b/i;

/**
 * What a client of the old schema cannot do with the new one. A server must still accept every request that was valid, and send only
 * responses that were. Fields may be added to responses, since clients ignore those they do not know.
 */
export function compareSchemas(before: Side, after: Side, direction: Direction): readonly SchemaProblem[] {
  return new SchemaComparison(before.document, after.document, direction).compare(before.schema, after.schema, "", 0);
}

class SchemaComparison {
  readonly #before: Json;
  readonly #after: Json;
  readonly #direction: Direction;
  /** Pairs that are being compared: a recursive schema leads back to them. */
  readonly #open = new Map<unknown, Set<unknown>>();

  constructor(before: Json, after: Json, direction: Direction) {
    this.#before = before;
    this.#after = after;
    this.#direction = direction;
  }

  compare(before: unknown, after: unknown, path: string, depth: number): readonly SchemaProblem[] {
    const [found, other] = [resolve(this.#before, before), resolve(this.#after, after)];
    const open = this.#open.get(found) ?? new Set();
    if (depth > MAX_DEPTH || open.has(other)) return [];
    this.#open.set(found, open.add(other));
    try {
      const olds = listAlternatives(this.#before, before);
      const news = listAlternatives(this.#after, after);
      const mayGrow = this.#direction === "response" && (isAnnouncedToGrow(before) || isAnnouncedToGrow(found));
      const [inners, outers] = this.#direction === "request" ? [olds, news] : [news, olds];
      return unique(inners.flatMap((inner) => this.#findProblems(inner, outers, path, depth, mayGrow)));
    } finally {
      open.delete(other);
    }
  }

  /** Why no form of `outers` allows everything that `inner` does: the problems with the form that has the fewest. */
  #findProblems(
    inner: Alternative,
    outers: readonly Alternative[],
    path: string,
    depth: number,
    mayGrow: boolean,
  ): readonly SchemaProblem[] {
    const candidates = outers.filter(
      ({ type }) => type === "any" || type === inner.type || (type === "number" && inner.type === "integer"),
    );
    const results = candidates.map((outer) => [
      ...this.#compareValues(inner, outer, path, mayGrow),
      ...this.#compareKeywords(inner, outer, path),
      ...(inner.type === "object" ? this.#compareFields(inner, outer, path, depth) : []),
      ...(inner.type === "array" ? this.#compareParts(inner.rest["items"], outer.rest["items"], inner, outer, `${path}[]`, depth) : []),
    ]);
    const best = results.toSorted((a, b) => a.length - b.length)[0];
    if (best !== undefined) return best;
    const type = inner.type === "any" ? "every type" : inner.type;
    return [
      { path, reason: this.#say(`no longer accepts ${type}`, inner.type === "any" ? "may now have any type" : `may now be ${type}`) },
    ];
  }

  #compareValues({ values }: Alternative, outer: Alternative, path: string, mayGrow: boolean): readonly SchemaProblem[] {
    if (outer.values === undefined || mayGrow) return [];
    if (values === undefined)
      return [{ path, reason: this.#say("accepts only listed values now", "is no longer limited to the listed values") }];
    const known = new Set(outer.values.map(canonical));
    return values
      .map(canonical)
      .filter((value) => !known.has(value))
      .map((value) => ({
        path,
        reason: this.#say(`no longer accepts ${value}`, `has the new value ${value}, which clients do not expect`),
      }));
  }

  #compareKeywords(inner: Alternative, outer: Alternative, path: string): readonly SchemaProblem[] {
    return findWiderKeywords(inner, outer).map((name) => {
      const [from, to] = [inner.rest[name], outer.rest[name]].map((value) => (value === undefined ? "none" : canonical(value)));
      return { path, reason: this.#say(`has a narrower ${name}: ${to}, before ${from}`, `has a wider ${name}: ${from}, before ${to}`) };
    });
  }

  #compareFields(inner: Alternative, outer: Alternative, path: string, depth: number): readonly SchemaProblem[] {
    const isRequest = this.#direction === "request";
    const [old, now] = isRequest ? [inner, outer] : [outer, inner];
    const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
    const problems: SchemaProblem[] = [];
    for (const [name, schema] of Object.entries(old.properties)) {
      if (!(name in now.properties)) problems.push({ path: at(name), reason: "was removed" });
      else problems.push(...this.compare(schema, now.properties[name], at(name), depth + 1));
    }
    for (const name of outer.required)
      if (!inner.required.includes(name) && (isRequest || name in now.properties || !(name in old.properties)))
        problems.push({ path: at(name), reason: this.#say("is required now", "may now be missing") });
    return [...problems, ...this.#compareOtherFields(inner, outer, at("*"), depth)];
  }

  /** Fields that are not listed. A response may have more of them; those of a map keep their schema. */
  #compareOtherFields(inner: Alternative, outer: Alternative, path: string, depth: number): readonly SchemaProblem[] {
    const problems: SchemaProblem[] = [];
    for (const keyword of ["additionalProperties", "patternProperties"]) {
      const [a, b] = [inner.rest[keyword], outer.rest[keyword]];
      if (b === undefined || b === true || a === false) continue;
      if (b === false) {
        if (this.#direction === "request") problems.push({ path, reason: "is no longer accepted" });
      } else if (keyword === "additionalProperties") problems.push(...this.#compareParts(a, b, inner, outer, path, depth));
      else problems.push(...this.#comparePatterns(a, b, path, depth));
    }
    return problems;
  }

  #comparePatterns(a: unknown, b: unknown, path: string, depth: number): readonly SchemaProblem[] {
    const [inner, outer] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
    return Object.entries(outer).flatMap(([pattern, schema]) =>
      pattern in inner
        ? this.#compareSides(inner[pattern], schema, path, depth)
        : [{ path, reason: this.#say(`has a new rule for names like ${pattern}`, `has no rule for names like ${pattern} anymore`) }],
    );
  }

  /** Schemas of items or of other fields; one that is missing allows everything. */
  #compareParts(a: unknown, b: unknown, inner: Alternative, outer: Alternative, path: string, depth: number): readonly SchemaProblem[] {
    if (b === undefined || b === true) return [];
    // A list of which every value is known is compared by its values.
    return inner.values !== undefined && outer.values !== undefined ? [] : this.#compareSides(a ?? true, b, path, depth);
  }

  #compareSides(inner: unknown, outer: unknown, path: string, depth: number): readonly SchemaProblem[] {
    return this.#direction === "request" ? this.compare(inner, outer, path, depth + 1) : this.compare(outer, inner, path, depth + 1);
  }

  #say(request: string, response: string): string {
    return this.#direction === "request" ? request : response;
  }
}

const isAnnouncedToGrow = (schema: unknown): boolean =>
  isObject(schema) && typeof schema["description"] === "string" && MAY_GROW.test(schema["description"]);

const unique = (problems: readonly SchemaProblem[]): readonly SchemaProblem[] => [
  ...new Map(problems.map((problem) => [canonical(problem), problem])).values(),
];
