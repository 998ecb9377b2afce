import { describe, expect, it } from "vitest";
import { diffOpenApi } from "../../scripts/release/openapi-diff.ts";

/*
 * Each rule is a pair of schemas, of which `wide` allows more. In a request, going from wide to narrow breaks clients that send what is no
 * longer accepted; in a response, going from narrow to wide breaks clients that get what they do not expect. The other way is an addition.
 */
type Rule = {
  readonly name: string;
  readonly wide: unknown;
  readonly narrow: unknown;
  readonly request: string;
  readonly response: string;
};

const string = { type: "string" };
const integer = { type: "integer" };
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

const RULES: readonly Rule[] = [
  {
    name: "a type of several",
    wide: { type: ["string", "integer"] },
    narrow: string,
    request: "no longer accepts integer",
    response: "may now be integer",
  },
  {
    name: "null in a list of types",
    wide: { type: ["string", "null"] },
    narrow: string,
    request: "no longer accepts null",
    response: "may now be null",
  },
  {
    name: "null in anyOf",
    wide: { anyOf: [string, { type: "null" }] },
    narrow: string,
    request: "no longer accepts null",
    response: "may now be null",
  },
  {
    name: "null as a value",
    wide: { type: ["string", "null"], enum: ["a", null] },
    narrow: { type: "string", enum: ["a"] },
    request: "no longer accepts null",
    response: "may now be null",
  },
  {
    name: "numbers with fractions",
    wide: { type: "number" },
    narrow: integer,
    request: "no longer accepts number",
    response: "may now be number",
  },
  { name: "any type", wide: {}, narrow: string, request: "no longer accepts any type", response: "may now be any type" },
  {
    name: "a value of an enum",
    wide: { type: "string", enum: ["a", "b"] },
    narrow: { type: "string", enum: ["a"] },
    request: 'no longer accepts "b"',
    response: 'has the new value "b", which clients do not expect',
  },
  {
    name: "an enum",
    wide: string,
    narrow: { type: "string", enum: ["a"] },
    request: "accepts only listed values now",
    response: "is no longer limited to the listed values",
  },
  {
    name: "a constant",
    wide: { enum: [1, 2] },
    narrow: { const: 1 },
    request: "no longer accepts 2",
    response: "has the new value 2, which clients do not expect",
  },
  {
    name: "maxLength",
    wide: { type: "string", maxLength: 500 },
    narrow: { type: "string", maxLength: 200 },
    request: "has a narrower maxLength: 200, before 500",
    response: "has a wider maxLength: 500, before 200",
  },
  {
    name: "a maximum that was not there",
    wide: integer,
    narrow: { type: "integer", maximum: 5 },
    request: "has a narrower maximum: 5, before none",
    response: "has a wider maximum: none, before 5",
  },
  {
    name: "a minimum of 0",
    wide: integer,
    narrow: { type: "integer", minimum: 0 },
    request: "has a narrower minimum: 0, before none",
    response: "has a wider minimum: none, before 0",
  },
  {
    name: "minItems",
    wide: { type: "array", items: string },
    narrow: { type: "array", items: string, minItems: 1 },
    request: "has a narrower minItems: 1, before none",
    response: "has a wider minItems: none, before 1",
  },
  {
    name: "a pattern",
    wide: string,
    narrow: { type: "string", pattern: "^a" },
    request: 'has a narrower pattern: "^a", before none',
    response: 'has a wider pattern: none, before "^a"',
  },
  {
    name: "a format",
    wide: string,
    narrow: { type: "string", format: "uri" },
    request: 'has a narrower format: "uri", before none',
    response: 'has a wider format: none, before "uri"',
  },
  {
    name: "uniqueItems",
    wide: { type: "array" },
    narrow: { type: "array", uniqueItems: true },
    request: "has a narrower uniqueItems: true, before none",
    response: "has a wider uniqueItems: none, before true",
  },
  {
    name: "a keyword that is not understood",
    wide: object({}),
    narrow: object({}, { not: { required: ["a"] } }),
    request: 'has a narrower not: {"required":["a"]}, before none',
    response: 'has a wider not: none, before {"required":["a"]}',
  },
  {
    name: "a required field",
    wide: object({ a: string }),
    narrow: object({ a: string }, { required: ["a"] }),
    request: "a is required now",
    response: "a may now be missing",
  },
  {
    name: "the type of a field in a list",
    wide: object({ list: { type: "array", items: object({ a: { type: ["string", "null"] } }) } }),
    narrow: object({ list: { type: "array", items: object({ a: string }) } }),
    request: "list[].a no longer accepts null",
    response: "list[].a may now be null",
  },
  {
    name: "the type of items",
    wide: { type: "array" },
    narrow: { type: "array", items: string },
    request: "[] no longer accepts any type",
    response: "[] may now be any type",
  },
  {
    name: "the values of a map",
    wide: { type: "object", additionalProperties: { type: ["string", "null"] } },
    narrow: { type: "object", additionalProperties: string },
    request: "* no longer accepts null",
    response: "* may now be null",
  },
  {
    name: "a map of strings",
    wide: { type: "object" },
    narrow: { type: "object", additionalProperties: string },
    request: "* no longer accepts any type",
    response: "* may now be any type",
  },
];

