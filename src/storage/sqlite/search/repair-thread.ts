import Database from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";
import { findDamagedTables, replaceIndex } from "./repair-index.ts";

/** How long to wait for a lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

const db = new Database(workerData as string, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
const damaged = findDamagedTables(db);
parentPort?.postMessage(damaged);
// Sent once nothing else writes.
parentPort?.on("message", () => {
  replaceIndex(db, damaged, Date.now());
  db.close();
  parentPort?.postMessage(null);
});
