import type { SearchFilter } from "#domain/answers/search.ts";

export const READY = "t.status = 'ready' AND t.deleted_at IS NULL";
/** The tile's own switch is not off, and it is in no zone or in a connected one. */
export const FEEDS_CHAT = `t.connected_to_chat IS NOT FALSE AND (t.zone_id IS NULL OR EXISTS (
  SELECT 1 FROM zone z WHERE z.business_id = t.business_id AND z.id = t.zone_id AND z.connected_to_chat AND z.deleted_at IS NULL))`;
const MAY_FEED_CHAT = `${READY} AND t.connected_to_chat IS NOT FALSE`;
/** A tile may be read for chat. */
export const CONNECTED = `${READY} AND ${FEEDS_CHAT}`;
/**
 * Whether a board has a tile that is \`CONNECTED\`, outside zones or in one of its connected zones; $$1 is the business and $2 the board. One look into
 * the index for each zone, however many tiles there are.
 */
export const HAS_CONNECTED = `SELECT
  EXISTS (SELECT 1 FROM tile t WHERE t.business_id = $1 AND t.board_id = $2 AND t.zone_id IS NULL AND ${MAY_FEED_CHAT})
  OR EXISTS (SELECT 1 FROM zone z JOIN tile t ON t.business_id = z.business_id AND t.board_id = z.board_id AND t.zone_id = z.id
    WHERE z.business_id = $1 AND z.board_id = $2 AND z.connected_to_chat AND z.deleted_at IS NULL AND ${MAY_FEED_CHAT}) AS found`;

/** Which tiles a search reads. */
export const readableBy = ({ includeDisconnected }: SearchFilter): string => (includeDisconnected === true ? READY : CONNECTED);

/** The filter as conditions on `t`, its values numbered from `first`. */
export function conditionsOf(filter: SearchFilter, first: number): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const { zoneId, type, createdSince, createdBefore } = filter;
  const conditions: [string, string | number | undefined][] = [
    ["t.zone_id =", zoneId],
    ["t.type =", type],
    ["t.created_at >=", createdSince],
    ["t.created_at <", createdBefore],
  ];
  const given = conditions.filter((condition): condition is [string, string | number] => condition[1] !== undefined);
  return { sql: given.map(([sql], i) => ` AND ${sql} $${first + i}`).join(""), values: given.map(([, value]) => value) };
}
