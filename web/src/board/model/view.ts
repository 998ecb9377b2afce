import type { ZoneSummary } from "@tessera-board/sdk";
import { type KindGroup, getKind } from "./kinds.ts";
import { comparePositions } from "./order.ts";
import { type BoardColumn, type BoardTile, toColumnId, NO_ZONE } from "./tile.ts";

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
  readonly sorting: Sorting;
};

export const DEFAULT_VIEW: View = { group: null, status: null, query: "", sorting: "manual" };

export const isFiltered = ({ group, status, query }: View): boolean => group !== null || status !== null || query.trim() !== "";

/** The columns of a board: zones by position, then tiles without a zone, if any. */
export function buildColumns(zones: readonly ZoneSummary[], tiles: readonly BoardTile[], view: View): readonly BoardColumn[] {
  const all = groupByColumn(tiles);
  const shown = [...zones].sort((a, b) => a.sortOrder - b.sortOrder || (a.id < b.id ? -1 : 1));
  const columns = shown.map((zone) => buildColumn(zone.id, zone, zone.name, all.get(zone.id) ?? [], view));
  const zoneIds = new Set(zones.map(({ id }) => id));
  const rest = tiles.filter(({ zoneId }) => zoneId === null || !zoneIds.has(zoneId));
  return rest.length === 0 ? columns : [...columns, buildColumn(NO_ZONE, null, "No zone", rest, view)];
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

function buildColumn(id: string, zone: ZoneSummary | null, name: string, tiles: readonly BoardTile[], view: View): BoardColumn {
  const shownTiles = isFiltered(view) ? tiles.filter((tile) => matchesView(tile, view)) : [...tiles];
  return { id, zone, name, tiles: shownTiles.sort(ORDERS[view.sorting]), total: tiles.length };
}

function matchesView(tile: BoardTile, { group, status, query }: View): boolean {
  if (status !== null && tile.status !== status) return false;
  if (group !== null && getKind(tile.type).group !== group) return false;
  const needle = query.trim().toLowerCase();
  return needle === "" || tile.title.toLowerCase().includes(needle) || (tile.sourceUrl ?? "").toLowerCase().includes(needle);
}

const ORDERS: Readonly<Record<Sorting, (a: BoardTile, b: BoardTile) => number>> = {
  manual: comparePositions,
  newest: (a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : comparePositions(b, a)),
  oldest: (a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : comparePositions(a, b)),
  title: (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }) || comparePositions(a, b),
};
