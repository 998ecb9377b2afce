import { hash } from "node:crypto";
import type { ColumnType, Table } from "./table.ts";

export type PortableValue = string | number | boolean | null;
/** A row in the format shared by both databases, with columns in the order of the table. */
export type PortableRow = Readonly<Record<string, PortableValue>>;

/** The number of rows of a table, and a hash of all rows that is independent of their order. */
export type Sum = { readonly rows: number; readonly sha256: string };

const FITS: Readonly<Record<ColumnType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string" && !value.includes("\0"),
  number: Number.isSafeInteger,
  flag: (value) => typeof value === "boolean",
  bytes: (value) => typeof value === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(value),
};

function toValue(kind: ColumnType, value: unknown): unknown {
  if (value === null) return null;
  if (kind === "flag") return value === 1 || value === true;
  if (kind === "bytes" && Buffer.isBuffer(value)) return value.toString("base64");
  // PostgreSQL text can't contain NUL, so replace it as the PostgreSQL store does.
  if (kind === "text" && typeof value === "string") return value.replaceAll("\0", "\uFFFD");
  return value;
}

/** Converts a row from a driver to the shared format. Throws for a value that the format can't represent. */
export function toRow(table: Table, raw: Readonly<Record<string, unknown>>): PortableRow {
  const row: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(table.columns)) row[name] = toValue(kind, raw[name]);
  return checkRow(table, row);
}

/** Validates a value as a row of this table and orders its columns. Throws for a missing, unknown or mistyped column. */
export function checkRow(table: Table, value: unknown): PortableRow {
  if (typeof value !== "object" || value === null) throw new Error(`A row of the table "${table.name}" is not an object.`);
  const given = value as Readonly<Record<string, unknown>>;
  const row: Record<string, PortableValue> = {};
  for (const [name, kind] of Object.entries(table.columns)) {
    const found = given[name];
    if (found !== null && !FITS[kind](found)) throw new Error(`A row of the table "${table.name}" has no ${kind} in "${name}".`);
    row[name] = found as PortableValue;
  }
  if (Object.keys(given).length !== Object.keys(row).length) throw new Error(`A row of the table "${table.name}" has unknown columns.`);
  return row;
}

const WORDS = 8;

/**
 * Counts and hashes the rows of a table. The hash is the sum of the SHA-256 of each row as 256-bit numbers, so that each database can
 * read rows in its cheapest order.
 */
export class ChecksumCollector {
  #rows = 0;
  readonly #sum = new Uint32Array(WORDS);

  /** Adds one row as JSON text. */
  add(line: string): void {
    const digest = hash("sha256", line, "buffer");
    let carry = 0;
    for (let i = 0; i < WORDS; i++) {
      const total = (this.#sum[i] ?? 0) + digest.readUInt32LE(i * 4) + carry;
      this.#sum[i] = total;
      carry = total >= 2 ** 32 ? 1 : 0;
    }
    this.#rows++;
  }

  get rows(): number {
    return this.#rows;
  }

  sum(): Sum {
    return { rows: this.#rows, sha256: Buffer.from(this.#sum.buffer).toString("hex") };
  }
}

export const isSame = (a: Sum | undefined, b: Sum | undefined): boolean =>
  a !== undefined && b !== undefined && a.rows === b.rows && a.sha256 === b.sha256;

/** Counts and hashes by table name. */
export type Sums = Readonly<Record<string, Sum>>;

const MAX_LINES = 500;
const MAX_CHARACTERS = 4_000_000;
/** Whether a batch has reached the maximum size for one statement. */
export const isFull = (lines: number, characters: number): boolean => lines >= MAX_LINES || characters >= MAX_CHARACTERS;

/** Groups rows of one table into batches of limited number and size. Each batch includes its last row. */
export function* batchRows(rows: Iterable<PortableRow>): Generator<{ readonly lines: string[]; readonly last: PortableRow }> {
  let lines: string[] = [];
  let characters = 0;
  let last: PortableRow | undefined;
  for (const row of rows) {
    const line = JSON.stringify(row);
    lines.push(line);
    characters += line.length;
    last = row;
    if (!isFull(lines.length, characters)) continue;
    yield { lines, last };
    [lines, characters] = [[], 0];
  }
  if (last !== undefined && lines.length > 0) yield { lines, last };
}
