import { expect, test } from "vitest";
import { isLongerThan } from "#domain/core/text.ts";

test("text limits count code points", () => {
  expect(isLongerThan("", 0)).toBe(false);
  expect(isLongerThan("abc", 3)).toBe(false);
  expect(isLongerThan("abcd", 3)).toBe(true);
  expect(isLongerThan("😀😀😀", 3)).toBe(false);
  expect(isLongerThan("😀😀😀a", 3)).toBe(true);
  expect(isLongerThan("😀".repeat(7), 3)).toBe(true);
});
