import { expect, test } from "vitest";
import { readBuiltPage } from "#composition/start/page.ts";

test("the page may be missing in a clone, where a command builds it, but not in a package", () => {
  expect(readBuiltPage("/nonexistent/dist", false)).toBeNull();
  expect(() => readBuiltPage("/nonexistent/dist", true)).toThrow(
    "This copy of Tessera is incomplete, as the web page is missing in /nonexistent/dist: install it again.",
  );
});
