import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { VERSION } from "../../src/domain/core/version.ts";
import { pack } from "./pack.ts";

/** Builds the nodes for Node-RED and packs them into `target`; returns the path of the tarball. */
export async function packNodeRed(root: string, target: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-node-red-"));
  try {
    await buildNodeRed(root, folder);
    return pack(root, folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the package for Node-RED into `folder`. The client is bundled into it, so that it has no dependencies. Node-RED 4 loads CommonJS
 * only, and expects one page beside the code, with the dialogs of all nodes.
 */
export async function buildNodeRed(root: string, folder: string): Promise<void> {
  const source = join(root, "integrations/node-red");
  const dist = join(folder, "dist");
  mkdirSync(dist, { recursive: true });
  const bundle = await rolldown({
    cwd: root,
    input: { tessera: join(source, "src/main.ts") },
    platform: "node",
    transform: { target: "node20" },
    logLevel: "silent",
  });
  try {
    await bundle.write({ dir: dist, format: "cjs", exports: "default" });
  } finally {
    await bundle.close();
  }
  writeFileSync(join(dist, "tessera.html"), joinPages(join(source, "editor")));
  for (const name of ["icons", "locales"]) cpSync(join(source, name), join(dist, name), { recursive: true });
  for (const name of ["examples", "README.md"]) cpSync(join(source, name), join(folder, name), { recursive: true });
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(createManifest(source), null, 2)}\n`);
}

/** The page of the editor: `common.html`, which the others use, and these with `fields.html` where they name it. */
function joinPages(folder: string): string {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const fields = read("fields.html");
  const others = readdirSync(folder).filter((name) => name !== "common.html" && name !== "fields.html");
  const pages = ["common.html", ...others.toSorted()].map(read);
  return pages.join("").replaceAll("  <!-- fields.html -->\n", fields);
}

function createManifest(source: string): object {
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  const { name, type: _, devDependencies: __, ...others } = manifest;
  return { name, version: VERSION, ...others, files: ["dist", "examples"] };
}
