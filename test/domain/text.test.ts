import { expect, test } from "vitest";
import { formatBytes, isLongerThan } from "#domain/core/text.ts";

test("text limits count code points", () => {
  expect(isLongerThan("", 0)).toBe(false);
  expect(isLongerThan("abc", 3)).toBe(false);
  expect(isLongerThan("abcd", 3)).toBe(true);
  expect(isLongerThan("😀😀😀", 3)).toBe(false);
  expect(isLongerThan("😀😀😀a", 3)).toBe(true);
  expect(isLongerThan("😀".repeat(7), 3)).toBe(true);
});

test("bytes are told exactly, in the largest unit of which they are a multiple", () => {
  expect([16 * 1_048_576, 65_536, 1_024, 1_048_577, 0].map(formatBytes)).toEqual([
    "16 MiB",
    "64 KiB",
    "1 KiB",
    "1,048,577 bytes",
    "0 bytes",
  ]);
});
