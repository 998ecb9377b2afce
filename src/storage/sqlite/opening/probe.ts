import type { StorageProblem } from "#domain/core/errors/storage-error.ts";
import type { Connection } from "../engine/database.ts";
import { toStorageError } from "../engine/failure.ts";
import type { Reserve } from "./reserve.ts";

/** A write within this time shows that writing works. A commit of the probe would make cached listings invalid. */
const EVIDENCE_MS = 10_000;

/** The tables that no work can do without. */
const TABLES = ["business", "board", "zone", "tile", "api_key", "member", "session", "webhook", "delivery", "job"] as const;

/**
 * Reads the first and the last row of the main tables, and their indexes. It notices a damaged start or end of a table, and with that any
 * page of a small one. Damage in the middle of a large table is noticed by the calls that read it. Throws `StorageError`.
 */
export function probeReading(db: Connection): void {
  db.check();
  for (const table of TABLES) {
    for (const order of ["ASC", "DESC"]) db.get(`SELECT rowid FROM ${table} NOT INDEXED ORDER BY rowid ${order} LIMIT 1`);
    const key = table === "business" ? "id" : "business_id, id";
    for (const order of ["ASC", "DESC"]) db.get(`SELECT 1 FROM ${table} ORDER BY ${key.replaceAll(",", ` ${order},`)} ${order} LIMIT 1`);
  }
}

/**
 * Commits a write that changes nothing, unless a write succeeded just now and no problem is known. Tries whether the disk has room for more
 * when it is known to be full, or seems so. Throws `StorageError`.
 */
export async function probeWriting(db: Connection, reserve: Reserve | null, known: StorageProblem | null): Promise<void> {
  if (known !== null || !db.hasWrittenWithin(EVIDENCE_MS)) await db.write(() => db.run("UPDATE epoch SET value = value"));
  try {
    if (reserve !== null && (known === "full" || (await reserve.needsFill()))) await reserve.fill();
  } catch (error) {
    throw toStorageError(error);
  }
}
