import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SCRIPT = join(import.meta.dirname, "support/failures.ts");

describe("the context of an unexpected error", () => {
  it("is that of the code that started it, for every kind of error", { timeout: 300_000 }, () => {
    const seen: Record<string, unknown> = JSON.parse(execFileSync(process.execPath, [SCRIPT], { encoding: "utf8", timeout: 300_000 }));
    const calls = ["call", "body of a call"];
    expect(Object.keys(seen).length).toBeGreaterThan(20);
    for (const [name, context] of Object.entries(seen))
      expect({ [name]: context }).toEqual({ [name]: calls.includes(name) ? { kind: "call" } : { kind: "job", jobId: name } });
  });
});
