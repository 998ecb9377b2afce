import type { ThrottleEntries, ThrottleEntry } from "#domain/settings/log-in-throttle.ts";

export type ThrottleRow = { name: string; failures: number; last_at: number; next_at: number; expires_at: number };

export const THROTTLE_COLUMNS = "name, failures, last_at, next_at, expires_at";

export const throttleEntriesOf = (rows: readonly ThrottleRow[]): ThrottleEntries =>
  new Map<string, ThrottleEntry>(
    rows.map((row) => [row.name, { failures: row.failures, lastAt: row.last_at, nextAt: row.next_at, expiresAt: row.expires_at }]),
  );
