import { describe, expect, it, test } from "vitest";
import { EVENT_TYPES } from "#domain/settings/webhook.ts";
import { SchemaComponents } from "#http/openapi/components.ts";
import { FEED_EVENTS } from "#domain/events/event.ts";
import { Type } from "typebox";
import { document, follow, operations } from "./built-document.ts";

const MAX_BYTES = 220_000;

describe("operations", () => {
  it("an operation has a unique id in camelCase", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]+$/.test(id))).toEqual([]);
  });

  it("an operation has a declared tag and a description that ends with a full stop", () => {
    const tags = document.tags.map(({ name }: { name: string }) => name);
    for (const { name, operation } of operations) {
      expect(tags, name).toContain(operation.tags[0]);
      expect(operation.description, name).toMatch(/[.]$/);
    }
  });

  it("an operation lists its errors, which all have the same body", () => {
    for (const { name, operation, pointer } of operations) {
      if (!pointer.startsWith("/paths")) continue;
      const statuses = Object.keys(operation.responses);
      expect(statuses, name).toEqual(expect.arrayContaining(["403", "429", "500", "503"]));
      expect(
        statuses.filter((status) => !/^\d{3}$/.test(status)),
        name,
      ).toEqual([]);
      expect(statuses[0], name).toMatch(/^20[02]$/);
    }
    const errors = Object.values<any>(document.components.responses).filter(({ headers }) => headers?.["X-Error-Code"] !== undefined);
    expect(errors.length).toBeGreaterThan(10);
    // A second media type would make the type of an error a union in generated clients.
    for (const { content } of errors)
      expect(content).toMatchObject({ "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } });
    for (const { content } of errors) expect(Object.keys(content)).toEqual(["application/json"]);
  });

  it("an operation lists the headers that change its behaviour", () => {
    const listHeaders = (id: string) =>
      operations
        .find(({ operation }) => operation.operationId === id)!
        .operation.parameters.map(({ $ref = "" }) => $ref.split("/").at(-1))
        .filter((name: string) => name in document.components.parameters && document.components.parameters[name].in === "header");
    expect(listHeaders("createTile")).toEqual(["Idempotency-Key"]);
    expect(listHeaders("updateTile")).toEqual(["If-Match"]);
    expect(listHeaders("generateText")).toEqual(["Idempotency-Key", "Prefer"]);
  });
});

test("every shared schema is a component", () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([
      "Board",
      "Zone",
      "Tile",
      "TileSummary",
      "Citation",
      "Answer",
      "Generation",
      "Webhook",
      "Delivery",
      "ErrorBody",
      "ApiKey",
      "Member",
    ]),
  );
});

test("every webhook event is described, with its signature headers", () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual([...new Set([...EVENT_TYPES, ...FEED_EVENTS, "test"])].toSorted());
  for (const { post } of Object.values<any>(document.webhooks))
    expect(post.parameters.map(({ $ref }: { $ref: string }) => $ref.split("/").at(-1))).toEqual([
      "X-Service-Signature",
      "Webhook-Id",
      "Webhook-Timestamp",
      "Webhook-Signature",
    ]);
});

test("answers and generations are described as streams too", () => {
  for (const id of ["askBoard", "generateText"]) {
    const { operation } = operations.find((one) => one.operation.operationId === id)!;
    expect(Object.keys(follow(operation.responses["200"]).content)).toEqual(["application/json", "text/event-stream"]);
  }
});

test(`the document has at most ${MAX_BYTES / 1_000} kB`, () => {
  expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThanOrEqual(MAX_BYTES);
});

describe("components", () => {
  it("the components are referenced wherever a schema with a title is used, without internal keywords", () => {
    const components = new SchemaComponents();
    const color = { title: "Color", type: "string", enum: ["red"], "x-blank": "kept" };
    const schema = { type: "object", properties: { title: color, other: { ...color, description: "Why." } } };
    expect(components.write(schema, "response")).toEqual({
      type: "object",
      properties: { title: { $ref: "#/components/schemas/Color" }, other: { $ref: "#/components/schemas/Color", description: "Why." } },
    });
    expect(components.collected()).toEqual({ Color: { description: "New values may be added.", type: "string", enum: ["red"] } });
  });

  it("the components write a nullable schema as a reference or null", () => {
    const components = new SchemaComponents();
    expect(components.write({ title: "Color", type: ["string", "null"], enum: ["red", null] }, "response")).toEqual({
      anyOf: [{ $ref: "#/components/schemas/Color" }, { type: "null" }],
    });
    expect(components.collected()).toEqual({ Color: { description: "New values may be added.", type: "string", enum: ["red"] } });
  });

  it("the components reject two schemas with the same title", () => {
    const components = new SchemaComponents();
    components.write(Type.Object({ a: Type.String() }, { title: "One" }), "request");
    expect(() => components.write(Type.Object({ b: Type.String() }, { title: "One" }), "request")).toThrow(
      "Two different schemas have the title One.",
    );
  });
});
