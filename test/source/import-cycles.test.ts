import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FILES = "{src,sdk/src,web/src,scripts,conformance}/**/*.{ts,tsx,mjs}";

/** The paths that a file imports from this repository. The linter's own rule leaves out `import()`. */
const listImports = (file: string): readonly string[] =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:\bfrom |\bimport |\bimport\(\s*)["']([^"']+)["']/g)].flatMap(([, path = ""]) => {
    if (path.startsWith("#")) return [normalize(path.replace("#", "src/").replace(/^(src\/\w+)$/, "$1.ts"))];
    return path.startsWith(".") ? [join(dirname(file), path)] : [];
  });

it("no file imports itself by way of others, on demand and as a type included", () => {
  const imports = new Map(globSync(FILES, { cwd: ROOT }).map((file) => [file.replaceAll("\\", "/"), listImports(file)]));
  expect(imports.size).toBeGreaterThan(1_000);
  // Files that import none of the remaining ones are on no cycle.
  for (let size = 0; size !== imports.size;) {
    size = imports.size;
    for (const [file, targets] of imports) if (!targets.some((target) => imports.has(target))) imports.delete(file);
  }
  expect([...imports.keys()]).toEqual([]);
});
