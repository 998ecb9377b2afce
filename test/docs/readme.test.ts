import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serveArticle, startOrigin } from "../support/servers/origin.ts";
import { startTestService } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");

it("the lines of the quick start work when they are pasted", { timeout: 60_000 }, async () => {
  const lines = [...README.matchAll(/```sh quick-start\n([\s\S]*?)```/g)].map(([, block]) => block).join("\n");
  expect(lines).toContain("/ask");
  const origin = await startOrigin(serveArticle);
  const service = await startTestService({
    FETCH_ALLOW: `127.0.0.1:${origin.port}`,
    FETCH_ROUTES: `https://en.wikipedia.org=http://127.0.0.1:${origin.port}`,
  });
  try {
    const output = await new Promise<string>((resolve, reject) => {
      // The test runner sets a BASE_URL of its own.
      const { BASE_URL: _, ...inherited } = process.env;
      const env = { ...inherited, ...service.environment, BASE: service.url };
      execFile("sh", ["-eu", "-c", lines], { cwd: ROOT, env }, (error, stdout, stderr) =>
        error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
      );
    });
    const answers = output
      .replaceAll("}{", "}\n{")
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, any>);
    expect(answers[0]!.tile).toMatchObject({ status: "ready", type: "TEXT" });
    expect(answers[1]!.tile).toMatchObject({ status: "ready", type: "WEBSITE", title: "The northern lighthouse" });
    expect(answers[2]).toMatchObject({ answered: true, mode: "extractive" });
    expect(answers[2]!.citations[0].quote).toContain("opens at nine");
  } finally {
    await service.stop();
    await origin.close();
  }
});

it("every file that the pages link to exists", () => {
  for (const page of [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/architecture.md",
    "docs/benchmarks.md",
    "docs/glossary.md",
    "docs/links.md",
    "docs/scaling.md",
    "docs/api.md",
    "docs/webhooks.md",
    "docs/recipes.md",
    "docs/settings.md",
    "docs/operations.md",
    "docs/mcp.md",
  ]) {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(existsSync(join(ROOT, page, "..", target)), `${page} links to ${target}`).toBe(true);
    }
  }
});
