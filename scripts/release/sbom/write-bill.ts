import { readFileSync, writeFileSync } from "node:fs";
import { VERSION } from "../../../src/domain/core/version.ts";
import { EXTERNAL } from "../../package/bundle.ts";
import type { PackedServer } from "../../package/server.ts";
import { listBundledPackages } from "../../package/third-party.ts";
import { createBill } from "./bill.ts";
import { LockFile } from "./lock-file.ts";
import { listPageModules } from "./page-modules.ts";

/** Packages that the server can do without. */
const OPTIONAL = ["node"];

/**
 * Writes the bill of materials of the packed server beside its tarball, and returns its path: third-party code in the bundles of the
 * server and of the page, and what npm installs with the tarball, in the versions that were tested. The client has no third-party code.
 */
export async function writeBill(root: string, { file, bundled }: PackedServer): Promise<string> {
  const lock = LockFile.read(root);
  const find = (packages: readonly { readonly name: string; readonly version: string }[]) =>
    packages.map(({ name, version }) => lock.find(name, version));
  const resolve = (names: readonly string[]) => names.map((name) => lock.resolve(name, "")).filter((found) => found !== undefined);
  const server = find(bundled);
  const page = find(listBundledPackages(await listPageModules(root)));
  const [required, all] = [lock.listClosure(resolve(EXTERNAL)), lock.listClosure(resolve([...EXTERNAL, ...OPTIONAL]))];
  const needed = new Set([...server, ...page, ...required].map(({ path }) => path));
  const bill = createBill({
    name: "@tessera-board/server",
    version: VERSION,
    license: "MIT",
    tarball: readFileSync(file),
    lock,
    parts: { server, page, installed: all },
    optional: new Set(all.map(({ path }) => path).filter((path) => !needed.has(path))),
    direct: [...server, ...page, ...resolve([...EXTERNAL, ...OPTIONAL])],
    time: new Date().toISOString(),
  });
  const target = file.replace(/\.tgz$/, ".cdx.json");
  writeFileSync(target, `${JSON.stringify(bill, null, 2)}\n`);
  return target;
}
