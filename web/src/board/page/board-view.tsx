import type { ZoneSummary } from "@tessera/sdk";
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useBoards } from "../../api/boards.ts";
import { lazyView } from "../../lazy/lazy-view.tsx";
import { defineLazyModule } from "../../lazy/lazy-module.ts";
import { usePreload } from "../../lazy/use-preload.ts";
import { useCommand } from "../../ui/commands.ts";
import { loadMenus } from "../../ui/floating/menu.tsx";
import { useKeyBuffer } from "../../ui/use-key-buffer.ts";
import { type BoardContext, BoardContextProvider, type Drag, focusTile } from "../board-context.ts";
import type { BoardSlots } from "../board-slots.ts";
import type { OpenTile, Quote } from "../../text/quote.ts";
import { useTileActions } from "../actions/use-tile-actions.ts";
import { useSortingNotice } from "../actions/use-sorting-notice.ts";
import { useUndo } from "../actions/use-undo.ts";
import { useZoneActions } from "../actions/use-zone-actions.ts";
import { DragLayer } from "../drag/drag-layer.tsx";
import { retainExisting, NO_SELECTION } from "../model/selection.ts";
import { createStore } from "../model/store.ts";
import type { BoardTile, PendingTile } from "../model/tile.ts";
import type { UploadState } from "../model/uploads.ts";
import { buildColumns, isFiltered, SORTED_BY, type View, DEFAULT_VIEW } from "../model/view.ts";
import type { Popup } from "../popups/popup.ts";
import { useLatest } from "../use-latest.ts";
import { useStore } from "../use-store.ts";
import { ZoneContextProvider } from "../zone-context.ts";
import { ColumnRow } from "./column-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useBoardInput } from "./use-board-input.ts";
import { useOpenTile } from "./use-open-tile.ts";

const BoardPopups = lazyView(
  defineLazyModule("src/board/popups/board-popups.tsx", async () => {
    await loadMenus();
    return (await import("../popups/board-popups.tsx")).BoardPopups;
  }),
  { name: "The menu", placement: "card" },
);

type BoardViewProps = {
  readonly boardId: string;
  readonly zones: readonly ZoneSummary[];
  readonly tiles: readonly BoardTile[];
  readonly slots: BoardSlots;
};

type Side = "ask" | "palette" | "help" | null;

