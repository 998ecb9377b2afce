import { expect, test } from "vitest";
import { readPage } from "#composition/start/page.ts";

test("the page may be missing in a clone, where a command builds it, but not in a package", () => {
  expect(readPage("/nonexistent/dist", false)).toBeNull();
  expect(() => readPage("/nonexistent/dist", true)).toThrow(
    "This copy of Tessera is incomplete, as the web page is missing in /nonexistent/dist: install it again.",
  );
});
