import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FILES = "{.ci,bench,conformance,deploy,scripts,sdk,server,src,test,web}/**/*.{ts,tsx,mjs,json,sh,yaml}";

/** The documented default of these two is a folder of datasets beside the repository. */
const MAY_READ_OUTSIDE = ["bench/fit/main.ts", "bench/quality/main.ts"];

/** Paths in quotation marks that leave the repository, whether they start at their file or at the root. */
const findOutside = (file: string): string[] => {
  const code = readFileSync(join(ROOT, file), "utf8");
  const climbing = [...code.matchAll(/(?:from|import|dirname,|\() ?["'`]((?:\.\.\/)+(?:[\w.-]+\/?)+)["'`]/g)].map(([, path = ""]) => path);
  const fromRoot = [...code.matchAll(/\b(?:root|ROOT), ["'`](\.\.\/[^"'`]*)["'`]/g)].map(([, path = ""]) => path);
  return [...climbing.filter((path) => relative(ROOT, join(ROOT, dirname(file), path)).startsWith("..")), ...fromRoot];
};

it("the repository names no path outside itself, so that a clone alone passes its tests", () => {
  const files = globSync(FILES, { cwd: ROOT, exclude: ["**/node_modules/**", "**/dist/**"] });
  expect(files.length).toBeGreaterThan(1_000);
  const found = files
    .map((file) => ({ file: file.replaceAll("\\", "/"), paths: findOutside(file) }))
    .filter(({ paths }) => paths.length > 0);
  expect(found.map(({ file }) => file).toSorted()).toEqual(MAY_READ_OUTSIDE);
});
