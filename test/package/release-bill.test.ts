import { describe, expect, it } from "vitest";
import { type BillInput, createBill } from "../../scripts/release/sbom/bill.ts";
import { LockFile } from "../../scripts/release/sbom/lock-file.ts";

const HASH = `sha512-${Buffer.from("0123456789abcdef".repeat(4)).toString("base64")}`;
const entry = (version: string, more: object = {}) => ({ version, license: "MIT", integrity: HASH, ...more });

const lock = new LockFile({
  "": { version: "1.0.0" },
  "node_modules/a": entry("1.0.0", {
    dependencies: { b: "^1.0.0", "@c/d": "1.0.0" },
    optionalDependencies: { "for-another-system": "1.0.0" },
  }),
  "node_modules/b": entry("2.0.0"),
  "node_modules/a/node_modules/b": entry("1.5.0", {
    peerDependencies: { "@c/d": "*", unused: "*" },
    peerDependenciesMeta: { unused: { optional: true } },
  }),
  "node_modules/@c/d": entry("1.0.0", { license: "(MIT OR CC0-1.0)", dependencies: { a: "1.0.0" } }),
  "node_modules/unused": entry("1.0.0"),
  "node_modules/without-license": { version: "1.0.0", integrity: HASH },
});

const describePackages = (packages: readonly { readonly path: string }[]) => packages.map(({ path }) => path);

describe("the lock file", () => {
  it("finds packages as Node does: beside the code first, then above it", () => {
    expect(lock.resolve("b", "node_modules/a")?.entry.version).toBe("1.5.0");
    expect(lock.resolve("b", "node_modules/@c/d")?.entry.version).toBe("2.0.0");
    expect(lock.resolve("b", "")?.entry.version).toBe("2.0.0");
    expect(lock.resolve("none", "node_modules/a")).toBeUndefined();
  });

  it("lists what a package needs, also in a circle, without optional parts that are missing", () => {
    expect(describePackages(lock.listClosure([lock.resolve("a", "")!]))).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/@c/d",
    ]);
  });

  it("finds a package by its version, and refuses one that it does not have", () => {
    expect(lock.find("b", "1.5.0").path).toBe("node_modules/a/node_modules/b");
    expect(() => lock.find("b", "9.9.9")).toThrow("b 9.9.9 is in a package, but not in package-lock.json. Run npm install.");
  });
});

describe("a bill", () => {
  const a = lock.resolve("a", "")!;
  const create = (more: Partial<BillInput> = {}): any =>
    createBill({
      name: "@tessera-board/server",
      version: "0.2.0",
      license: "MIT",
      tarball: Buffer.from("tarball"),
      lock,
      parts: { server: [a], page: [a, lock.resolve("b", "")!], installed: lock.listClosure([a]) },
      optional: new Set(["node_modules/@c/d"]),
      direct: [a],
      time: "2026-12-01T00:00:00.000Z",
      ...more,
    });

  it("lists each version of a package once, with all its parts", () => {
    const { components } = create();
    expect(
      components.map(({ purl, properties, scope }: any) => [purl, properties.map(({ value }: any) => value).join(" "), scope]),
    ).toEqual([
      ["pkg:npm/%40c/d@1.0.0", "installed", "optional"],
      ["pkg:npm/a@1.0.0", "installed page server", "required"],
      ["pkg:npm/b@1.5.0", "installed", "required"],
      ["pkg:npm/b@2.0.0", "page", "required"],
    ]);
  });

  it("writes names, hashes and licenses in the form of CycloneDX", () => {
    const [scoped, plain] = create().components;
    expect(scoped).toMatchObject({ group: "@c", name: "d", licenses: [{ expression: "(MIT OR CC0-1.0)" }] });
    expect(plain).toMatchObject({
      name: "a",
      licenses: [{ license: { id: "MIT" } }],
      hashes: [{ alg: "SHA-512", content: Buffer.from("0123456789abcdef".repeat(4)).toString("hex") }],
    });
    expect(plain).not.toHaveProperty("group");
  });

  it("says what needs what", () => {
    expect(create().dependencies.slice(0, 3)).toEqual([
      { ref: "pkg:npm/%40tessera-board/server@0.2.0", dependsOn: ["pkg:npm/a@1.0.0"] },
      { ref: "pkg:npm/%40c/d@1.0.0", dependsOn: ["pkg:npm/a@1.0.0"] },
      { ref: "pkg:npm/a@1.0.0", dependsOn: ["pkg:npm/b@1.5.0", "pkg:npm/%40c/d@1.0.0"] },
    ]);
  });

  it("has the same number for the same tarball only", () => {
    const number = create().serialNumber;
    expect(number).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(create().serialNumber).toBe(number);
    expect(create({ tarball: Buffer.from("another") }).serialNumber).not.toBe(number);
  });

  it("is refused for a package without a license", () => {
    const parts = { server: [lock.resolve("without-license", "")!], page: [], installed: [] };
    expect(() => create({ parts })).toThrow(
      "package-lock.json has no license or no hash of node_modules/without-license. Run npm install.",
    );
  });
});
