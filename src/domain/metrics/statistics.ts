import type { TileStatus } from "../content/tile.ts";

export const QUEUE_NAMES = ["links", "deliveries", "generations"] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Entries of a queue are counted up to this number, so that a long queue does not make reading its length expensive. */
export const MAX_COUNTED = 100_000;

export type QueueState = {
  /** The entries that wait, at most `MAX_COUNTED`; of generations, those that run or wait. */
  readonly length: number;
  /** When the oldest entry became due, in milliseconds since 1970; null if none waits. It can be in the future. */
  readonly oldestAt: number | null;
};

/** Sizes of the whole installation, for metrics. All processes that share the database read the same values. */
export interface StatisticsStore {
  /** Reads indexes of what waits. */
  queues(): Promise<Readonly<Record<QueueName, QueueState>>>;
  /** Counts all tiles that are not deleted, in many short steps. Takes about a second for each million tiles. */
  tiles(): Promise<Readonly<Record<TileStatus, number>>>;
  /** Adds up the bytes of all uploads, in many short steps. */
  fileBytes(): Promise<number>;
  /** Returns the size of the database on its disk, in bytes. With SQLite, the write-ahead log is included. */
  databaseBytes(): Promise<number>;
}
