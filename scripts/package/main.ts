import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeBill } from "../release/bill.ts";
import { packN8n } from "./n8n.ts";
import { packNodeRed } from "./node-red.ts";
import { packSdk } from "./sdk.ts";
import { packServer } from "./server.ts";

const root = join(import.meta.dirname, "../..");

/**
 * `npm run package`: writes the tarballs of the SDK, the server, and the nodes for Node-RED and n8n into `dist/`; with `--sbom`, also the
 * bill of materials of the server.
 */
export async function run(args: readonly string[]): Promise<void> {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const server = await packServer(root, dist);
  const bills = args.includes("--sbom") ? [writeBill(root, server)] : [];
  for (const file of [packSdk(root, dist), server.file, await packNodeRed(root, dist), packN8n(root, dist), ...bills])
    process.stdout.write(`${file} (${(statSync(file).size / 1_000).toFixed(1)} kB)\n`);
}
