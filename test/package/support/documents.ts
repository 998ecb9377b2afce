import { diffOpenApi } from "../../../scripts/release/openapi-diff.ts";

export const string = { type: "string" };
export const json = (schema: object) => ({ content: { "application/json": { schema } } });
export const query = (name: string, more: object = {}) => ({ name, in: "query", schema: string, ...more });
export const operation = (more: object = {}) => ({ operationId: "getTile", responses: { 200: json(string) }, ...more });
/** A document with one operation, `GET /tiles`. */
export const createDocument = (one: object, more: object = {}) => ({ paths: { "/tiles": { get: one } }, ...more });

export const diff = (before: object, after: object): readonly string[] => diffOpenApi(before as never, after as never);
