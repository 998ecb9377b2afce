import { useDroppable } from "@dnd-kit/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { cn } from "../../ui/class-names.ts";
import { useBoard } from "../board-context.ts";
import { Card } from "../card/card.tsx";
import type { BoardColumn, BoardTile } from "../model/tile.ts";
import { useLatest } from "../../ui/hooks/use-latest.ts";
import { useStore } from "../model/store.ts";
import { ColumnEnd } from "./column-end.tsx";
import { ColumnEmpty } from "./column-empty.tsx";

type ColumnBodyProps = { readonly column: BoardColumn; readonly isFiltered: boolean; readonly onEmptyFocus: () => void };

/** The virtualised, scrolling list of cards of a column. */
export function ColumnBody({ column, isFiltered, onEmptyFocus }: ColumnBodyProps) {
  const board = useBoard();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { setNodeRef } = useDroppable({ id: column.id });
  const [stopId, setStopId] = useState<string | null>(null);
  const { tiles } = column;
  const stop = Math.max(0, indexOf(tiles, stopId));
  const dragged = useStore(board.drag, (drag) => drag?.ids[0] ?? null);
  const isEnd = useStore(board.drag, (drag) => drag?.target?.columnId === column.id && drag.target.beforeId === null);

  const latest = useLatest({ tiles, stop, onEmptyFocus });
  const focus = useCallback(
    (index: number) => {
      const tile = latest().tiles[index];
      if (tile === undefined) return latest().onEmptyFocus();
      setStopId(tile.id);
      // The card that has the focus may be unmounted before this one is rendered.
      board.focus.expect({ tileId: tile.id });
      list.current?.scrollToIndex(index, { align: "nearest" });
      focusTitle(scroller.current, tile.id);
    },
    [board, latest],
  );
  useEffect(() => {
    const { handles } = board;
    const reveal = (index: number): void => list.current?.scrollToIndex(index, { align: "nearest" });
    handles.set(column.id, { focus, reveal, stop: () => latest().stop });
    return () => void handles.delete(column.id);
  }, [board, column.id, focus, latest]);

  const mounted = useMemo(() => findMounted(tiles, dragged, stop), [tiles, dragged, stop]);

  return (
    // Without scroll anchors, since the browser would keep the end of the list in view while tiles are added above it.
    <div
      ref={scroller}
      data-scroller
      className="relative min-h-24 flex-1 overflow-y-auto overscroll-y-contain px-2 pb-2 [overflow-anchor:none]"
    >
      <div ref={setNodeRef} className="@container/cards relative">
        {tiles.length === 0 && column.loaded === "all" && <ColumnEmpty column={column} isFiltered={isFiltered} />}
        <Virtualizer ref={list} scrollRef={scroller} data={tiles} as="ul" item="li" bufferSize={240} keepMounted={mounted}>
          {(tile, index) => (
            <div key={tile.id} className="pt-2">
              <Card tile={tile} columnId={column.id} index={index} isStop={index === stop} onFocus={setStopId} />
            </div>
          )}
        </Virtualizer>
        {column.loaded !== "all" && <ColumnEnd column={column} />}
        <div className={cn("mt-1.5 h-1 rounded-full", isEnd && "bg-accent")} />
      </div>
    </div>
  );
}

const indexOf = (tiles: BoardColumn["tiles"], tileId: string | null): number => tiles.findIndex(({ id }) => id === tileId);

/** The indexes of cards that stay mounted: the dragged one, because it receives the pointer events, and the one where Tab stops. */
function findMounted(tiles: readonly BoardTile[], dragged: string | null, stop: number): readonly number[] {
  const draggedAt = indexOf(tiles, dragged);
  return tiles.length === 0 ? [] : draggedAt < 0 ? [stop] : [...new Set([stop, draggedAt])].sort((a, b) => a - b);
}

/** Maximum number of frames until a distant card is rendered and measured on a busy machine. */
const MAX_FRAMES = 120;

/** Focuses a card once it is rendered and measured; stops if the focus moves elsewhere. */
function focusTitle(scroller: HTMLElement | null, tileId: string, from = document.activeElement, frames = MAX_FRAMES): void {
  if (document.activeElement !== from && document.activeElement !== document.body) return;
  const title = scroller?.querySelector<HTMLElement>(`[data-tile="${CSS.escape(tileId)}"] [data-title]`);
  title?.focus({ preventScroll: true });
  if (frames > 0 && (title == null || document.activeElement !== title))
    requestAnimationFrame(() => focusTitle(scroller, tileId, from, frames - 1));
}
