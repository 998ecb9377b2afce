import { type RefObject, useMemo } from "react";
import type { OpenTile } from "../../text/quote.ts";
import { useSortingNotice } from "../actions/use-sorting-notice.ts";
import { useLoadColumn } from "../actions/use-load-column.ts";
import { useTileActions } from "../actions/use-tile-actions.ts";
import type { Undo } from "../actions/use-undo.ts";
import type { BoardContext } from "../board-context.ts";
import type { BoardFocus } from "../model/place.ts";
import type { OpenPopup } from "../popups/popup.ts";
import type { BoardContent } from "./use-board-columns.ts";

type Options = {
  readonly boardId: string;
  readonly columns: BoardContent;
  readonly undo: Undo;
  readonly focus: BoardFocus;
  readonly liveRegion: RefObject<HTMLElement | null>;
  // These functions must be stable.
  readonly setManualOrder: () => void;
  readonly setPopup: (popup: OpenPopup) => void;
  readonly openTile: OpenTile;
  readonly filterByTag: (tag: string) => void;
  readonly openGenerate: (ids: readonly string[]) => void;
};

/** The context of a board. It is stable while the board is open, so that cards render only when their tile changes. */
export function useBoardContextValue(options: Options): BoardContext {
  const { boardId, columns, undo, focus, liveRegion, setManualOrder, setPopup, openTile, filterByTag, openGenerate } = options;
  const { stores, snapshot } = columns;
  const { columns: getColumns, isManualOrder, sortedBy } = snapshot;
  const explainSorting = useSortingNotice(sortedBy, setManualOrder);
  const load = useLoadColumn(boardId, getColumns);
  const actions = useTileActions(boardId, { ...snapshot, load }, stores.selection, stores, undo);
  return useMemo(
    () => ({
      boardId,
      actions,
      selection: stores.selection,
      drag: stores.drag,
      uploads: stores.uploads,
      focus,
      handles: stores.handles,
      load,
      columns: getColumns,
      isManualOrder,
      sortedBy,
      explainSorting,
      openTile,
      openMenu: (tile, button) => setPopup({ kind: "card-menu", tile, button }),
      openMove: (ids) => setPopup({ kind: "move", ids }),
      openTags: (ids) => setPopup({ kind: "tags", ids }),
      filterByTag,
      openPasteText: (tile) => setPopup({ kind: "paste-text", tile }),
      openGenerate,
      announce: (sentence) => {
        if (liveRegion.current !== null) liveRegion.current.textContent = sentence;
      },
    }),
    [
      boardId,
      actions,
      focus,
      stores,
      load,
      getColumns,
      isManualOrder,
      sortedBy,
      explainSorting,
      openTile,
      filterByTag,
      openGenerate,
      setPopup,
      liveRegion,
    ],
  );
}
