import { expect, it } from "vitest";
import { compare, integer, object, string } from "./support/compare-schemas.ts";

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

it.each(RULES)("$name in a request may be widened, not narrowed", ({ wide, narrow, request }) => {
  expect(compare(narrow, wide, "request")).toEqual([]);
  expect(compare(wide, narrow, "request")).toContain(request);
});

it.each(RULES)("$name in a response may be narrowed, not widened", ({ wide, narrow, response }) => {
  expect(compare(wide, narrow, "response")).toEqual([]);
  expect(compare(narrow, wide, "response")).toContain(response);
});

it.each(RULES)("$name is compared through references too", ({ wide, narrow, request }) => {
  const schemas = { Wide: wide, Narrow: narrow };
  const [a, b] = [{ $ref: "#/components/schemas/Wide" }, { $ref: "#/components/schemas/Narrow" }];
  expect(compare(a, b, "request", schemas)).toContain(request);
  expect(compare(wide, a, "request", schemas)).toEqual([]);
  expect(compare(b, narrow, "response", schemas)).toEqual([]);
});
