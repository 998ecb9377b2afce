import { invalid, invalidField } from "#domain/core/errors/error.ts";
import type { GenerationRequest, Idea } from "#domain/answers/generation.ts";
import type { BoardReader } from "../access.ts";
import type { StoreDeps } from "../deps.ts";
import { listConnectedTiles } from "../answer/connected-texts.ts";
import { requireZoneOn } from "../content/tiles.ts";

/** Far more tiles than one generation can use. */
const MAX_SELECTED = 20_000;

export const NOTHING_TO_GENERATE_FROM =
  "There is no connected content to generate from. Add tiles, set connected_to_chat of a zone or tile to true, or choose other zone_ids and tile_ids.";

export const SOURCES_CHANGED =
  "The sources of this idea were deleted, disconnected or changed. Connect them again, or request new ideas with POST /api/v1/idea.";

/**
 * Throws 400 for an idea when one of its tiles is no longer readable, or when none of its quotes still exists. Its title and hook come
 * from these tiles and would reveal content that was removed.
 */
export async function requireReadableSources({ store }: StoreDeps, { target }: BoardReader, { citations }: Idea): Promise<void> {
  const ids = [...new Set(citations.map(({ tileId }) => tileId))];
  const tiles = new Map((await store.search.connectedTiles(target.businessId, target.id, ids)).map((tile) => [tile.id, tile]));
  const hasQuote = citations.some(({ tileId, quote, start, end }) => tiles.get(tileId)?.extractedText.slice(start, end) === quote);
  if (tiles.size < ids.length || !hasQuote) throw invalid(SOURCES_CHANGED, "no_content");
}

/** Throws 400 for zones and tiles of another board. */
export async function checkSelection(
  deps: StoreDeps,
  scope: BoardReader,
  { zoneIds = [], tileIds = [] }: GenerationRequest,
): Promise<void> {
  for (const id of new Set(zoneIds)) await requireZoneOn(deps, scope, id, "zone_ids");
  for (const id of new Set(tileIds)) {
    const tile = await deps.store.tiles.findHead(scope.target.businessId, id);
    if (tile === null || tile.boardId !== scope.target.id) throw invalidField("tile_ids", "must name tiles of this board.");
  }
}

export const isRestricted = ({ zoneIds = [], tileIds = [] }: GenerationRequest): boolean => zoneIds.length + tileIds.length > 0;

/**
 * Returns the ids of readable tiles in order of creation: ready, connected, and in the chosen zones or among the chosen tiles if any
 * are chosen.
 */
export async function selectTiles(deps: StoreDeps, scope: BoardReader, request: GenerationRequest): Promise<string[]> {
  const [chosenZones, chosenTiles] = [new Set(request.zoneIds), new Set(request.tileIds)];
  const isAll = !isRestricted(request);
  const ids: string[] = [];
  for await (const { tiles } of listConnectedTiles(deps, scope)) {
    for (const { id, zone } of tiles) if (isAll || chosenTiles.has(id) || (zone !== null && chosenZones.has(zone.id))) ids.push(id);
    if (ids.length >= MAX_SELECTED) break;
  }
  return ids;
}

/** Throws 400 when there is no readable tile. */
export async function requireContent(deps: StoreDeps, scope: BoardReader, request: GenerationRequest): Promise<void> {
  const { businessId, id } = scope.target;
  const hasContent = isRestricted(request)
    ? (await selectTiles(deps, scope, request)).length > 0
    : await deps.store.search.hasConnected(businessId, id);
  if (!hasContent) throw invalid(NOTHING_TO_GENERATE_FROM, "no_content");
}
