import { expect, it } from "vitest";
import { createDocument, diff, json, operation, query, string } from "./support/documents.ts";

const createWebhook = (one: object) => ({ webhooks: { "tile.ready": { post: one } } });

const SECURE = {
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-API-Key" }, bearer: { type: "http", scheme: "bearer" } } },
};
const SHARED = { components: { schemas: { Tile: string } } };

/** Each pair breaks clients in this order, and is an addition in the other. */
const BREAKING: readonly (readonly [string, object, object, string])[] = [
  ["a path", createDocument(operation()), { paths: {} }, "/tiles was removed."],
  ["an operation", createDocument(operation()), { paths: { "/tiles": {} } }, "GET /tiles was removed."],
  [
    "a parameter",
    createDocument(operation({ parameters: [query("q")] })),
    createDocument(operation()),
    "GET /tiles: query parameter q was removed.",
  ],
  [
    "a parameter of the path item",
    { paths: { "/tiles": { parameters: [query("q")], get: operation() } } },
    createDocument(operation()),
    "GET /tiles: query parameter q was removed.",
  ],
  [
    "an optional parameter",
    createDocument(operation({ parameters: [query("q")] })),
    createDocument(operation({ parameters: [query("q", { required: true })] })),
    "GET /tiles: query parameter q is required now.",
  ],
  [
    "values of a parameter",
    createDocument(operation({ parameters: [query("q")] })),
    createDocument(operation({ parameters: [query("q", { schema: { type: "string", enum: ["a"] } })] })),
    "GET /tiles: query parameter q accepts only listed values now.",
  ],
  [
    "several values of a parameter",
    createDocument(
      operation({ parameters: [query("q", { schema: { anyOf: [string, { type: "array", items: { type: "string", enum: ["a"] } }] } })] }),
    ),
    createDocument(operation({ parameters: [query("q", { schema: string })] })),
    "GET /tiles: query parameter q no longer accepts array.",
  ],
  [
    "a request header",
    createDocument(operation({ parameters: [{ name: "If-Match", in: "header", schema: string }] })),
    createDocument(operation()),
    "GET /tiles: header If-Match was removed.",
  ],
  [
    "a request body",
    createDocument(operation({ requestBody: json(string) })),
    createDocument(operation()),
    "GET /tiles: request body was removed.",
  ],
  [
    "an optional request body",
    createDocument(operation({ requestBody: json(string) })),
    createDocument(operation({ requestBody: { ...json(string), required: true } })),
    "GET /tiles: request body is required now.",
  ],
  [
    "a media type of requests",
    createDocument(operation({ requestBody: { content: { "application/json": {}, "text/plain": {} } } })),
    createDocument(operation({ requestBody: { content: { "application/json": {} } } })),
    "GET /tiles: request body of type text/plain was removed.",
  ],
  [
    "a request field",
    createDocument(operation({ requestBody: json({ type: "object", properties: { a: string, b: string } }) })),
    createDocument(operation({ requestBody: json({ type: "object", properties: { a: string } }) })),
    "GET /tiles: request body field b was removed.",
  ],
  [
    "a response",
    createDocument(operation({ responses: { 200: {}, 404: {} } })),
    createDocument(operation({ responses: { 200: {} } })),
    "GET /tiles: response 404 was removed.",
  ],
  [
    "a media type of responses",
    createDocument(operation({ responses: { 200: { content: { "application/json": {}, "text/event-stream": {} } } } })),
    createDocument(operation({ responses: { 200: { content: { "application/json": {} } } } })),
    "GET /tiles: response 200 of type text/event-stream was removed.",
  ],
  [
    "a response field",
    createDocument(operation({ responses: { 200: json({ type: "object", properties: { a: string, b: string } }) } })),
    createDocument(operation({ responses: { 200: json({ type: "object", properties: { a: string } }) } })),
    "GET /tiles: response 200 field b was removed.",
  ],
  [
    "a response header",
    createDocument(operation({ responses: { 200: { headers: { ETag: { schema: string } } } } })),
    createDocument(operation({ responses: { 200: {} } })),
    "GET /tiles: response 200 header ETag was removed.",
  ],
  [
    "the id of an operation",
    createDocument(operation()),
    createDocument(operation({ operationId: undefined })),
    "GET /tiles lost its operationId getTile.",
  ],
  [
    "a call without a key",
    createDocument(operation({ security: [] }), SECURE),
    createDocument(operation({ security: [{ key: [] }] }), SECURE),
    "GET /tiles needs authentication now.",
  ],
  [
    "a way to authenticate",
    createDocument(operation(), { ...SECURE, security: [{ key: [] }, { bearer: [] }] }),
    createDocument(operation({ security: [{ key: [] }] }), SECURE),
    "GET /tiles no longer accepts the authentication bearer.",
  ],
  ["an event", createWebhook(operation()), {}, "Event tile.ready was removed."],
  [
    "a field of an event, which the server sends",
    createWebhook(operation({ requestBody: json({ type: "object", properties: { a: string, b: string } }) })),
    createWebhook(operation({ requestBody: json({ type: "object", properties: { a: string } }) })),
    "Event tile.ready: request body field b was removed.",
  ],
  [
    "what an event always has",
    createWebhook(operation({ requestBody: json({ type: "object", properties: { a: string }, required: ["a"] }) })),
    createWebhook(operation({ requestBody: json({ type: "object", properties: { a: string } }) })),
    "Event tile.ready: request body field a may now be missing.",
  ],
  ["the name of a shared schema", createDocument(operation(), SHARED), createDocument(operation()), "Schema Tile was removed."],
];

it.each(BREAKING)("%s may not be removed", (_name, before, after, sentence) => {
  expect(diff(before, after)).toEqual([sentence]);
});

it.each(BREAKING)("%s may be added", (_name, before, after) => {
  expect(diff(after, before)).toEqual([]);
});

it.each(BREAKING)("%s is no difference to itself", (_name, before) => {
  expect(diff(before, structuredClone(before))).toEqual([]);
});
