import type { Json } from "./json.ts";

type Responses = Record<string, Json>;

/** A shorter response takes less space where it is used. */
const MIN_LENGTH = 150;
const SUCCESSES = ["200", "202"];

/**
 * Replaces successful responses that several operations have in common by references, and returns them by name, for
 * `components.responses`. The name is that of the first operation.
 */
export function shareSuccesses(paths: Readonly<Record<string, Readonly<Record<string, Json>>>>): Json {
  const uses = new Map<string, { readonly name: string; readonly responses: Responses; readonly status: string }[]>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const responses = operation["responses"] as Responses;
    for (const status of SUCCESSES) {
      const json = responses[status] === undefined ? "" : JSON.stringify(responses[status]);
      if (json.length < MIN_LENGTH) continue;
      const name = `${capitalize(String(operation["operationId"]))}${status === "202" ? "Accepted" : "Success"}`;
      uses.set(json, [...(uses.get(json) ?? []), { name, responses, status }]);
    }
  }
  const shared: Record<string, unknown> = {};
  for (const [json, [first, ...others]] of uses) {
    if (first === undefined || others.length === 0) continue;
    shared[first.name] = JSON.parse(json);
    for (const { responses, status } of [first, ...others]) responses[status] = { $ref: `#/components/responses/${first.name}` };
  }
  return shared;
}

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
