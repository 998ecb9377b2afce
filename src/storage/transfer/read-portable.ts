import { existsSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { openReadStream } from "#runtime/files/stream.ts";
import { BACKUP_FORMAT, type Head, type Tail, BACKUP_VERSION } from "./portable.ts";
import { type PortableRow, type Sums, ChecksumCollector, checkRow, isFull, isSame } from "./rows.ts";
import type { Table } from "./table.ts";
import { TABLES } from "./tables.ts";

/** A batch of rows of one table, as JSON. */
export type RowBatch = { readonly table: Table; readonly lines: readonly string[] };

/** Reads the lines of a file. Splits at line feeds only, since JSON may contain other separators that `readline` splits at. */
async function* readLines(file: string): AsyncGenerator<string> {
  const input = openReadStream(file);
  const text = createGunzip();
  // Forward read errors to the stream that is iterated.
  input.on("error", (error) => text.destroy(error));
  let parts: string[] = [];
  try {
    for await (const chunk of input.pipe(text).setEncoding("utf8") as AsyncIterable<string>) {
      const pieces = chunk.split("\n");
      for (const piece of pieces.slice(0, -1)) {
        yield [...parts, piece].join("");
        parts = [];
      }
      parts.push(pieces.at(-1) ?? "");
    }
  } finally {
    input.destroy();
  }
  const rest = parts.join("");
  if (rest !== "") yield rest;
}

const isHead = (value: unknown): value is Head =>
  typeof value === "object" && value !== null && "format" in value && value.format === BACKUP_FORMAT;
const isTail = (value: unknown): value is Tail =>
  typeof value === "object" &&
  value !== null &&
  "end" in value &&
  "tables" in value &&
  typeof value.tables === "object" &&
  value.tables !== null;

function checkHead(value: unknown, schema: number): void {
  if (!isHead(value) || value.version !== BACKUP_VERSION) throw new Error("it is not a backup of a PostgreSQL database");
  if (value.schema !== schema)
    throw new Error(
      `its tables are of version ${value.schema}, and this Tessera restores version ${schema}. Restore it with the Tessera that wrote it`,
    );
}

function readLine(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`its line ${number} is damaged`);
  }
}

/**
 * Reads a file of `writePortable` in batches of one table each. Throws when it is incomplete, which is detected only after the last
 * batch.
 */
export async function* readPortable(file: string, schema: number): AsyncGenerator<RowBatch, Sums> {
  if (!existsSync(file)) throw new Error(`There is no backup at ${file}.`);
  try {
    return yield* readBatches(file, schema);
  } catch (error) {
    throw new Error(`${file} can't be restored: ${getErrorMessage(error)}.`, { cause: error });
  }
}

/** Reads the whole file and returns its counts and hashes. Throws like `readPortable`. */
export async function checkPortable(file: string, schema: number): Promise<Sums> {
  const batches = readPortable(file, schema);
  for (;;) {
    const step = await batches.next();
    if (step.done === true) return step.value;
  }
}

async function* readBatches(file: string, schema: number): AsyncGenerator<RowBatch, Sums> {
  const summers = new Map(TABLES.map(({ name }) => [name, new ChecksumCollector()]));
  let batch: { table: Table; lines: string[]; characters: number } | undefined;
  let tail: Tail | undefined;
  let number = 0;
  for await (const text of readLines(file)) {
    const value = readLine(text, ++number);
    if (tail !== undefined) throw new Error("there is data after the last line");
    if (number === 1) checkHead(value, schema);
    else if (isTail(value)) tail = value;
    else {
      const { table, row } = readRow(value, number);
      const rowText = JSON.stringify(row);
      summers.get(table.name)?.add(rowText);
      if (batch !== undefined && (batch.table !== table || isFull(batch.lines.length, batch.characters))) {
        yield batch;
        batch = undefined;
      }
      batch ??= { table, lines: [], characters: 0 };
      batch.lines.push(rowText);
      batch.characters += rowText.length;
    }
  }
  if (batch !== undefined) yield batch;
  if (tail === undefined) throw new Error("its last line is missing");
  for (const { name } of TABLES)
    if (!isSame(tail.tables[name], summers.get(name)?.sum())) throw new Error(`its table "${name}" differs from what was written`);
  return tail.tables;
}

function readRow(value: unknown, number: number): { readonly table: Table; readonly row: PortableRow } {
  const { table: name, row } = (value ?? {}) as { readonly table?: unknown; readonly row?: unknown };
  const table = TABLES.find((known) => known.name === name);
  if (table === undefined) throw new Error(`its line ${number} is damaged`);
  return { table, row: checkRow(table, row) };
}
