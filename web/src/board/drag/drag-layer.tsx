import {
  type Announcements,
  type CollisionDetection,
  DndContext,
  DragOverlay,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { type DropTarget, getTargetIds, useBoard } from "../board-context.ts";
import { formatCount } from "../../text/plural.ts";
import { truncate } from "../model/format.ts";
import { useStore } from "../model/store.ts";
import { findCentredColumn, isPaged, scrollToColumn } from "../column/row-scroll.ts";
import { createEdgePager } from "./edge-pager.ts";
import { HANDLE_HELP } from "./keyboard-drag.ts";
import { findDropTarget } from "./drop-target.ts";

/** The board has its own live region, so the library's announcements are turned off. */
const NO_ANNOUNCEMENTS: Announcements = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** A row that snaps to columns would be scrolled by a whole one at each step: there, `useEdgePaging` does it. */
const AUTO_SCROLL = { canScroll: (element: Element): boolean => !isPaged(element) };

/** Dragging tiles by their handles with mouse or touch. */
export function DragLayer({ children }: { readonly children: ReactNode }) {
  const board = useBoard();
  const pointer = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 120, tolerance: 8 } }),
  );
  const detect: CollisionDetection = useCallback((state) => {
    pointer.current = state.pointerCoordinates;
    return pointerWithin(state);
  }, []);
  const paging = useEdgePaging();

  return (
    <DndContext
      sensors={sensors}
      autoScroll={AUTO_SCROLL}
      collisionDetection={detect}
      accessibility={{ announcements: NO_ANNOUNCEMENTS, screenReaderInstructions: { draggable: HANDLE_HELP } }}
      onDragStart={({ active }) => {
        const ids = getTargetIds(board, String(active.id));
        board.drag.set({ ids, target: null, by: "pointer" });
        board.announce(`${ids.length === 1 ? "The tile" : formatCount(ids.length, "tile")} picked up.`);
      }}
      onDragMove={() => {
        if (pointer.current === null) return;
        paging.move(pointer.current.x);
        setDropTarget(findDropTarget(board, pointer.current.x, pointer.current.y));
      }}
      onDragEnd={() => {
        paging.stop();
        const drag = board.drag.get();
        board.drag.set(null);
        if (!drag?.target) return;
        const { ids, target } = drag;
        const column = board.columns().find(({ id }) => id === target.columnId);
        if (!board.isManualOrder() && ids.every((id) => column?.tiles.some((tile) => tile.id === id))) return board.explainSorting();
        board.actions.move(ids, target);
      }}
      onDragCancel={() => {
        paging.stop();
        board.drag.set(null);
      }}
    >
      {children}
      <Overlay />
    </DndContext>
  );

  /** Updates the drop target; keeps the object if the target is the same, to avoid rendering. */
  function setDropTarget(target: DropTarget | null): void {
    board.drag.set((drag) => {
      if (drag === null) return drag;
      const isSame = drag.target?.columnId === target?.columnId && drag.target?.beforeId === target?.beforeId;
      return isSame ? drag : { ...drag, target };
    });
  }
}

/** Where the row shows one column at a time, a tile that is held at its edge brings the next one. */
function useEdgePaging(): { readonly move: (x: number) => void; readonly stop: () => void } {
  const [pager] = useState(() =>
    createEdgePager((step) => {
      const column = findRow() && findCentredColumn(findRow() as HTMLElement);
      scrollToColumn(step === 1 ? column?.nextElementSibling : column?.previousElementSibling);
    }),
  );
  useEffect(() => pager.stop, [pager]);
  return {
    move: (x) => {
      const row = findRow();
      if (row !== null && isPaged(row)) pager.move(x, row.getBoundingClientRect());
    },
    stop: pager.stop,
  };
}

const findRow = (): HTMLElement | null => document.querySelector<HTMLElement>("[data-column]")?.parentElement ?? null;

/** The card that follows the pointer. */
function Overlay() {
  const board = useBoard();
  const drag = useStore(board.drag, (value) => (value?.by === "pointer" ? value : null));
  const first =
    drag === null
      ? undefined
      : board
          .columns()
          .flatMap(({ tiles }) => tiles)
          .find(({ id }) => id === drag.ids[0]);
  return (
    <DragOverlay dropAnimation={null}>
      {drag !== null && first !== undefined && (
        <div className="flex w-64 max-w-[70vw] cursor-grabbing items-center gap-2 rounded-lg border border-accent bg-raised px-3 py-2 font-medium shadow-float">
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {truncate(first.title)}
          </span>
          {drag.ids.length > 1 && <span className="rounded-full bg-accent px-2 text-sm text-accent-ink">{drag.ids.length}</span>}
        </div>
      )}
    </DragOverlay>
  );
}
