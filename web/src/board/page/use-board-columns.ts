import type { ZoneSummary } from "@tessera-board/sdk";
import { useEffect, useMemo, useState } from "react";
import type { BoardSnapshot, ColumnHandle, Drag } from "../board-context.ts";
import { NO_SELECTION, retainExisting } from "../model/selection.ts";
import type { BoardColumn, BoardTile, PlaceholderTile } from "../model/tile.ts";
import type { UploadState } from "../model/uploads.ts";
import { buildColumns, needsAllTiles, SORTED_BY, type View } from "../model/view.ts";
import { useUnlistedTiles } from "../actions/use-unlisted-tiles.ts";
import { useZoneCounts } from "../../api/tiles/counts.ts";
import { getSyncState } from "../../api/tiles/tile-cache.ts";
import { useDebounced } from "../../ui/hooks/use-debounced.ts";
import { useLatest } from "../../ui/hooks/use-latest.ts";
import { createStore, useStore } from "../model/store.ts";

/** Delay between a change of the filters and the columns for it, in milliseconds, so that drawing a large board does not delay typing. */
const FILTER_DELAY_MS = 100;

export type BoardStores = ReturnType<typeof createStores>;

export type BoardContent = {
  readonly stores: BoardStores;
  /** All tiles, including placeholders for those being created. */
  readonly allTiles: readonly BoardTile[];
  readonly columns: readonly BoardColumn[];
  /** The view that `columns` shows; it lags behind while the filter is typed. */
  readonly shownView: View;
  /** Stable functions that return the current values. */
  readonly snapshot: Omit<BoardSnapshot, "load"> & { readonly sortedBy: () => string };
};

/** The stores of a board, and its columns for the given filters and sorting. */
export function useBoardColumns(boardId: string, zones: readonly ZoneSummary[], tiles: readonly BoardTile[], view: View): BoardContent {
  const [stores] = useState(createStores);
  const pending = useStore(stores.pending, (all) => all);
  const allTiles = useMemo(() => withPending(tiles, pending), [tiles, pending]);
  // Not `useDeferredValue`: React abandons such a rendering when a key is typed. The virtualizer changes its state while it renders, and
  // would keep that of the abandoned one, with cards hidden until they change their size.
  const shownView = useDebounced(view, FILTER_DELAY_MS);
  const { loaded } = getSyncState(tiles);
  const partIds = useMemo(() => [...(loaded ?? [])].flatMap(([zoneId, { cursor }]) => (cursor === null ? [] : [zoneId])), [loaded]);
  const counts = useZoneCounts(boardId, partIds);
  const columns = useMemo(() => buildColumns(zones, allTiles, shownView, { loaded, counts }), [zones, allTiles, shownView, loaded, counts]);

  useUnlistedTiles(boardId, loaded, needsAllTiles(view));

  useEffect(() => {
    const ids = new Set(tiles.map(({ id }) => id));
    stores.selection.set((selection) => retainExisting(selection, (id) => ids.has(id)));
  }, [tiles, stores]);

  const snapshot = {
    tiles: useLatest(allTiles),
    columns: useLatest(columns),
    isManualOrder: useLatest(shownView.sorting === "manual"),
    sortedBy: useLatest(SORTED_BY[shownView.sorting]),
  };
  return { stores, allTiles, columns, shownView, snapshot };
}

const createStores = () => ({
  selection: createStore(NO_SELECTION),
  drag: createStore<Drag | null>(null),
  pending: createStore<readonly PlaceholderTile[]>([]),
  uploads: createStore<ReadonlyMap<string, UploadState>>(new Map()),
  handles: new Map<string, ColumnHandle>(),
});

/** The tiles with placeholders for those being created, until the server's rows contain them. */
function withPending(tiles: readonly BoardTile[], pending: readonly PlaceholderTile[]): readonly BoardTile[] {
  if (pending.length === 0) return tiles;
  const ids = new Set(tiles.map(({ id }) => id));
  return [...tiles, ...pending.filter(({ createdId }) => createdId === undefined || !ids.has(createdId))];
}
