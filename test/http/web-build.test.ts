import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readWebPage } from "#http/public/web-page.ts";
import { type Bundle, buildWeb } from "../../scripts/build-web.ts";
import { bundle, makeSources } from "./support/page.ts";

let sources: ReturnType<typeof makeSources>;
beforeEach(() => (sources = makeSources()));
afterEach(() => sources.remove());

const builtScript = (): string => readWebPage(sources.dist)?.get("/assets/main-a1.js")?.bodies.get("identity")?.toString() ?? "none";
const folders = (): string[] => readdirSync(sources.dist).filter((name) => name !== ".built");

it("a build runs when a source was changed, added or removed, and otherwise not", async () => {
  expect(await buildWeb(sources.root, bundle)).toBe(true);
  expect(await buildWeb(sources.root, bundle)).toBe(false);
  for (const change of [
    () => sources.write("web/src/main.tsx", "changed"),
    () => sources.write("web/src/board/new.tsx", "new"),
    () => rmSync(join(sources.root, "web/src/board/new.tsx")),
    () => sources.write("sdk/src/index.ts", "changed"),
    () => sources.write("package-lock.json", "changed"),
  ]) {
    change();
    expect(await buildWeb(sources.root, bundle), String(change)).toBe(true);
    expect(await buildWeb(sources.root, bundle)).toBe(false);
  }
  sources.write("web/node_modules/thing/index.js", "not ours");
  sources.write("sdk/README.md", "words");
  expect(await buildWeb(sources.root, bundle)).toBe(false);
  expect(builtScript()).toMatch(/changed$/);
  expect(folders()).toHaveLength(1);
});

it("a build runs again when the build is missing or incomplete", async () => {
  await buildWeb(sources.root, bundle);
  rmSync(join(sources.dist, folders()[0] as string, "index.html"));
  expect(readWebPage(sources.dist)).toBeNull();
  expect(await buildWeb(sources.root, bundle)).toBe(true);
  rmSync(join(sources.dist, folders()[0] as string), { recursive: true });
  expect(readWebPage(sources.dist)).toBeNull();
  expect(await buildWeb(sources.root, bundle)).toBe(true);
  expect(builtScript()).toMatch(/one$/);
});

it("a build that fails keeps the last build and leaves no files", async () => {
  await buildWeb(sources.root, bundle);
  sources.write("web/src/main.tsx", "broken");
  const failing: Bundle = async (web, target) => {
    await bundle(web, target);
    throw new Error("main.tsx: a bracket is missing");
  };
  await expect(buildWeb(sources.root, failing)).rejects.toThrow("a bracket is missing");
  expect(builtScript()).toMatch(/one$/);
  expect(folders()).toHaveLength(1);
  expect(await buildWeb(sources.root, bundle)).toBe(true);
  expect(builtScript()).toMatch(/broken$/);
});

it("builds started concurrently produce one complete page", async () => {
  const slow: Bundle = async (web, target) => {
    await bundle(web, target);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(existsSync(join(target, "index.html"))).toBe(true);
  };
  expect(await Promise.all([1, 2, 3, 4].map(() => buildWeb(sources.root, slow)))).toEqual([true, true, true, true]);
  expect(builtScript()).toMatch(/one$/);
  expect(folders()).toHaveLength(1);
});
