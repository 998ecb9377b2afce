import { describe, expect, it } from "vitest";
import { compare, integer, object, string } from "./support/compare-schemas.ts";

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
