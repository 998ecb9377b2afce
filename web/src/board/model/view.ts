import type { ZoneSummary } from "@tessera-board/sdk";
import type { LoadedPart, LoadedParts } from "../../api/tiles/tile-cache.ts";
import { hasTag } from "../../ui/tags/tags.ts";
import { type KindGroup, getKind } from "./kinds.ts";
import { comparePositions } from "./order.ts";
import { type BoardColumn, type BoardTile, isPlaceholder, NO_ZONE, toColumnId, toZoneId } from "./tile.ts";

export type Sorting = "manual" | "newest" | "oldest" | "title";

/** The name of each sorting, as used after "sorted". */
export const SORTED_BY: Readonly<Record<Sorting, string>> = {
  manual: "manually",
  newest: "newest first",
  oldest: "oldest first",
  title: "by title",
};

/** Filters and sorting of the board; null disables a filter. */
export type View = {
  readonly group: KindGroup | null;
  readonly status: "processing" | "ready" | "failed" | null;
  readonly query: string;
  /** A tile has all of them. */
  readonly tags: readonly string[];
  readonly sorting: Sorting;
};

export const DEFAULT_VIEW: View = { group: null, status: null, query: "", tags: [], sorting: "manual" };

export const isFiltered = ({ group, status, query, tags }: View): boolean =>
  group !== null || status !== null || query.trim() !== "" || tags.length > 0;

/** Narrows a view to the tiles that have a tag, too. */
export const addTagFilter = (view: View, tag: string): View => (hasTag(view.tags, tag) ? view : { ...view, tags: [...view.tags, tag] });

/** Whether a view needs every tile of the board. Otherwise, a part in manual order is enough. */
export const needsAllTiles = (view: View): boolean => isFiltered(view) || view.sorting !== "manual";

/** What is known about the tiles that are not loaded. */
export type Coverage = {
  readonly loaded: LoadedParts;
  /** The numbers of tiles of zones that are loaded in part. */
  readonly counts: ReadonlyMap<string | null, number>;
};

const WHOLE_BOARD: Coverage = { loaded: null, counts: new Map() };

/** The columns of a board: zones by position, then tiles without a zone, if any. */
export function buildColumns(
  zones: readonly ZoneSummary[],
  tiles: readonly BoardTile[],
  view: View,
  coverage: Coverage = WHOLE_BOARD,
): readonly BoardColumn[] {
  const all = groupByColumn(tiles);
  const shown = [...zones].sort((a, b) => a.sortOrder - b.sortOrder || (a.id < b.id ? -1 : 1));
  const columns = shown.map((zone) => buildColumn(zone.id, zone, zone.name, all.get(zone.id) ?? [], view, coverage));
  const zoneIds = new Set(zones.map(({ id }) => id));
  // On a board that is loaded in part, tiles of an unknown zone are shown when the zone is known.
  const rest = tiles.filter(({ zoneId }) => zoneId === null || (coverage.loaded === null && !zoneIds.has(zoneId)));
  const last = buildColumn(NO_ZONE, null, "No zone", rest, view, coverage);
  return last.loadedTiles.length === 0 ? columns : [...columns, last];
}

function groupByColumn(tiles: readonly BoardTile[]): ReadonlyMap<string, readonly BoardTile[]> {
  const columns = new Map<string, BoardTile[]>();
  for (const tile of tiles) {
    const column = columns.get(toColumnId(tile));
    if (column === undefined) columns.set(toColumnId(tile), [tile]);
    else column.push(tile);
  }
  return columns;
}

function buildColumn(
  id: string,
  zone: ZoneSummary | null,
  name: string,
  tiles: readonly BoardTile[],
  view: View,
  coverage: Coverage,
): BoardColumn {
  const zoneId = toZoneId(id);
  const part = coverage.loaded === null ? WHOLE : coverage.loaded.get(zoneId);
  const loadedTiles = part?.cursor === null ? tiles : tiles.filter((tile) => isPlaceholder(tile.id) || isLoaded(tile, part));
  const shownTiles = isFiltered(view) ? loadedTiles.filter((tile) => matchesView(tile, view)) : [...loadedTiles];
  return {
    id,
    zone,
    name,
    tiles: shownTiles.sort(ORDERS[view.sorting]),
    loadedTiles,
    loaded: part === undefined ? "nothing" : part.cursor === null ? "all" : "part",
    total: part?.cursor === null ? tiles.length : (coverage.counts.get(zoneId) ?? null),
  };
}

const WHOLE: LoadedPart = { cursor: null, last: null };

/** Whether a tile is within the loaded part of its zone. Rows beyond it come from changes. */
const isLoaded = (tile: BoardTile, part: LoadedPart | undefined): boolean =>
  part !== undefined && part.last !== null && comparePositions(tile, { id: "", ...part.last }) <= 0;

function matchesView(tile: BoardTile, { group, status, query, tags }: View): boolean {
  if (status !== null && tile.status !== status) return false;
  if (group !== null && getKind(tile.type).group !== group) return false;
  if (!tags.every((tag) => hasTag(tile.tags, tag))) return false;
  const needle = query.trim().toLowerCase();
  return needle === "" || tile.title.toLowerCase().includes(needle) || (tile.sourceUrl ?? "").toLowerCase().includes(needle);
}

const ORDERS: Readonly<Record<Sorting, (a: BoardTile, b: BoardTile) => number>> = {
  manual: comparePositions,
  newest: (a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : comparePositions(b, a)),
  oldest: (a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : comparePositions(a, b)),
  title: (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }) || comparePositions(a, b),
};
