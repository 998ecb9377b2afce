import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";

/** A package whose code is part of a bundle. */
type BundledPackage = { readonly name: string; readonly version: string; readonly license: string; readonly text: string };

const FOLDER = `${sep}node_modules${sep}`;
const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i;

/** Returns the packages of the bundled modules, ordered by name and version. Throws if one does not state its license. */
export function listBundledPackages(modules: readonly string[]): readonly BundledPackage[] {
  const folders = new Set(modules.map(getPackageFolder).filter((folder) => folder !== null));
  const packages = new Map([...folders].map(readPackage).map((entry) => [`${entry.name}@${entry.version}`, entry]));
  return [...packages.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** The text of `THIRD-PARTY-LICENSES.md`: licenses ask for their text to go with the code. */
export function writeLicenses(packages: readonly BundledPackage[]): string {
  const entries = packages.map(({ name, version, license, text }) => `## ${name} ${version} (${license})\n\n${text.trim()}\n`);
  return `# Licenses of bundled packages\n\nThe folder \`lib\` contains code of these packages.\n\n${entries.join("\n")}`;
}

/**
 * The folder of the package that a module belongs to, or null for one of this repository or of the bundler. A package may itself contain
 * folders named node_modules that are no packages.
 */
function getPackageFolder(module: string): string | null {
  const path = module.replace(/^\0/, "").split("?")[0] ?? "";
  for (let start = path.lastIndexOf(FOLDER); start > 0; start = path.lastIndexOf(FOLDER, start - 1)) {
    const [first = "", second = ""] = path.slice(start + FOLDER.length).split(sep);
    const folder = path.slice(0, start + FOLDER.length) + (first.startsWith("@") ? join(first, second) : first);
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  return null;
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || typeof version !== "string" || typeof license !== "string")
    throw new Error(`${folder} does not state its name, version and license. Look at it before its code is published in the bundle.`);
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n\n");
  return { name, version, license, text: text !== "" ? text : `${name} states the license ${license} without its text.` };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
