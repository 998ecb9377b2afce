import { describe, expect, it } from "vitest";
import { findIn, readTerms } from "../../scripts/terms/replaced-terms.ts";

describe("replaced terms", () => {
  const terms = readTerms("# comment\nWaker\tlistener\nis told by\tis reported by\n");

  it("are found as whole identifiers and as phrases, with their line", () => {
    expect(findIn("src/a.ts", "const a = 1;\nclass Waker {}\n// It is told by the store.", terms)).toEqual([
      'src/a.ts:2: says "Waker"; the standard term is "listener".',
      'src/a.ts:3: says "is told by"; the standard term is "is reported by".',
    ]);
  });

  it("are found in paths", () => {
    expect(findIn("src/Waker.ts", "", terms)).toEqual(['src/Waker.ts: the path says "Waker"; the standard term is "listener".']);
  });

  it("are not found inside other identifiers", () => {
    expect(findIn("src/a.ts", "createWaker(); Wakers; $Waker", terms)).toEqual([]);
  });

  it("need a standard term each", () => {
    expect(() => readTerms("Waker\n")).toThrow("replaced term<TAB>standard term");
  });
});
