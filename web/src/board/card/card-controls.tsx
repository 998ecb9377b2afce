import type { KeyboardEvent } from "react";
import { isRightToLeft } from "../../text/direction.ts";
import { cn } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { MoreIcon } from "../../ui/icons/icons.ts";
import { useBoard } from "../board-context.ts";
import { type BoardTile, isPlaceholder } from "../model/tile.ts";
import { useStore } from "../model/store.ts";
import { DragHandle } from "./drag-handle.tsx";

type CardControlsProps = {
  readonly tile: BoardTile;
  readonly columnId: string;
  readonly index: number;
  readonly tabIndex: number;
  readonly thumbnail: "none" | "small" | "video";
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

const OFFSETS = {
  none: "pointer-fine:right-1",
  small: "pointer-fine:right-19",
  video: "pointer-fine:right-19 above:pointer-fine:right-1 @min-[25rem]/cards:pointer-fine:right-33",
} as const;

/** The drag handle and the menu button of a card. */
export function CardControls({ tile, columnId, index, tabIndex, thumbnail, onKeyDown }: CardControlsProps) {
  const board = useBoard();
  const isSelected = useStore(board.selection, ({ ids }) => ids.has(tile.id));
  return (
    <span
      className={cn(
        // Overlaps the end of the title, which has the full width while the pointer is elsewhere.
        "relative z-10 -my-0.5 pointer-coarse:-my-2 flex shrink-0 items-center rounded-md pointer-fine:absolute pointer-fine:top-1.5 pointer-fine:my-0",
        // A right-to-left title ends on the other side, next to the checkbox.
        isRightToLeft(tile.title) ? "pointer-fine:left-10" : OFFSETS[thumbnail],
        "pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100",
        isSelected ? "pointer-fine:bg-accent-soft" : "pointer-fine:bg-raised",
        isPlaceholder(tile.id) && "invisible",
      )}
    >
      <DragHandle tile={tile} columnId={columnId} index={index} tabIndex={tabIndex} />
      <IconButton
        label={`Actions for ${tile.title}`}
        hasTooltip={false}
        size="sm"
        tabIndex={tabIndex}
        data-more
        aria-haspopup="menu"
        onClick={(event) => board.openMenu(tile, event.currentTarget)}
        onKeyDown={onKeyDown}
      >
        <MoreIcon />
      </IconButton>
    </span>
  );
}
