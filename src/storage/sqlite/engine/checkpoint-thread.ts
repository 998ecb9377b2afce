import Database from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";

const db = new Database(workerData as string, { timeout: 1_000 });
const checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");

parentPort?.on("message", () => {
  checkpoint.get();
  parentPort?.postMessage("done");
});
