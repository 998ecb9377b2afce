import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "#domain/core/version.ts";
import { listFences, readPage } from "../docs/support/pages.ts";

const ROOT = join(import.meta.dirname, "../..");

test("the build in docs/deploy.md labels the image with version and commit", () => {
  const fence = listFences(readPage("docs/deploy.md")).find(({ code }) => code.includes("docker build "));
  const build = fence?.code.slice(0, fence.code.indexOf("docker run"));
  const { stdout } = spawnSync("sh", ["-ec", `docker() { printf '%s\\n' "$@"; }\n${build}`], { cwd: ROOT, encoding: "utf8" });
  expect(stdout.split("\n")).toEqual(
    expect.arrayContaining(["--build-arg", `VERSION=${VERSION}`, expect.stringMatching(/^REVISION=[0-9a-f]{40}$/)]),
  );
});
