import { existsSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createPartial } from "#runtime/files/partial.ts";
import { openWriteStream } from "#runtime/files/stream.ts";
import { type PortableRow, type Sum, type Sums, ChecksumCollector } from "./rows.ts";
import type { Table } from "./table.ts";
import { TABLES } from "./tables.ts";

/*
 * The portable format: JSON lines, compressed with gzip. The first line is a `Head`, then comes one `{ table, row }` per row, with tables
 * in the order of `TABLES`. The last line is a `Tail`; a file without it is incomplete.
 */
export const BACKUP_FORMAT = "tessera-backup";
export const BACKUP_VERSION = 1;

export type Head = {
  readonly format: typeof BACKUP_FORMAT;
  readonly version: number;
  /** The schema version of the PostgreSQL database. */
  readonly schema: number;
  /** ISO 8601, in UTC. */
  readonly writtenAt: string;
};
export type Tail = { readonly end: true; readonly tables: Sums };

/** Writes `file` atomically and flushed to disk, readable by its owner only. Returns counts and hashes. Throws when it exists. */
export async function writePortable(
  file: string,
  schema: number,
  readPages: (table: Table) => AsyncIterable<readonly PortableRow[]>,
): Promise<Sums> {
  checkFree(file);
  let partial = "";
  const sums: Record<string, Sum> = {};
  async function* write(): AsyncGenerator<string> {
    yield line({ format: BACKUP_FORMAT, version: BACKUP_VERSION, schema, writtenAt: new Date().toISOString() });
    for (const table of TABLES) {
      const summer = new ChecksumCollector();
      for await (const page of readPages(table)) {
        const rows = page.map((row) => JSON.stringify(row));
        for (const row of rows) summer.add(row);
        yield rows.map((row) => `{"table":"${table.name}","row":${row}}\n`).join("");
      }
      sums[table.name] = summer.sum();
    }
    yield line({ end: true, tables: sums });
  }
  try {
    partial = createPartial(file);
    const output = openWriteStream(partial, { flush: true });
    await pipeline(Readable.from(write()), createGzip(), output);
    await rename(partial, file);
  } finally {
    if (partial !== "") rmSync(partial, { force: true });
  }
  return sums;
}

const line = (value: Head | Tail): string => `${JSON.stringify(value)}\n`;

/** Throws when the file exists or its folder does not. */
export function checkFree(file: string): void {
  if (existsSync(file)) throw new Error(`${file} exists already. Choose another name, or remove it first.`);
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)} to write the backup to.`);
}
