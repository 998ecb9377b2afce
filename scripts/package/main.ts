import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { packSdk } from "./sdk.ts";
import { packServer } from "./server.ts";

const root = join(import.meta.dirname, "../..");

/** `npm run package`: writes the tarballs of the SDK and the server into `dist/`. */
export async function run(): Promise<void> {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const { file: server } = await packServer(root, dist);
  for (const file of [packSdk(root, dist), server]) process.stdout.write(`${file} (${(statSync(file).size / 1_000).toFixed(1)} kB)\n`);
}
