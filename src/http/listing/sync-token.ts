import { hash } from "node:crypto";
import type { KnownState } from "#domain/content/changes.ts";
import type { Revisions } from "#domain/core/board.ts";
import { invalidField } from "#domain/core/errors/error.ts";

/** The token of the first call. */
export const INITIAL_TOKEN = "0";
const TOKEN = /^(?:([\da-f]{12})\.)?(\d{1,15})\.(\d{1,15})\.(\d{1,11})$/;
/** Deleted tiles are erased after 30 days, so changes since an older state can't be listed. */
const MAX_AGE_MS = 29 * 24 * 3_600_000;
/** The maximum clock difference between two nodes. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** Identifies a board of a database, so that a token of another board is not taken for one of this board. */
export const createSyncScope = (epoch: string, boardId: string): string => hash("sha256", `${epoch} ${boardId}`, "hex").slice(0, 12);

/** Encodes the state of a board, for the next call. `scope` is that of `createSyncScope`. */
export function writeSyncToken(scope: string, { content, existing }: Revisions, now: number): string {
  return `${scope}.${content}.${content - existing}.${Math.floor(now / 1_000)}`;
}

/**
 * Decodes a token. Returns null if the whole listing must be read: for the first call, and for a state that is too old, dated in the
 * future, unknown to this board, of another board, or from before a backup was restored. Throws 400 for an invalid token.
 */
export function readSyncToken(token: string, scope: string, { content, existing }: Revisions, now: number): KnownState | null {
  if (token === INITIAL_TOKEN) return null;
  const match = TOKEN.exec(token);
  if (match === null) throw invalidField("sync_token", "is not valid. Send 0 to begin.", "cursor_invalid");
  const [revision = 0, sequence = 0, seconds = 0] = match.slice(2).map(Number);
  const age = now - seconds * 1_000;
  const isOfBoard = match[1] === scope && revision <= content && sequence <= content - existing;
  return isOfBoard && age <= MAX_AGE_MS && age >= -MAX_CLOCK_SKEW_MS ? { revision, sequence } : null;
}
