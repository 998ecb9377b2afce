import { readFileSync } from "node:fs";
import { join } from "node:path";

type Names = Readonly<Record<string, string>>;

/** A package as the lock file of npm describes it. */
export type LockedPackage = {
  readonly version: string;
  /** An SPDX identifier or expression. */
  readonly license?: string;
  /** The algorithm and the hash of the tarball in Base64: `sha512-…`. */
  readonly integrity?: string;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

/** A package, and its folder relative to the root. */
export type Located = { readonly path: string; readonly name: string; readonly entry: LockedPackage };

const FOLDER = "node_modules/";

/** The packages that are installed, by the rules with which Node finds them. */
export class LockFile {
  readonly #packages: Readonly<Record<string, LockedPackage>>;

  constructor(packages: Readonly<Record<string, LockedPackage>>) {
    this.#packages = packages;
  }

  static read(root: string): LockFile {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      readonly packages: Record<string, LockedPackage>;
    };
    return new LockFile(packages);
  }

  /** The package of this name and version. Throws if it is not in the lock file: nobody could say what it is. */
  find(name: string, version: string): Located {
    const found = Object.entries(this.#packages).find(([path, entry]) => getName(path) === name && entry.version === version);
    if (found === undefined) throw new Error(`${name} ${version} is in a package, but not in package-lock.json. Run npm install.`);
    return { path: found[0], name, entry: found[1] };
  }

  /** The package that code in the folder `from` gets by this name, or undefined for one that is not installed. */
  resolve(name: string, from: string): Located | undefined {
    for (let folder = from; ; folder = getParent(folder)) {
      const path = `${folder === "" ? "" : `${folder}/`}${FOLDER}${name}`;
      const entry = this.#packages[path];
      if (entry !== undefined) return { path, name, entry };
      if (folder === "") return undefined;
    }
  }

  /** What a package needs when it is installed. Optional parts for other systems are left out. */
  listDependencies({ path, entry }: Located): readonly Located[] {
    const peers = Object.keys(entry.peerDependencies ?? {}).filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true);
    const names = [...Object.keys(entry.dependencies ?? {}), ...Object.keys(entry.optionalDependencies ?? {}), ...peers];
    return names.map((name) => this.resolve(name, path)).filter((found) => found !== undefined);
  }

  /** These packages, with everything that they need. */
  listClosure(start: readonly Located[]): readonly Located[] {
    const found = new Map<string, Located>();
    const add = (one: Located): void => {
      if (found.has(one.path)) return;
      found.set(one.path, one);
      this.listDependencies(one).forEach(add);
    };
    start.forEach(add);
    return [...found.values()];
  }
}

/** The name of the package in a folder such as `node_modules/a/node_modules/@b/c`. */
const getName = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

const getParent = (folder: string): string => {
  const end = folder.lastIndexOf(`/${FOLDER}`);
  return end === -1 ? "" : folder.slice(0, end);
};
