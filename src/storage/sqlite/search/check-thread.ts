import Database from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";
import { INDEX_TABLES } from "./index-tables.ts";

const db = new Database(workerData as string, { readonly: true, timeout: 1_000 });

/** Whether the pages of the table and its indexes are damaged. */
function isDamaged(table: string): boolean {
  try {
    return db.pragma(`quick_check(${table})`, { simple: true }) !== "ok";
  } catch {
    return true;
  }
}

parentPort?.postMessage(INDEX_TABLES.filter(isDamaged));
db.close();
