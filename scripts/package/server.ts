import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../../src/domain/core/version.ts";
import { buildWeb } from "../build-web.ts";
import { bundledImports, bundleSources, EXTERNAL } from "./bundle.ts";
import { pack } from "./pack.ts";
import { listBundledPackages, writeLicenses } from "./third-party.ts";

type Manifest = Readonly<Record<string, unknown>> & { readonly dependencies: Readonly<Record<string, string>> };

/** The tarball, and the packages whose code is in its bundles, as `name@version`. */
export type PackedServer = { readonly file: string; readonly server: readonly string[]; readonly page: readonly string[] };

/** A package whose style sheet is part of the page. Vite lists the packages with code. */
const STYLES = "tailwindcss";

/** Bundles the server with its page and packs it into `target`. */
export async function packServer(root: string, target: string): Promise<PackedServer> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-server-"));
  try {
    await buildWeb(root);
    const bundled = listBundledPackages(await bundleSources(root, join(folder, "lib")));
    const licenses = readPageLicenses(copyPage(root, folder));
    const styles = JSON.parse(readFileSync(join(root, "node_modules", STYLES, "package.json"), "utf8")) as { readonly version: string };
    cpSync(join(root, "server/bin"), join(folder, "bin"), { recursive: true });
    for (const file of ["server/README.md", "LICENSE"]) cpSync(join(root, file), join(folder, file.replace("server/", "")));
    writeFileSync(join(folder, "THIRD-PARTY-LICENSES.md"), `${writeLicenses(bundled)}\n${licenses}`);
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(createManifest(root), null, 2)}\n`);
    return {
      file: pack(root, folder, target),
      server: bundled.map(({ name, version }) => `${name}@${version}`),
      page: [
        ...[...licenses.matchAll(/^## (\S+) - (\d\S*) \(/gm)].map(([, name, version]) => `${name}@${version}`),
        `${STYLES}@${styles.version}`,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies the current build of the page alone, and returns its folder. */
function copyPage(root: string, folder: string): string {
  const [from, to] = [join(root, "web/dist"), join(folder, "web/dist")];
  const current = readFileSync(join(from, ".built"), "utf8");
  mkdirSync(to, { recursive: true });
  for (const name of [".built", current]) cpSync(join(from, name), join(to, name), { recursive: true });
  return join(to, current);
}

/** Vite lists the packages of the page with their licenses in a file of the build. */
function readPageLicenses(page: string): string {
  const file = join(page, ".vite/license.md");
  const text = readFileSync(file, "utf8").replace(
    /^# .*/,
    "# Licenses of packages in the page\n\nThe folder `web` contains code of these packages.",
  );
  rmSync(join(page, ".vite"), { recursive: true });
  return text;
}

function createManifest(root: string): object {
  const read = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
  const { private: _, name, ...server } = read("server/package.json");
  const { dependencies } = read("package.json");
  return {
    name,
    version: VERSION,
    ...server,
    imports: bundledImports(),
    dependencies: Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]])),
    // For machines whose own Node is too old; see bin/tessera-server.mjs.
    optionalDependencies: { node: dependencies.node },
    files: ["bin", "lib", "web", "THIRD-PARTY-LICENSES.md"],
  };
}
