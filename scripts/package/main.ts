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
 * bill of materials of the server. With `--server`, writes the server alone, as the image needs it.
 */
export async function run(args: readonly string[]): Promise<void> {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const server = await packServer(root, dist);
  const bills = args.includes("--sbom") ? [writeBill(root, server)] : [];
  const others = args.includes("--server") ? [] : [packSdk(root, dist), await packNodeRed(root, dist), packN8n(root, dist)];
  for (const file of [server.file, ...bills, ...others]) process.stdout.write(`${file} (${(statSync(file).size / 1_000).toFixed(1)} kB)\n`);
}
