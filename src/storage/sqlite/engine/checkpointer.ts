import type Database from "better-sqlite3";
import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** How often the log is looked at, from which size it is moved into the file, and how long a thread without work is kept. */
const LOOK_MS = 500;
const MOST_BYTES = 4 * 1_048_576;
const IDLE_MS = 20_000;
/** SQLite's own setting, for when there is no thread. */
const AUTOCHECKPOINT_PAGES = 1_000;

export type Checkpointer = { stop(): void };

/**
 * Moves the write-ahead log into the database file from a thread with a connection of its own. Left to SQLite, every
 * thousandth page would make some writer wait for the whole move. `commits` counts what was committed so far.
 */
export function startCheckpointer(db: Database.Database, commits: () => number): Checkpointer {
  let thread: Worker | undefined;
  let isRunning = false;
  let seen = 0;
  let idleSince = performance.now();
  db.pragma("wal_autocheckpoint = 0");

  function giveUp(): void {
    thread = undefined;
    clearInterval(timer);
    if (db.open) db.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
  }

  function start(): Worker {
    const worker = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), { workerData: db.name });
    worker.unref();
    worker.on("message", () => {
      isRunning = false;
    });
    worker.on("error", giveUp);
    return worker;
  }

  function look(): void {
    const now = performance.now();
    if (commits() !== seen && !isRunning && sizeOf(`${db.name}-wal`) > MOST_BYTES) {
      seen = commits();
      isRunning = true;
      idleSince = now;
      thread ??= start();
      thread.postMessage("checkpoint");
    } else if (thread !== undefined && !isRunning && now - idleSince > IDLE_MS) {
      void thread.terminate();
      thread = undefined;
    }
  }

  const timer = setInterval(look, LOOK_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      void thread?.terminate();
    },
  };
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
