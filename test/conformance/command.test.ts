import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { REQUIREMENTS } from "../../conformance/requirements.ts";
import { renderDocs } from "../../conformance/write-docs.ts";
import { startOrigin } from "../support/servers/origin.ts";
import { startTestService } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Runs `npm run conformance` with these arguments. */
function runSuite(...args: readonly string[]): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [join(ROOT, "scripts/run.mjs"), "conformance/main.ts", ...args], { cwd: ROOT });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  return new Promise((resolve) => child.on("exit", (code) => resolve({ code, output, errors })));
}

it("a server that meets the requirements passes, and checks whose options are missing are skipped", async () => {
  const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "100000", RATE_LIMIT_ASK_PER_MINUTE: "10000" });
  onTestFinished(() => service.stop());
  const { code, output, errors } = await runSuite("--url", service.url, "--key", service.key);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const lines = output.trim().split("\n");
  expect(lines).toContain("skip S-065 scopedKeyListsItsBoard: needs --scoped-key");
  expect(lines).toContain("skip S-077 eventIsSigned: needs --webhook-port and --webhook-secret");
  const [counts, summary] = lines.slice(-2);
  expect(counts).toMatch(/^\d+ requirements; \d+ can't be checked over HTTP \(see docs\/reference\/conformance\.md\)$/);
  expect(summary).toMatch(/^1\d\d passed, 0 failed, \d+ skipped$/);
  expect(lines.slice(0, -2).every((line) => line.startsWith("skip "))).toBe(true);
});

it("a server that responds to everything with 200 fails, with the expected and the actual value", async () => {
  const origin = await startOrigin((_request, response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ boards: [{ id: "b", name: "B", isDefault: true, slug: "b" }] }));
  });
  onTestFinished(() => origin.close());
  const plain = await runSuite("--url", origin.url, "--key", "k");
  expect(plain).toMatchObject({ code: 1, errors: "" });
  expect(plain.output).toMatch(/^FAIL S-007 unknownBoardIs404: GET .*: expected status 404, got 200 /m);
  const { code, output } = await runSuite("--url", origin.url, "--key", "k", "--json");
  const { passed, failed, claims, results, notCheckable } = JSON.parse(output);
  expect([code, failed > 100, claims, notCheckable.length > 10]).toEqual([1, true, REQUIREMENTS.length, true]);
  expect(results.filter(({ outcome }: { outcome: string }) => outcome === "passed")).toHaveLength(passed);
  expect(results[0]).toMatchObject({ check: "listsBoards", claims: ["S-001", "S-002"], outcome: "passed" });
});

it("an address without a server and invalid arguments have exit code 2", async () => {
  const unreachable = await runSuite("--url", "http://127.0.0.1:1", "--key", "k");
  expect(unreachable).toMatchObject({ code: 2, errors: expect.stringMatching(/^The server can't be checked: /) });
  const invalid = await runSuite("--url", "http://127.0.0.1:1");
  expect(invalid).toMatchObject({ code: 2, errors: expect.stringMatching(/^--key is required\.\n\nnpm run conformance -- --url URL/) });
});

it("docs/reference/conformance.md lists the requirements of the code", () => {
  expect(readFileSync(join(ROOT, "docs/reference/conformance.md"), "utf8")).toBe(renderDocs(REQUIREMENTS));
});
