import type { ModelFailure, TokenUsage } from "./model.ts";

/** What a language model was called for, as the usage of a key is counted. */
export type ModelEndpoint = "ask" | "generate" | "idea";

/** How a call of a model ended, as the operator's figures tell it. */
export type ModelOutcome = "answered" | "cancelled" | ModelFailure;

/** Calls of a model, and the tokens they took. */
export type UsageTotal = { readonly calls: number } & TokenUsage;

export const NO_USAGE: UsageTotal = { calls: 0, input: 0, output: 0 };

/** One call of a model by one key; `day` counts UTC days since 1970. */
export type UsageEntry = {
  readonly businessId: string;
  readonly keyId: string;
  readonly day: number;
  readonly endpoint: ModelEndpoint;
  readonly usage: TokenUsage;
};

/** UTC days since 1970, from `from` and before `before`. */
export type Days = { readonly from: number; readonly before: number };

/** Calls and tokens of models, kept for each key, day and endpoint. */
export interface UsageStore {
  /** Adds one call. */
  add(entry: UsageEntry): Promise<void>;
  /** What one key used in these days. */
  total(businessId: string, keyId: string, days: Days): Promise<UsageTotal>;
  /** The same by key, for every key of the business that used anything. */
  totals(businessId: string, days: Days): Promise<ReadonlyMap<string, UsageTotal>>;
}

/** What a model was called for: an endpoint of the interface, or the reading of pictures and sound in the background. */
export type MeteredEndpoint = ModelEndpoint | "ingest";

/** One process's calls of models for the operator's figures: by few and fixed names, never by key. */
export interface ModelMeter {
  count(endpoint: MeteredEndpoint, outcome: ModelOutcome, usage: TokenUsage): void;
  /** What was counted so far, each combination once. */
  calls(): Iterable<{ readonly endpoint: MeteredEndpoint; readonly outcome: ModelOutcome; readonly count: number }>;
  tokens(): Iterable<{ readonly endpoint: MeteredEndpoint; readonly usage: TokenUsage }>;
}

const DAY_MS = 86_400_000;

/** The UTC day that a time lies in. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / DAY_MS);

/** The days of the calendar month, UTC, that a time lies in. */
export function monthOf(milliseconds: number): Days {
  const time = new Date(milliseconds);
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return { from: dayOf(Date.UTC(year, month, 1)), before: dayOf(Date.UTC(year, month + 1, 1)) };
}

/** A day as `2026-11-21`. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