/** The problems as "path reason". */
const compare = (before: unknown, after: unknown, direction: "request" | "response", schemas: object = {}): readonly string[] => {
  const body = (schema: unknown) => ({ content: { "application/json": { schema } } });
  const write = (schema: unknown) => ({
    paths: { "/": { get: direction === "request" ? { requestBody: body(schema) } : { responses: { 200: body(schema) } } } },
    components: { schemas },
  });
  return diffOpenApi(write(before), write(after)).map(
    (sentence) => /^GET \/: (?:request body|response 200)(?: field)? (.*)\.$/.exec(sentence)?.[1] ?? "",
  );
};

describe.each(RULES)("$name", ({ wide, narrow, request, response }) => {
  it("the rule in a request may be widened, not narrowed", () => {
    expect(compare(narrow, wide, "request")).toEqual([]);
    expect(compare(wide, narrow, "request")).toContain(request);
  });

  it("the rule in a response may be narrowed, not widened", () => {
    expect(compare(wide, narrow, "response")).toEqual([]);
    expect(compare(narrow, wide, "response")).toContain(response);
  });

  it("the rule is compared through references too", () => {
    const schemas = { Wide: wide, Narrow: narrow };
    const [a, b] = [{ $ref: "#/components/schemas/Wide" }, { $ref: "#/components/schemas/Narrow" }];
    expect(compare(a, b, "request", schemas)).toContain(request);
    expect(compare(wide, a, "request", schemas)).toEqual([]);
    expect(compare(b, narrow, "response", schemas)).toEqual([]);
  });
});

describe("fields", () => {
  it("a field may be added to a request if it is optional", () => {
    expect(compare(object({ a: string }), object({ a: string, b: string }), "request")).toEqual([]);
    expect(compare(object({ a: string }), object({ a: string, b: string }, { required: ["b"] }), "request")).toEqual(["b is required now"]);
  });

  it("a field may be added to a response, of a closed object too", () => {
    const closed = object({ a: string }, { additionalProperties: false });
    expect(compare(closed, object({ a: string, b: string }, { required: ["b"] }), "response")).toEqual([]);
  });

  it.each(["request", "response"] as const)("a field may not be removed from a %s", (direction) => {
    const nested = (properties: object) => object({ tile: object(properties) });
    expect(compare(nested({ a: string, b: string }), nested({ a: string }), direction)).toEqual(["tile.b was removed"]);
  });

  it("a field that was required is reported once when it is removed from a response", () => {
    expect(compare(object({ a: string }, { required: ["a"] }), object({}), "response")).toEqual(["a was removed"]);
  });

  it("a field of another name is no longer accepted when a request becomes closed", () => {
    expect(compare(object({}), object({}, { additionalProperties: false }), "request")).toEqual(["* is no longer accepted"]);
    expect(compare(object({}), object({}, { additionalProperties: false }), "response")).toEqual([]);
  });
});

describe("values of a response", () => {
  const before = { type: "string", enum: ["a"], description: "The kind. New values may be added." };
  const after = { type: "string", enum: ["a", "b"] };

  it("values may be added to a response if clients were told to expect them", () => {
    expect(compare(before, after, "response")).toEqual([]);
  });

  it("values may be added to a response if clients were told beside a reference", () => {
    const reference = { $ref: "#/components/schemas/Kind", description: "New values may be added." };
    expect(compare(object({ a: reference }), object({ a: after }), "response", { Kind: { type: "string", enum: ["a"] } })).toEqual([]);
  });

  it("values may not be removed from a request by that", () => {
    expect(compare({ ...after, description: before.description }, before, "request")).toEqual(['no longer accepts "b"']);
  });
});

describe("equal meanings", () => {
  it.each([
    ["a list of types and anyOf", { type: ["string", "null"] }, { anyOf: [{ type: "null" }, string] }],
    ["texts and examples", { ...string, description: "Old.", examples: ["a"], title: "A" }, { ...string, description: "New." }],
    ["a minimum length of 0", { ...string, minLength: 0 }, string],
    ["true and no schema of items", { type: "array", items: true }, { type: "array" }],
    ["limits that the values keep", { enum: ["ab", "cd"] }, { enum: ["ab", "cd"], minLength: 1, maxLength: 2, pattern: "^[a-d]+$" }],
  ])("equal meanings in other words are no difference: %s", (_name, one, other) => {
    for (const direction of ["request", "response"] as const) {
      expect(compare(one, other, direction)).toEqual([]);
      expect(compare(other, one, direction)).toEqual([]);
    }
  });

  it("a schema that contains itself equals itself", () => {
    const createNode = (name: object) => ({
      Node: object({ name, children: { type: "array", items: { $ref: "#/components/schemas/Node" } } }),
    });
    const node = { $ref: "#/components/schemas/Node" };
    expect(compare(node, node, "request", createNode(string))).toEqual([]);
    expect(compare(node, createNode(integer).Node, "request", createNode(string))).toContain("name no longer accepts string");
  });
});

it("a reference to nothing is refused with a sentence", () => {
  const compareBroken = () => compare({ $ref: "#/components/schemas/None" }, string, "request");
  expect(compareBroken).toThrow("The reference #/components/schemas/None leads to nothing.");
});
