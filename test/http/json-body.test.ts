import { assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import { parseJson, parseLongJson } from "#http/request/body/json.ts";
import { countTurns } from "../support/turns.ts";

const parse = (text: string): unknown => parseJson(Buffer.from(text));
/** What decides where a string ends, and what would count as nesting or as parts outside of it. */
const TEXT = string({ unit: constantFrom('"', "\\", "[", "{", ",", "]", "a", "é", "\n"), maxLength: 400 });

test("strings end where JSON says", () => {
  assert(
    property(TEXT, TEXT, (name, value) => {
      expect(parse(JSON.stringify({ [name]: value }))).toEqual({ [name]: value });
    }),
  );
});

test.each([
  ["brackets in a string are not nesting", JSON.stringify({ a: "[".repeat(1_000) })],
  ["brackets after escaped quotes are not nesting", JSON.stringify({ a: `"[`.repeat(1_000) })],
  ["brackets after escaped backslashes are not nesting", JSON.stringify({ a: "\\[".repeat(1_000) })],
  ["commas in a long string are not parts", JSON.stringify({ a: `${"x".repeat(100)}",`.repeat(200_000) })],
])("%s", (_, text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ["after a string of escaped quotes", JSON.stringify('"'.repeat(1_000))],
  ["after a string of escaped backslashes", JSON.stringify("\\".repeat(1_001))],
  ["after a string that ends with an escaped backslash", JSON.stringify(`${"x".repeat(200)}"${"y".repeat(63)}\\`)],
])("nesting is counted %s", (_, text) => {
  expect(() => parse(`[${text},${"[".repeat(65)}${"]".repeat(65)}]`)).toThrow("nested too deeply");
});

test("others run between the steps of parsing a long body", async () => {
  const { turns, result } = await countTurns(() => parseLongJson(Buffer.from('\ufeff{"name":"lens"}')));
  expect(result).toEqual({ name: "lens" });
  expect(turns).toBeGreaterThanOrEqual(2);
});

test.each([
  ["not JSON", Buffer.from('{"name"'), "not valid JSON"],
  ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "not valid JSON"],
  ["nested too deeply", Buffer.from("[".repeat(65)), "nested too deeply"],
])("a long body that is %s is rejected as a short one is", async (_, body, message) => {
  await expect(parseLongJson(Buffer.from(body))).rejects.toThrow(message);
  expect(() => parseJson(Buffer.from(body))).toThrow(message);
});
