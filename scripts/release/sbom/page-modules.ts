import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Style sheets of packages: names that are no paths. */
const IMPORTED_STYLE = /@import\s+["']([^."'/][^"']*)["']/g;

/** The paths of all modules in the bundle of the page, and of the style sheets that are part of it. */
export async function listPageModules(root: string): Promise<readonly string[]> {
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  const web = join(root, "web");
  const modules = new Set<string>();
  const collector: Plugin = {
    name: "collect-modules",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === "chunk") file.moduleIds.forEach((id) => modules.add(id));
    },
  };
  await build({ root: web, configFile: join(web, "vite.config.ts"), logLevel: "silent", plugins: [collector], build: { write: false } });
  return [...modules, ...listImportedStyles(root, web)];
}

/** Tailwind reads imported style sheets itself, so they are no modules of the bundle. */
const listImportedStyles = (root: string, web: string): readonly string[] =>
  globSync("src/**/*.css", { cwd: web }).flatMap((file) =>
    [...readFileSync(join(web, file), "utf8").matchAll(IMPORTED_STYLE)].map(([, name = ""]) =>
      join(root, "node_modules", name, "index.css"),
    ),
  );
