import type { TileSummary, ZoneSummary } from "@tessera/sdk";

/** What a piece is made from: all that feeds the chat, or what was chosen of it. What was chosen stays while another way is looked at. */
export type Source = {
  readonly from: "board" | "zones" | "tiles";
  readonly zoneIds: readonly string[];
  readonly tileIds: readonly string[];
};

export const WHOLE_BOARD: Source = { from: "board", zoneIds: [], tileIds: [] };

/** The most that one call takes. */
const MAX_IDS = 100;

type ZoneFacts = Pick<ZoneSummary, "id" | "connectedToChat">;
type TileDetails = Pick<TileSummary, "id" | "zoneId" | "status" | "connectedToChat">;

/** The ids that a call is restricted to; none for the whole board. */
export function toIdFilter({ from, zoneIds, tileIds }: Source): {
  readonly zoneIds?: readonly string[];
  readonly tileIds?: readonly string[];
} {
  if (from === "zones") return { zoneIds };
  return from === "tiles" ? { tileIds } : {};
}

/** Without the zones that do not feed the chat any more, and without what was deleted. */
export function removeMissing(source: Source, zones: readonly ZoneFacts[], tiles: readonly TileDetails[]): Source {
  const feeding = new Set(zones.filter(({ connectedToChat }) => connectedToChat).map(({ id }) => id));
  const there = new Set(tiles.map(({ id }) => id));
  return { ...source, zoneIds: source.zoneIds.filter((id) => feeding.has(id)), tileIds: source.tileIds.filter((id) => there.has(id)) };
}

/** Why a tile is passed over though it was chosen; null where it is read. */
export function getSkipReason({ zoneId, status, connectedToChat }: TileDetails, zones: readonly ZoneFacts[]): string | null {
  if (status === "processing") return "still being read";
  if (status !== "ready") return "could not be read";
  if (connectedToChat === false) return "it is not used in answers";
  const zone = zones.find(({ id }) => id === zoneId);
  return zone?.connectedToChat === false ? "its zone does not feed the chat" : null;
}

/** What has to be mended in the choice before anything can be made of it; `source` as `removeMissing` answers it. */
export function validateSource(source: Source, zones: readonly ZoneFacts[], tiles: readonly TileDetails[]): string | null {
  const { from, zoneIds, tileIds } = source;
  if (from === "board") return null;
  if (from === "zones") {
    if (zoneIds.length === 0) return "Choose at least one zone, or take the whole board.";
    return zoneIds.length > MAX_IDS ? `Choose at most ${MAX_IDS} zones; these are ${zoneIds.length}.` : null;
  }
  if (tileIds.length === 0) return "Choose at least one tile on the board, or take the whole board.";
  if (tileIds.length > MAX_IDS) return `Choose at most ${MAX_IDS} tiles; these are ${tileIds.length}.`;
  const chosen = new Set(tileIds);
  const isAnyRead = tiles.some((tile) => chosen.has(tile.id) && getSkipReason(tile, zones) === null);
  return isAnyRead ? null : "None of these tiles can be read now. Choose others, or let them and their zone feed the chat.";
}
