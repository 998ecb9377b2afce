import { createHash } from "node:crypto";
import type { LockFile, Located } from "./lock-file.ts";

/** Where code of a package is: in the bundles of the tarball, or installed beside it. */
export type Part = "server" | "page" | "installed";

export type BillInput = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The tarball that the bill describes. */
  readonly tarball: Uint8Array;
  readonly lock: LockFile;
  readonly parts: Readonly<Record<Part, readonly Located[]>>;
  /** The folders of packages that it does not need to work. */
  readonly optional: ReadonlySet<string>;
  /** What the package itself depends on: the rest is needed by these. */
  readonly direct: readonly Located[];
  readonly time: string;
};

type Component = { readonly located: Located; readonly parts: Set<Part> };

/** The version of CycloneDX, which is also that of the schema. */
const SPECIFICATION = "1.6";

/** The software bill of materials of a package in the JSON form of CycloneDX. */
export function createBill(input: BillInput): object {
  const components = collect(input.parts);
  const self = writeUrl(input.name, input.version);
  return {
    $schema: `http://cyclonedx.org/schema/bom-${SPECIFICATION}.schema.json`,
    bomFormat: "CycloneDX",
    specVersion: SPECIFICATION,
    serialNumber: `urn:uuid:${createUuid(input.tarball)}`,
    version: 1,
    metadata: {
      timestamp: input.time,
      component: {
        type: "application",
        "bom-ref": self,
        ...writeName(input.name),
        version: input.version,
        hashes: ["sha256", "sha512"].map((algorithm) => ({
          alg: algorithm === "sha256" ? "SHA-256" : "SHA-512",
          content: createHash(algorithm).update(input.tarball).digest("hex"),
        })),
        licenses: writeLicenses(input.license),
        purl: self,
      },
    },
    components: [...components].map(([url, component]) => writeComponent(url, component, input.optional)),
    dependencies: [
      { ref: self, dependsOn: unique(input.direct.map(getUrl)).toSorted() },
      ...[...components].map(([url, { located }]) => ({
        ref: url,
        dependsOn: unique(input.lock.listDependencies(located).map(getUrl)).filter((one) => components.has(one)),
      })),
    ],
  };
}

/** Each package once, ordered by its address. */
function collect(parts: BillInput["parts"]): ReadonlyMap<string, Component> {
  const components = new Map<string, Component>();
  for (const [part, packages] of Object.entries(parts))
    for (const located of packages) {
      const url = getUrl(located);
      const component = components.get(url) ?? { located, parts: new Set<Part>() };
      components.set(url, component);
      component.parts.add(part as Part);
    }
  return new Map([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function writeComponent(url: string, { located: { name, path, entry }, parts }: Component, optional: ReadonlySet<string>): object {
  const { license, integrity, version } = entry;
  if (license === undefined || integrity === undefined)
    throw new Error(`package-lock.json has no license or no hash of ${path}. Run npm install.`);
  return {
    type: "library",
    "bom-ref": url,
    ...writeName(name),
    version,
    scope: optional.has(path) ? "optional" : "required",
    hashes: [readHash(integrity)],
    licenses: writeLicenses(license),
    purl: url,
    properties: [...parts].toSorted().map((part) => ({ name: "tessera:part", value: part })),
  };
}

/** `sha512-` and Base64 as npm writes it, in the form of CycloneDX. */
function readHash(integrity: string): object {
  const [algorithm = "", hash = ""] = (integrity.split(" ")[0] ?? "").split("-");
  return { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") };
}

const writeLicenses = (license: string): readonly object[] =>
  /[\s(]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];

function writeName(full: string): object {
  const [first = "", second] = full.split("/");
  return second === undefined ? { name: first } : { group: first, name: second };
}

const getUrl = ({ name, entry }: Located): string => writeUrl(name, entry.version);

/** The package URL, in which the @ of a scope is encoded. */
const writeUrl = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** The same bytes have the same number, so a bill can be made again. */
function createUuid(bytes: Uint8Array): string {
  const hex = createHash("sha256").update(bytes).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
