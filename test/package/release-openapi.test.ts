import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { diffOpenApi } from "../../scripts/release/openapi-diff.ts";
import {
  compareReleases,
  buildCurrentDocument,
  readAccepted,
  readSnapshot,
  listReleases,
  renderSnapshot,
  getSnapshotFile,
} from "../../scripts/release/snapshots.ts";
import { VERSION } from "#domain/core/version.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

const string = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const query = (name: string, more: object = {}) => ({ name, in: "query", schema: string, ...more });
const operation = (more: object = {}) => ({ operationId: "getTile", responses: { 200: json(string) }, ...more });
/** A document with one operation, `GET /tiles`. */
const createDocument = (one: object, more: object = {}) => ({ paths: { "/tiles": { get: one } }, ...more });
const createWebhook = (one: object) => ({ webhooks: { "tile.ready": { post: one } } });

const diff = (before: object, after: object): readonly string[] => diffOpenApi(before as never, after as never);

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

describe.each(BREAKING)("%s", (_name, before, after, sentence) => {
  it("it may not be removed", () => expect(diff(before, after)).toEqual([sentence]));
  it("it may be added", () => expect(diff(after, before)).toEqual([]));
  it("it is no difference to itself", () => expect(diff(before, structuredClone(before))).toEqual([]));
});

describe("operations", () => {
  it("an operation may not get a parameter or a body that is required", () => {
    const added = operation({ parameters: [query("q", { required: true })], requestBody: { ...json(string), required: true } });
    expect(diff(createDocument(operation()), createDocument(added))).toEqual([
      "GET /tiles: query parameter q is required now.",
      "GET /tiles: request body is required now.",
    ]);
  });

  it("an operation may not be renamed in either direction", () => {
    const renamed = createDocument(operation({ operationId: "readTile" }));
    expect(diff(createDocument(operation()), renamed)).toEqual(["GET /tiles lost its operationId getTile."]);
  });

  it("an operation may share its parameters, bodies and responses", () => {
    const header = { name: "If-Match", in: "header", schema: string };
    const before = createDocument(operation({ parameters: [header], requestBody: json(string), responses: { 404: json(string) } }));
    const ref = (path: string) => ({ $ref: `#/components/${path}` });
    const after = createDocument(
      operation({
        parameters: [ref("parameters/Match")],
        requestBody: ref("requestBodies/Text"),
        responses: { 404: ref("responses/Missing") },
      }),
      {
        components: {
          parameters: { Match: header },
          requestBodies: { Text: json(string) },
          responses: { Missing: json(ref("schemas/Text")) },
          schemas: { Text: string },
        },
      },
    );
    expect(diff(before, after)).toEqual([]);
    expect(diff(after, before)).toEqual(["Schema Text was removed."]);
  });

  it("an operation reports what a shared component changes at each use", () => {
    const schemas = (required: readonly string[]) => ({
      components: { schemas: { Tile: { type: "object", properties: { id: string }, required } } },
    });
    const use = operation({ responses: { 200: json({ $ref: "#/components/schemas/Tile" }) } });
    expect(diff(createDocument(use, schemas(["id"])), createDocument(use, schemas([])))).toEqual([
      "GET /tiles: response 200 field id may now be missing.",
    ]);
  });
});

const [before, after] = [
  createDocument(operation({ responses: { 200: {}, 404: {} } })),
  createDocument(operation({ responses: { 200: {} } })),
];

it("accepted differences are matched as whole sentences, with * for any text", () => {
  const accept = (difference: string) => compareReleases(before as never, after as never, [{ difference, reason: "" }]);
  expect(accept("* response 404 was removed.")).toEqual({ problems: [], unused: [] });
  expect(accept("response 404 was removed")).toEqual({
    problems: ["GET /tiles: response 404 was removed."],
    unused: ["response 404 was removed"],
  });
});

describe("versions of the API", () => {
  const versions = listReleases(ROOT);

  it.each(versions)("the API changed additively since %s", (version) => {
    const next = versions[versions.indexOf(version) + 1];
    const after = next === undefined ? buildCurrentDocument(VERSION) : readSnapshot(ROOT, next);
    expect(compareReleases(readSnapshot(ROOT, version), after, readAccepted(ROOT, version))).toEqual({ problems: [], unused: [] });
  });

  test("each accepted difference has a reason", () => {
    for (const { reason } of versions.flatMap((version) => readAccepted(ROOT, version))) expect(reason).toMatch(/^[A-Z0-9].{20,}\.$/);
  });

  test("each snapshot is written as the release writes it", async () => {
    for (const version of versions)
      expect(await renderSnapshot(readSnapshot(ROOT, version))).toBe(readFileSync(join(ROOT, getSnapshotFile(version)), "utf8"));
  });
});
