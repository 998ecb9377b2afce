import type { ZoneSummary } from "@tessera-board/sdk";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useBoards } from "../../api/boards.ts";
import { lazyView } from "../../ui/lazy/lazy-view.tsx";
import { defineLazyModule } from "../../ui/lazy/lazy-module.ts";
import { usePreload } from "../../ui/lazy/use-preload.ts";
import { loadMenus } from "../../ui/floating/menu.tsx";
import { useTileHistory } from "../actions/use-tile-history.ts";
import { useUndo } from "../actions/use-undo.ts";
import { useView } from "../actions/use-view.ts";
import { useZoneActions } from "../actions/use-zone-actions.ts";
import { BoardContextProvider } from "../board-context.ts";
import type { BoardSlots } from "../board-slots.ts";
import type { BoardTile } from "../model/tile.ts";
import type { OpenPopup } from "../popups/popup.ts";
import { ZoneContextProvider } from "../zone-context.ts";
import { BoardColumns } from "./board-columns.tsx";
import { useBoardColumns } from "./use-board-columns.ts";
import { useBoardContextValue } from "./use-board-context-value.ts";
import { useBoardFocus } from "../input/board-focus.ts";
import { useBoardInput } from "../input/use-board-input.ts";
import { useBoardPanels } from "./use-board-panels.ts";
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

/** A loaded board: columns, toolbar, panels and popups. */
export function BoardView({ boardId, zones, tiles, slots }: BoardViewProps) {
  const { view, setView, setManualOrder, filterByTag } = useView();
  const [popup, setPopup] = useState<OpenPopup | null>(null);
  const [isAddingZone, setAddingZone] = useState(false);
  const name = useBoards().data?.find(({ id }) => id === boardId)?.name ?? "Board";
  const liveRegion = useRef<HTMLDivElement>(null);
  const panels = useBoardPanels();
  const { tileId, quote, open: openTile, close: closeTile } = useOpenTile();
  const columns = useBoardColumns(boardId, zones, tiles, view);
  const focus = useBoardFocus(columns.snapshot.columns, columns.stores.handles);
  const undo = useUndo(focus);
  const { openGenerate } = panels;
  const board = useBoardContextValue({
    boardId,
    columns,
    undo,
    focus,
    liveRegion,
    setManualOrder,
    setPopup,
    openTile,
    filterByTag,
    openGenerate,
  });
  const history = useTileHistory(boardId, undo);
  const zoneActions = useZoneActions(boardId, columns.snapshot.columns, undo);
  const zoneContext = useMemo(() => ({ actions: zoneActions, open: setPopup }), [zoneActions]);
  usePreload();
  useBoardInput(board, undo, () => setAddingZone(true));

  useLayoutEffect(() => {
    if (tileId === null) return undefined;
    // The reader returns the focus to what opened it, such as a quote; if that is gone, focus the tile's card.
    return () => focus.expect({ tileId });
  }, [focus, tileId]);
  const slot = { boardId, onOpenTile: openTile, onClose: panels.close };
  return (
    <BoardContextProvider value={board}>
      <ZoneContextProvider value={zoneContext}>
        <main aria-label={name} className="flex h-full min-h-0">
          <BoardColumns
            {...{ name, zones, tiles, columns, view, isAddingZone, slots }}
            isAskOpen={panels.open === "ask"}
            onView={setView}
            onAddZone={setAddingZone}
          />
          {panels.open === "ask" && slots.renderAsk({ ...slot, chosen: panels.chosen })}
        </main>
        {tileId !== null &&
          slots.renderReader({ tileId, history, onTag: filterByTag, onClose: closeTile, ...(quote !== undefined && { quote }) })}
        {(panels.open === "palette" || panels.open === "help") &&
          slots.renderPalette({ ...slot, isHelp: panels.open === "help", takeTyped: panels.takeTyped })}
        {popup !== null && <BoardPopups popup={popup} onClose={() => setPopup((now) => (now === popup ? null : now))} />}
        <div ref={liveRegion} aria-live="assertive" className="sr-only" />
      </ZoneContextProvider>
    </BoardContextProvider>
  );
}
