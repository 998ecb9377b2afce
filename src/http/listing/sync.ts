import type { KnownState } from "#domain/content/changes.ts";
import type { Revisions } from "#domain/core/board.ts";
import { invalid } from "#domain/core/error.ts";

/** What a caller begins with. */
const BEGIN = "0";
const TOKEN = /^(?:([\da-f]{12})\.)?(\d{1,15})\.(\d{1,15})\.(\d{1,11})$/;
/** Deleted tiles are erased after 30 days; an older state can't be told apart from them any more. Milliseconds. */
const MAX_AGE_MS = 29 * 24 * 3_600_000;

/** The state of a board as a caller sends it back to read what changed since; `epoch` is the database's. */
export function writeSyncToken(epoch: string, { content, existing }: Revisions, now: number): string {
  return `${epoch}.${content}.${content - existing}.${Math.floor(now / 1_000)}`;
}

/**
 * Reads a token; null where everything has to be read: at the beginning, for a state that is too old, and for one of another epoch, as
 * after a backup was restored and in tokens of earlier builds, which name none. 400 for what is no token.
 */
export function readSyncToken(token: string, epoch: string, { content }: Revisions, now: number): KnownState | null {
  if (token === BEGIN) return null;
  const match = TOKEN.exec(token);
  if (match === null) throw invalid("sync_token is not valid. Send 0 to begin.");
  const [revision = 0, sequence = 0, seconds = 0] = match.slice(2).map(Number);
  return match[1] !== epoch || revision > content || now - seconds * 1_000 > MAX_AGE_MS ? null : { revision, sequence };
}
