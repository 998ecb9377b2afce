import { type Json, canonical, isObject, asList, asObject, resolve } from "./json.ts";
import { compareExchange, type Problem } from "./exchanges.ts";

export type { Problem } from "./exchanges.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * What of the old OpenAPI document a client relied on and the new one no longer has, in the order of the old document. Additions are no
 * problem. Texts, examples and the order of things are not compared, and references are followed. Throws an `Error` with one sentence if
 * a document cannot be compared.
 */
export function diffOpenApi(before: Json, after: Json): readonly Problem[] {
  return [...compareGroup(before, after, "paths"), ...compareGroup(before, after, "webhooks"), ...compareNames(before, after)];
}

/** A problem as one sentence. */
export const describeProblem = ({ place, reason }: Problem): string => `${place} ${reason}.`;

/** Operations of paths, or events of webhooks. */
function compareGroup(before: Json, after: Json, group: "paths" | "webhooks"): readonly Problem[] {
  const now = asObject(after[group]);
  return Object.entries(asObject(before[group])).flatMap(([name, item]) => {
    const title = group === "paths" ? name : `Event ${name}`;
    if (!Object.hasOwn(now, name)) return [{ place: title, reason: "was removed" }];
    const [old, next] = [asObject(resolve(before, item)), asObject(resolve(after, now[name]))];
    return METHODS.filter((method) => isObject(old[method])).flatMap((method) => {
      const place = group === "paths" ? `${method.toUpperCase()} ${name}` : title;
      if (!isObject(next[method])) return [{ place, reason: "was removed" }];
      const sides = [getOperation(before, old, method), getOperation(after, next, method)] as const;
      const callers = group === "paths" ? compareSecurity(before, after, ...sides, place) : [];
      return [...compareId(...sides, place), ...callers, ...compareExchange(before, after, ...sides, place, group === "webhooks")];
    });
  });
}

/** The operation with the parameters of its path, which it may replace. */
function getOperation(document: Json, item: Json, method: string): Json {
  const operation = asObject(item[method]);
  const parameters = new Map<string, Json>();
  for (const one of [...asList(item["parameters"]), ...asList(operation["parameters"])]) {
    const parameter = asObject(resolve(document, one));
    parameters.set(`${String(parameter["in"])} ${String(parameter["name"])}`, parameter);
  }
  return { ...operation, parameters: [...parameters.values()] };
}

/** Generated clients name their functions by the ids of operations. */
function compareId(old: Json, now: Json, place: string): readonly Problem[] {
  const [from, to] = [old["operationId"], now["operationId"]];
  if (from === undefined || from === to) return [];
  return [
    {
      place,
      reason: to === undefined ? `lost its operationId ${String(from)}` : `has the operationId ${String(to)}, before ${String(from)}`,
    },
  ];
}

/** Each way to authenticate must still work: those of the operation, or else those of the document. */
function compareSecurity(before: Json, after: Json, old: Json, now: Json, place: string): readonly Problem[] {
  const current = new Set(listAuthentication(after, now).map(({ key }) => key));
  // An empty requirement, or none at all, means that anybody may call.
  if (current.has("")) return [];
  return listAuthentication(before, old)
    .filter(({ key }) => !current.has(key))
    .map(({ key, names }) => ({
      place,
      reason: key === "" ? "needs authentication now" : `no longer accepts the authentication ${names}`,
    }));
}

function listAuthentication(document: Json, operation: Json): readonly { readonly key: string; readonly names: string }[] {
  const schemes = asObject(asObject(document["components"])["securitySchemes"]);
  const ways = asList(operation["security"] ?? document["security"]).map(asObject);
  if (ways.length === 0) return [{ key: "", names: "" }];
  return ways.map((way) => ({
    key: Object.entries(way)
      .map(([name, scopes]) => {
        const { description: _, ...scheme } = asObject(resolve(document, schemes[name]));
        return `${canonical(scheme)} ${canonical(asList(scopes).toSorted())}`;
      })
      .toSorted()
      .join(" "),
    names: Object.keys(way).join(" and "),
  }));
}

/** Shared schemas are types in generated clients, so their names stay. */
function compareNames(before: Json, after: Json): readonly Problem[] {
  const schemas = (document: Json): Json => asObject(asObject(document["components"])["schemas"]);
  const now = schemas(after);
  return Object.keys(schemas(before))
    .filter((name) => !Object.hasOwn(now, name))
    .map((name) => ({ place: `Schema ${name}`, reason: "was removed" }));
}
