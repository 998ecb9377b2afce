import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../../src/domain/core/version.ts";
import { EXTERNAL } from "../package/bundle.ts";
import { runTool } from "../package/pack.ts";
import type { PackedServer } from "../package/server.ts";

/** What npm writes in the form of CycloneDX; references are `name@version`. */
type Bill = {
  readonly metadata: { readonly component: object };
  readonly components: readonly { readonly "bom-ref": string; readonly name: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

const NAME = "@tessera-board/server";
/** A package that the server can do without. */
const OPTIONAL = "node";

/**
 * Writes the bill of materials of the packed server beside its tarball, and returns its path. `npm sbom` describes the packages of the lock
 * file; kept are those whose code is in the bundles of the server and of the page, and what npm installs with the tarball.
 */
export function writeBill(root: string, { file, server, page }: PackedServer): string {
  const names = [...server, ...page].map((reference) => reference.replace(/@[^@]+$/, ""));
  const bill = describePackages(root, [...new Set([...names, ...EXTERNAL, OPTIONAL])]);
  const installed = listInstalled(bill, [...EXTERNAL, OPTIONAL]);
  const needed = new Set([...listInstalled(bill, EXTERNAL), ...server, ...page]);
  const parts = Object.entries({ installed, page: new Set(page), server: new Set(server) });
  const components = bill.components
    .map((one) => ({
      ...one,
      scope: needed.has(one["bom-ref"]) ? "required" : "optional",
      properties: parts.filter(([, part]) => part.has(one["bom-ref"])).map(([value]) => ({ name: "tessera:part", value })),
    }))
    .filter(({ properties }) => properties.length > 0);
  const listed = new Set([`${NAME}@${VERSION}`, ...components.map((one) => one["bom-ref"])]);
  const missing = [...needed].find((reference) => !listed.has(reference));
  if (missing !== undefined) throw new Error(`${missing} is in a bundle, but not in package-lock.json. Run npm install.`);
  const dependencies = bill.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => listed.has(other)) }));
  const hashes = [{ alg: "SHA-256", content: createHash("sha256").update(readFileSync(file)).digest("hex") }];
  const metadata = { ...bill.metadata, component: { ...bill.metadata.component, type: "application", name: NAME, hashes } };
  const target = file.replace(/\.tgz$/, ".cdx.json");
  writeFileSync(target, `${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`);
  return target;
}

/** The references of these packages, with everything that they need. */
function listInstalled({ components, dependencies }: Bill, names: readonly string[]): ReadonlySet<string> {
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const found = new Set(components.filter(({ name }) => names.includes(name)).map((one) => one["bom-ref"]));
  for (const reference of found) for (const other of needs.get(reference) ?? []) found.add(other);
  return found;
}

/** The bill that npm writes for a package with these dependencies, in the versions of the lock file. */
function describePackages(root: string, names: readonly string[]): Bill {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly link?: boolean }>>;
  };
  // The workspaces have no versions, which npm refuses.
  const locked = Object.entries(packages).filter(([path, { link }]) => path.startsWith("node_modules/") && link !== true);
  // A package that is only installed below another one is found through that.
  const direct = names.filter((name) => packages[`node_modules/${name}`] !== undefined);
  const dependencies = Object.fromEntries(direct.map((name) => [name, packages[`node_modules/${name}`]?.version]));
  const manifest = { name: NAME, version: VERSION, license: "MIT", dependencies };
  const lock = { ...manifest, lockfileVersion: 3, packages: { "": manifest, ...Object.fromEntries(locked) } };
  const folder = mkdtempSync(join(tmpdir(), "tessera-bill-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    // Nothing here is needed for development only, but npm takes some packages of the lock file for that.
    const options = ["--package-lock-only", "--include", "dev", "--sbom-format", "cyclonedx"];
    return JSON.parse(runTool(root, "npm", ["sbom", ...options], folder)) as Bill;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
