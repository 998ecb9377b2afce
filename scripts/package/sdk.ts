import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../../src/domain/core/version.ts";
import { pack, runTool } from "./pack.ts";
import { shrinkSourceMaps } from "./source-maps.ts";

/**
 * Compiles the SDK and packs it into `target`; returns the path of the tarball. In this repository the package exports its sources, which
 * Node does not load from node_modules; the packed one exports JavaScript with declarations and source maps.
 */
export function packSdk(root: string, target: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-sdk-"));
  const sdk = join(root, "sdk");
  try {
    const compile = ["-p", join(sdk, "tsconfig.build.json"), "--outDir", join(folder, "dist")];
    // Descriptions are in the declarations.
    runTool(root, "tsc", [...compile, "--sourceMap", "--inlineSources", "--removeComments"], root);
    runTool(root, "tsc", [...compile, "--declaration", "--emitDeclarationOnly"], root);
    removeTypeModules(join(folder, "dist"));
    shrinkSourceMaps(join(folder, "dist"));
    for (const name of ["operations", "schemas"]) removeIndentation(join(folder, "dist/generated", `${name}.d.ts`));
    for (const [from, name] of [
      [sdk, "README.md"],
      [root, "LICENSE"],
    ] as const)
      copyFileSync(join(from, name), join(folder, name));
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(packageOf(sdk), null, 2)}\n`);
    return pack(root, folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The largest declarations are generated: editors show what they need of them, and hardly anybody reads the files. */
function removeIndentation(path: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(/^ +/gm, ""));
}

/** Modules of types are declarations only: nothing imports their empty JavaScript, and its source maps would be half of the package. */
function removeTypeModules(dist: string): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const path = join(dist, file);
    if (
      !file.endsWith(".js") ||
      readFileSync(path, "utf8")
        .replaceAll(/^\/\/.*$/gm, "")
        .trim() !== "export {};"
    )
      continue;
    rmSync(path);
    rmSync(`${path}.map`);
  }
}

function packageOf(sdk: string): object {
  const { private: _, name, ...source } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  return {
    name,
    version: VERSION,
    ...source,
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
    // For tools that do not read `exports`.
    main: "./dist/index.js",
    types: "./dist/index.d.ts",
    files: ["dist"],
  };
}
