import { describe, expect, it } from "vitest";
import { findIn, readTerms } from "../../scripts/terms/replaced-terms.ts";

describe("replaced terms", () => {
  const terms = readTerms("# comment\nOldGadget\tlistener\nis gadgeted by\tis reported by\n");

  it("are found as whole identifiers and as phrases, with their line", () => {
    expect(findIn("src/a.ts", "const a = 1;\nclass OldGadget {}\n// It is gadgeted by the store.", terms)).toEqual([
      'src/a.ts:2: says "OldGadget"; the standard term is "listener".',
      'src/a.ts:3: says "is gadgeted by"; the standard term is "is reported by".',
    ]);
  });

  it("are found in paths", () => {
    expect(findIn("src/OldGadget.ts", "", terms)).toEqual([
      'src/OldGadget.ts: the path says "OldGadget"; the standard term is "listener".',
    ]);
  });

  it("are not found inside other identifiers", () => {
    expect(findIn("src/a.ts", "createOldGadget(); OldGadgets; $OldGadget", terms)).toEqual([]);
  });

  it("need a standard term each", () => {
    expect(() => readTerms("OldGadget\n")).toThrow("replaced term<TAB>standard term");
  });
});