/** A loaded board: columns, toolbar, panels and popups. */
export function BoardView({ boardId, zones, tiles, slots }: BoardViewProps) {
  const [stores] = useState(() => ({
    selection: createStore(NO_SELECTION),
    drag: createStore<Drag | null>(null),
    pending: createStore<readonly PendingTile[]>([]),
    uploads: createStore<ReadonlyMap<string, UploadState>>(new Map()),
    handles: new Map(),
  }));
  const [view, setView] = useState<View>(DEFAULT_VIEW);
  const [side, setSide] = useState<Side>(null);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [popup, setPopup] = useState<Popup | null>(null);
  const [isFilterOpen, setFilterOpen] = useState(false);
  const [isAddingZone, setAddingZone] = useState(false);
  const name = useBoards().data?.find(({ id }) => id === boardId)?.name ?? "Board";
  const liveRegion = useRef<HTMLDivElement>(null);

  const pending = useStore(stores.pending, (all) => all);
  const all = useMemo(() => withPending(tiles, pending), [tiles, pending]);
  const shownView = useDeferredValue(view);
  const columns = useMemo(() => buildColumns(zones, all, shownView), [zones, all, shownView]);
  const failed = useMemo(() => tiles.filter(({ status }) => status === "failed").map(({ id }) => id), [tiles]);

  const now = {
    tiles: useLatest(all),
    columns: useLatest(columns),
    isOwnOrder: useLatest(shownView.sorting === "own"),
    sortedBy: useLatest(SORTED_BY[shownView.sorting]),
  };
  const undo = useUndo();
  const explainSorting = useSortingNotice(now.sortedBy, useOwnOrder(setView));
  const actions = useTileActions(boardId, now, stores.selection, stores, undo);
  const zoneActions = useZoneActions(boardId, now.columns, undo);
  const opened = useOpenTile();
  const openTile: OpenTile = opened.open;

  // Stable while the board is open, so that cards render only when their tile changes.
  const board = useMemo(
    (): BoardContext => ({
      boardId,
      actions,
      selection: stores.selection,
      drag: stores.drag,
      uploads: stores.uploads,
      handles: stores.handles,
      columns: now.columns,
      isOwnOrder: now.isOwnOrder,
      sortedBy: now.sortedBy,
      explainSorting,
      openTile,
      openMenu: (tile, button) => setPopup({ kind: "card-menu", tile, button }),
      openMove: (ids) => setPopup({ kind: "move", ids }),
      openPasteText: (tile) => setPopup({ kind: "paste-text", tile }),
      openGenerate: (ids) => {
        setChosen(ids);
        setSide("ask");
      },
      announce: (sentence) => {
        if (liveRegion.current !== null) liveRegion.current.textContent = sentence;
      },
    }),
    [boardId, actions, stores, now.columns, now.isOwnOrder, now.sortedBy, explainSorting, openTile],
  );
  const tools = useMemo(() => ({ actions: zoneActions, open: setPopup }), [zoneActions]);

  useEffect(() => {
    const ids = new Set(tiles.map(({ id }) => id));
    stores.selection.set((selection) => retainExisting(selection, (id) => ids.has(id)));
  }, [tiles, stores]);

  usePreload();
  useBoardInput(board, undo, () => setAddingZone(true));
  // Flushed synchronously, so that the next key is buffered for the search.
  useCommand("palette", () => flushSync(() => setSide("palette")));
  useCommand("help", () => setSide("help"));
  useCommand("ask", () => {
    setChosen(null);
    setSide((open) => (open === "ask" ? null : "ask"));
  });
  const close = (): void => {
    setChosen(null);
    setSide(null);
  };
  const takeTyped = useKeyBuffer(side === "palette", close);
  const closeTile = (tileId: string) => (): void => {
    opened.close();
    // The reader returns the focus to the element that opened it; if that is gone, focus the tile's card.
    setTimeout(() => document.querySelector("[role=dialog]") === null && focusTile(board, tileId), 80);
  };

  return (
    <BoardContextProvider value={board}>
      <ZoneContextProvider value={tools}>
        <main aria-label={name} className="flex h-full min-h-0">
          <div className="relative flex min-w-0 flex-1 flex-col">
            <h1 className="sr-only">{name}</h1>
            {tiles.length > 0 && (
              <Toolbar
                view={view}
                onChange={setView}
                failed={failed.length}
                onRetryFailed={() => actions.retry(failed)}
                isOpen={isFilterOpen}
              />
            )}
            <DragLayer>
              <ColumnRow
                columns={columns}
                isFiltered={isFiltered(shownView)}
                isEmpty={zones.length === 0 && all.length === 0}
                onShowAll={() => setView({ ...DEFAULT_VIEW, sorting: view.sorting })}
                onFilter={() => setFilterOpen((isOpen) => !isOpen)}
                isAddingZone={isAddingZone}
                onAddZone={setAddingZone}
              />
            </DragLayer>
            <SelectionBar />
          </div>
          {side === "ask" && slots.renderAsk({ boardId, chosen, onOpenTile: openTile, onClose: close })}
        </main>
        {opened.tileId !== null &&
          slots.renderReader({ tileId: opened.tileId, onClose: closeTile(opened.tileId), ...quoteProps(opened.quote) })}
        {(side === "palette" || side === "help") &&
          slots.renderPalette({ boardId, isHelp: side === "help", takeTyped, onOpenTile: openTile, onClose: close })}
        {popup !== null && <BoardPopups popup={popup} onClose={() => setPopup((now) => (now === popup ? null : now))} />}
        <div ref={liveRegion} aria-live="assertive" className="sr-only" />
      </ZoneContextProvider>
    </BoardContextProvider>
  );
}

const useOwnOrder = (setView: (change: (view: View) => View) => void): (() => void) =>
  useCallback(() => setView((view) => ({ ...view, sorting: "own" })), [setView]);

/** The tiles with placeholders for those being created, until the server's rows contain them. */
function withPending(tiles: readonly BoardTile[], pending: readonly PendingTile[]): readonly BoardTile[] {
  if (pending.length === 0) return tiles;
  const ids = new Set(tiles.map(({ id }) => id));
  return [...tiles, ...pending.filter(({ createdId: becomes }) => becomes === undefined || !ids.has(becomes))];
}

const quoteProps = (quote: Quote | undefined): { readonly quote?: Quote } => (quote === undefined ? {} : { quote });
