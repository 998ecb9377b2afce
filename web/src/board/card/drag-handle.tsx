import { useDraggable } from "@dnd-kit/core";
import type { KeyboardEvent } from "react";
import { cn } from "../../ui/class-names.ts";
import { iconButtonClasses } from "../../ui/controls/icon-button.tsx";
import { GripIcon } from "../../ui/icons/icons.ts";
import { useBoard } from "../board-context.ts";
import { useCardKeys } from "./use-card-keys.ts";
import type { BoardTile } from "../model/tile.ts";
import { startKeyboardDrag } from "../drag/keyboard-drag.ts";

type DragHandleProps = { readonly tile: BoardTile; readonly columnId: string; readonly index: number; readonly tabIndex: number };

/** The drag handle of a tile for mouse, touch and the Space key. */
export function DragHandle({ tile, columnId, index, tabIndex }: DragHandleProps) {
  const board = useBoard();
  const { setNodeRef, listeners, attributes } = useDraggable({ id: tile.id, data: { title: tile.title } });
  const onCardKey = useCardKeys(tile, columnId, index);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== " " && event.key !== "Enter") return onCardKey(event);
    event.preventDefault();
    event.stopPropagation();
    startKeyboardDrag(board, tile, columnId);
  };
  return (
    <button
      ref={setNodeRef}
      type="button"
      {...listeners}
      onKeyDown={onKeyDown}
      tabIndex={tabIndex}
      aria-label={`Move ${tile.title}`}
      aria-roledescription="drag handle"
      aria-describedby={attributes["aria-describedby"]}
      className={cn(iconButtonClasses("sm"), "w-5 cursor-grab touch-none active:cursor-grabbing")}
    >
      <GripIcon />
    </button>
  );
}
