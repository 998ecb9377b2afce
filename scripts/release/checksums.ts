import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "SHA256SUMS";

/** Writes the checksums of all files in the folder, in the form that `sha256sum --check SHA256SUMS` reads. */
export function writeChecksums(folder: string): void {
  const names = readdirSync(folder)
    .filter((name) => name !== FILE)
    .toSorted();
  const lines = names.map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")}  ${name}\n`,
  );
  writeFileSync(join(folder, FILE), lines.join(""));
}
