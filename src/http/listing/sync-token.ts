import type { KnownState } from "#domain/content/changes.ts";
import type { Revisions } from "#domain/core/board.ts";
import { invalid } from "#domain/core/error.ts";

/** What a caller begins with. */
const BEGIN = "0";
const TOKEN = /^(?:([\da-f]{12})\.)?(\d{1,15})\.(\d{1,15})\.(\d{1,11})$/;
/** Deleted tiles are erased after 30 days; an older state can't be told apart from them any more. Milliseconds. */
const MAX_AGE_MS = 29 * 24 * 3_600_000;
/** How far the clocks of two nodes may differ, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** The state of a board as a caller sends it back to read what changed since; `epoch` is the database's. */
export function writeSyncToken(epoch: string, { content, existing }: Revisions, now: number): string {
  return `${epoch}.${content}.${content - existing}.${Math.floor(now / 1_000)}`;
}

/**
 * Reads a token; null where everything has to be read: at the beginning, for a state that is too old or that this board never had, for
 * one dated in the future, whose age is unknown, and for one of another epoch, as after a backup was restored and in tokens of earlier
 * builds, which name none. 400 for what is no token.
 */
export function readSyncToken(token: string, epoch: string, { content, existing }: Revisions, now: number): KnownState | null {
  if (token === BEGIN) return null;
  const match = TOKEN.exec(token);
  if (match === null) throw invalid("sync_token is not valid. Send 0 to begin.");
  const [revision = 0, sequence = 0, seconds = 0] = match.slice(2).map(Number);
  const age = now - seconds * 1_000;
  const isOfBoard = match[1] === epoch && revision <= content && sequence <= content - existing;
  return isOfBoard && age <= MAX_AGE_MS && age >= -MAX_CLOCK_SKEW_MS ? { revision, sequence } : null;
}
