import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { describe, expect, it, test } from "vitest";
import { EVENT_TYPES } from "#domain/settings/webhook.ts";
import { buildDocument } from "#http/openapi/document.ts";
import { SchemaComponents } from "#http/openapi/components.ts";
import { buildExample } from "#http/openapi/example.ts";
import { createRoutes } from "#http/routes/all.ts";
import { Type } from "typebox";

const MAX_BYTES = 160_000;

const routes = createRoutes({ name: 200, title: 500, content: 1_000_000, question: 4_000 });
const document = buildDocument(routes, "https://tessera.example.com") as any;
const follow = (value: any) =>
  typeof value?.$ref === "string"
    ? value.$ref
        .slice(2)
        .split("/")
        .reduce((part: any, name: string) => part[name], document)
    : value;
const operations: { readonly name: string; readonly pointer: string; readonly operation: any }[] = [
  ...Object.entries<any>(document.paths),
  ...Object.entries<any>(document.webhooks),
].flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    pointer: `/${path.startsWith("/") ? "paths" : "webhooks"}/${path.replaceAll("/", "~1")}/${method}`,
    operation,
  })),
);

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
  expect(Object.keys(document.webhooks).toSorted()).toEqual([...EVENT_TYPES, "test"].toSorted());
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

describe("examples", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package's types describe its ES module, which is not what Node loads.
  (formatsModule as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema(document, "api");

  const medias = operations.flatMap(({ name, operation, pointer }) => [
    ...(operation.requestBody === undefined ? [] : [[`${name} request`, `${pointer}/requestBody/content`, operation.requestBody.content]]),
    ...Object.entries<any>(operation.responses).map(([status, response]) => [
      `${name} ${status}`,
      `${response.$ref?.slice(1) ?? `${pointer}/responses/${status}`}/content`,
      follow(response).content ?? {},
    ]),
  ]) as [string, string, any][];

  it("an example matches its schema", () => {
    let checked = 0;
    for (const [name, pointer, content] of medias)
      for (const [type, { example }] of Object.entries<any>(content)) {
        if (example === undefined) continue;
        const validate = ajv.compile({ $ref: `api#${encodeURI(`${pointer}/${type.replaceAll("/", "~1")}/schema`)}` });
        expect(validate(example) ? [] : validate.errors, `${name} ${type} ${JSON.stringify(example)}`).toEqual([]);
        checked++;
      }
    expect(checked).toBeGreaterThan(100);
  });

  // The page at /docs sends what it shows: an id of another install would be 400, and a repeated Idempotency-Key 409.
  it("an example of a request can be sent as it is, but for the ids that it must have", () => {
    const parameters = operations.flatMap(({ operation }) => (operation.parameters ?? []).map(follow));
    expect(parameters.filter((parameter: any) => "example" in parameter && parameter.required !== true)).toEqual([]);
    for (const [name, , content] of medias.filter(([one]) => !/ \d/.test(one))) {
      const { example, schema } = content["application/json"] ?? {};
      const required = new Set<string>(follow(schema ?? {}).required ?? []);
      const ids = Object.entries(example ?? {}).filter(([field, value]) => /^[a-z]{3}_0/.test(String(value)) && !required.has(field));
      expect(ids, name).toEqual([]);
    }
  });

  it("an example exists for every JSON request and response, without placeholder text", () => {
    for (const [name, , content] of medias) {
      const json = content["application/json"];
      if (json === undefined) continue;
      expect(json.example, name).toBeDefined();
      expect(JSON.stringify(json.example), name).not.toContain(':"text"');
    }
  });
});

it("the page at /docs fills in what has an example, but sends no optional header and no parameter that the user did not write", () => {
  const parameters = operations.flatMap(({ name, pointer, operation }) =>
    pointer.startsWith("/paths") ? (operation.parameters ?? []).map((one: any) => [name, follow(one)]) : [],
  );
  expect(parameters.length).toBeGreaterThan(100);
  for (const [name, { example, examples, schema }] of parameters)
    expect([example, examples, schema.example, schema.examples, schema.default], name).toEqual(Array(5).fill(undefined));
});

it("the page at /docs names no zone or board in a body unless the call needs one", () => {
  for (const { name, pointer, operation } of operations) {
    const media = pointer.startsWith("/paths") ? operation.requestBody?.content["application/json"] : undefined;
    if (media === undefined) continue;
    const { required = [] } = follow(media.schema);
    const ids = Object.entries<any>(media.example).filter(([field, value]) => /(?:zone|tile|board)_ids?$/.test(field) && value !== null);
    expect(
      ids.map(([field]) => field).filter((field) => !required.includes(field)),
      name,
    ).toEqual([]);
  }
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

test("an example is composed of the examples of its properties", () => {
  const schema = Type.Object({
    name: Type.String({ examples: ["Ada"] }),
    left: Type.Optional(Type.String()),
    shown: Type.Optional(Type.Integer({ examples: [7] })),
    list: Type.Array(Type.Object({ ok: Type.Literal(true) })),
  });
  expect(buildExample(schema as never)).toEqual({ name: "Ada", shown: 7, list: [{ ok: true }] });
});
