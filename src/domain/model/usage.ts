import type { ModelFailure, TokenUsage } from "./model.ts";

/** The endpoints whose model calls count as usage of a key. */
export type ModelEndpoint = "ask" | "generate" | "idea";

/** How a model call ended, in the metrics. */
export type ModelOutcome = "answered" | "cancelled" | ModelFailure;

/** The number of model calls and their tokens. */
export type UsageTotal = { readonly calls: number } & TokenUsage;

export const NO_USAGE: UsageTotal = { calls: 0, input: 0, output: 0 };

/** One model call by one key. `day` is the number of UTC days since 1970. */
export type UsageEntry = {
  readonly businessId: string;
  readonly keyId: string;
  readonly day: number;
  readonly endpoint: ModelEndpoint;
  readonly usage: TokenUsage;
};

/** A range of UTC days since 1970: `from` inclusive, `before` exclusive. */
export type Days = { readonly from: number; readonly before: number };

/** Model calls and tokens per key, day and endpoint. */
export interface UsageStore {
  /** Adds one call. */
  add(entry: UsageEntry): Promise<void>;
  /** Returns the usage of one key in these days. */
  total(businessId: string, keyId: string, days: Days): Promise<UsageTotal>;
  /** Returns the usage by key id, for all keys of the business with usage. */
  totals(businessId: string, days: Days): Promise<ReadonlyMap<string, UsageTotal>>;
}

/** Where a model call came from: an API endpoint, or ingestion of pictures and recordings. */
export type MeteredEndpoint = ModelEndpoint | "ingest";

const DAY_MS = 86_400_000;

/** Returns the UTC day of a time. */
export const toUtcDay = (milliseconds: number): number => Math.floor(milliseconds / DAY_MS);

/** Returns the days of the calendar month (UTC) of a time. */
export function toUtcMonth(milliseconds: number): Days {
  const time = new Date(milliseconds);
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return { from: toUtcDay(Date.UTC(year, month, 1)), before: toUtcDay(Date.UTC(year, month + 1, 1)) };
}

/** Formats a day as `2026-11-21`. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
