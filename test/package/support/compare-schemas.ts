import { diffOpenApi } from "../../../scripts/release/openapi-diff.ts";

export const string = { type: "string" };
export const integer = { type: "integer" };
export const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

/** The problems as "path reason". */
export const compare = (before: unknown, after: unknown, direction: "request" | "response", schemas: object = {}): readonly string[] => {
  const body = (schema: unknown) => ({ content: { "application/json": { schema } } });
  const write = (schema: unknown) => ({
    paths: { "/": { get: direction === "request" ? { requestBody: body(schema) } : { responses: { 200: body(schema) } } } },
    components: { schemas },
  });
  return diffOpenApi(write(before), write(after)).map(
    (sentence) => /^GET \/: (?:request body|response 200)(?: field)? (.*)\.$/.exec(sentence)?.[1] ?? "",
  );
};
