import { type MouseEvent, memo } from "react";
import { getThumbnailUrl } from "../../api/tiles/thumbnails.ts";
import { cn } from "../../ui/class-names.ts";
import { type BoardContext, useBoard } from "../board-context.ts";
import { extendSelection, toggleTile } from "../model/selection.ts";
import { type BoardTile, isPlaceholder } from "../model/tile.ts";
import { useStore } from "../model/store.ts";
import { CardCheckbox } from "./card-checkbox.tsx";
import { CardControls } from "./card-controls.tsx";
import { CardDetails } from "./card-details.tsx";
import { CardThumbnail, isVideoTile } from "./card-thumbnail.tsx";
import { CardStatus } from "./card-status.tsx";
import { CardTags } from "./card-tags.tsx";
import { CardWarning } from "./card-warning.tsx";
import { useCardKeys } from "./use-card-keys.ts";

export type CardProps = {
  readonly tile: BoardTile;
  readonly columnId: string;
  readonly index: number;
  /** Whether Tab stops at this card (roving tabindex); one card per column. */
  readonly isStop: boolean;
  readonly onFocus: (tileId: string) => void;
};

/** The card of a tile. A click anywhere opens the tile, except on the controls above. */
export const Card = memo(function Card({ tile, columnId, index, isStop, onFocus }: CardProps) {
  const board = useBoard();
  const isSelected = useStore(board.selection, ({ ids }) => ids.has(tile.id));
  const isDragged = useStore(board.drag, (drag) => drag?.ids.includes(tile.id) ?? false);
  const isTarget = useStore(board.drag, (drag) => drag?.target?.beforeId === tile.id && drag.target.columnId === columnId);
  const onKeyDown = useCardKeys(tile, columnId, index);
  const tabIndex = isStop ? 0 : -1;
  const isNew = isPlaceholder(tile.id);
  const thumbnailUrl = isNew ? null : getThumbnailUrl(board.boardId, tile);
  const hasThumbnail = thumbnailUrl !== null;
  const isVideo = hasThumbnail && isVideoTile(tile);
  const choose = (event: MouseEvent): void => selectTile(board, tile, columnId, event.shiftKey);

  return (
    <article
      data-tile={tile.id}
      onFocus={() => onFocus(tile.id)}
      onContextMenu={(event) => !isNew && openContextMenu(board, tile, event)}
      className={cn(
        "group relative rounded-lg border py-2 pr-2.5 pl-3 pointer-coarse:pr-0.5 shadow-card transition-colors",
        isSelected ? "border-accent bg-accent-soft" : "border-line bg-raised hover:border-edge",
        isDragged && "opacity-45",
        isNew && "opacity-70",
        hasThumbnail && "grid grid-cols-[minmax(0,1fr)_auto] grid-rows-[auto_1fr] gap-x-2.5 pointer-coarse:gap-y-0.5",
      )}
    >
      {isTarget && <span className="pointer-events-none absolute inset-x-0 -top-1.5 h-1 rounded-full bg-accent" />}
      {hasThumbnail && <CardThumbnail tile={tile} address={thumbnailUrl} />}
      <div className={cn("flex items-start gap-2", hasThumbnail && "pointer-coarse:col-span-2", isVideo && "above:col-span-2")}>
        <CardCheckbox tile={tile} tabIndex={tabIndex} onChoose={choose} onKeyDown={onKeyDown} />
        <button
          type="button"
          data-title
          tabIndex={tabIndex}
          aria-disabled={isNew || undefined}
          onClick={(event) => {
            if (isNew) return;
            if (event.shiftKey || event.metaKey || event.ctrlKey) choose(event);
            else board.openTile(tile.id);
          }}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 pb-0.5 text-left font-medium after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <span dir="auto" className="line-clamp-2 break-words text-start">
            {tile.title}
          </span>
        </button>
        <CardControls {...{ tile, columnId, index, tabIndex, onKeyDown }} thumbnail={isVideo ? "video" : hasThumbnail ? "small" : "none"} />
      </div>
      <div className={cn("pl-7 pointer-coarse:pr-2 pointer-coarse:pl-8", isVideo && "above:col-span-2")}>
        <div className="flex items-start gap-1">
          <CardDetails tile={tile} hidesLength={isVideo} />
          <CardWarning tile={tile} columnId={columnId} index={index} tabIndex={tabIndex} />
        </div>
        <CardStatus tile={tile} />
        <CardTags tile={tile} columnId={columnId} index={index} tabIndex={tabIndex} />
      </div>
    </article>
  );
});

/** Selects or deselects a tile, or extends the selection to it. */
function selectTile(board: BoardContext, tile: BoardTile, columnId: string, isRange: boolean): void {
  const column = board.columns().find(({ id }) => id === columnId);
  const ids = column?.tiles.map(({ id }) => id) ?? [];
  board.selection.set((selection) => (isRange ? extendSelection(selection, tile.id, ids) : toggleTile(selection, tile.id)));
}

/** Opens the tile's menu instead of the browser's, except with Shift or while text is selected. */
function openContextMenu(board: BoardContext, tile: BoardTile, event: MouseEvent<HTMLElement>): void {
  if (event.shiftKey || window.getSelection()?.isCollapsed === false) return;
  event.preventDefault();
  // A long press that starts a drag also fires a context menu event.
  if (board.drag.get() !== null) return;
  board.openMenu(tile, event.currentTarget.querySelector<HTMLElement>("[data-more]") ?? event.currentTarget);
}
