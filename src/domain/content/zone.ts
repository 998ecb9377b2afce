import type { Authorized } from "../core/access.ts";
import type { Board } from "../core/board.ts";
import type { LostExternalId, StepLimit } from "./changes.ts";
import type { NewJob } from "./job.ts";
import type { IdempotencyRecord, IdempotentOutcome } from "../core/idempotency.ts";

export const ZONE_COLORS = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const;
export const ZONE_SIZES = ["sm", "md", "lg", "xl"] as const;
export type ZoneColor = (typeof ZONE_COLORS)[number];
export type ZoneSize = (typeof ZONE_SIZES)[number];

/** Maximum position, far below the largest safe integer, so that there is always a next position. */
export const MAX_POSITION = 1_000_000_000;

export type Zone = {
  readonly id: string;
  readonly businessId: string;
  readonly boardId: string;
  readonly name: string;
  readonly sortOrder: number;
  readonly connectedToChat: boolean;
  readonly color: ZoneColor | null;
  readonly emoji: string | null;
  readonly size: ZoneSize;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type NewZone = {
  readonly id: string;
  readonly name: string;
  readonly connectedToChat: boolean;
  readonly color: ZoneColor | null;
  readonly emoji: string | null;
  readonly size: ZoneSize;
  /** Undefined uses the next position after the existing zones. */
  readonly sortOrder?: number;
};

export type ZonePatch = Partial<Omit<NewZone, "id">>;

/** Keyset cursor of a listing: the ordering fields of the last returned zone. */
export type ZoneCursor = { readonly sortOrder: number; readonly id: string };

/** A restored zone, and its tiles that lost their external ids. */
export type RestoredZone = { readonly zone: Zone; readonly lostExternalIds: readonly LostExternalId[] };
/** `deletedUntil` is where the next step continues; null after the last step. */
export type RestoreStep = RestoredZone & { readonly deletedUntil: number | null };

export interface ZoneStore {
  /** Lists at most `limit` zones by `sortOrder`, then id; null for no limit. */
  list(scope: Authorized<Board, "read">, after: ZoneCursor | null, limit: number | null): Promise<Zone[]>;
  /** Finds a zone of this business that is not deleted, on a board that is not deleted. */
  find(businessId: string, zoneId: string): Promise<Zone | null>;
  findDeleted(businessId: string, zoneId: string, deletedAfter: number): Promise<Zone | null>;
  create(
    scope: Authorized<Board, "write">,
    zone: NewZone,
    now: number,
    idempotency?: IdempotencyRecord<Zone>,
  ): Promise<IdempotentOutcome<Zone>>;
  update(scope: Authorized<Board, "write">, zoneId: string, patch: ZonePatch, now: number, ifVersion?: number): Promise<Zone>;
  /**
   * Runs one step of deleting the zone: deletes tiles of it and cancels their ingestion, and deletes the zone together with the last of
   * them. Returns whether the zone is deleted; if not, the call is repeated. Steps that are not repeated leave the zone without the
   * tiles that were deleted, which deleting or restoring the zone finds again.
   */
  remove(scope: Authorized<Board, "write">, zoneId: string, now: number, ifVersion?: number, limit?: StepLimit): Promise<boolean>;
  /**
   * Runs one step of restoring the zone: restores the zone, and tiles that were deleted with it, from the last one deleted. `newJob`
   * creates the jobs of tiles that were processing; its url is null for uploads. A zone that is not deleted only gets back the tiles that
   * an interrupted call has left. Throws 404 if the zone is deleted between two steps.
   */
  restore(
    scope: Authorized<Board, "write">,
    zoneId: string,
    newJob: (url: string | null) => NewJob,
    now: number,
    deletedUntil?: number,
    limit?: StepLimit,
  ): Promise<RestoreStep>;
}

/** In UTF-16 code units. The longest emoji of Unicode 16 have 35. */
const MAX_EMOJI_LENGTH = 64;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Whether the value is exactly one grapheme cluster that is an emoji. */
export function isEmoji(value: string): boolean {
  if (value.length > MAX_EMOJI_LENGTH) return false;
  const [first, second] = [...graphemes.segment(value)];
  return first !== undefined && second === undefined && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(value);
}
