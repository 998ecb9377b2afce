import { type MouseEvent, memo } from "react";
import { getThumbnailUrl } from "../../api/tiles/thumbnails.ts";
import { isRightToLeft } from "../../text/direction.ts";
import { cn } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { MoreIcon } from "../../ui/icons/icons.tsx";
import { useBoard } from "../board-context.ts";
import { DragHandle } from "./drag-handle.tsx";
import { extendSelection, toggleTile } from "../model/selection.ts";
import { type BoardTile, isPlaceholder } from "../model/tile.ts";
import { useStore } from "../use-store.ts";
import { CardDetails } from "./card-details.tsx";
import { CardThumbnail, isVideoTile } from "./card-thumbnail.tsx";
import { CardStatus } from "./card-status.tsx";
import { CardWarning } from "./card-warning.tsx";
import { KindIcon } from "./kind-icon.tsx";
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
  const isAnySelected = useStore(board.selection, ({ ids }) => ids.size > 0);
  const isDragged = useStore(board.drag, (drag) => drag?.ids.includes(tile.id) ?? false);
  const isTarget = useStore(board.drag, (drag) => drag?.target?.beforeId === tile.id && drag.target.columnId === columnId);
  const onKeyDown = useCardKeys(tile, columnId, index);
  const tabIndex = isStop ? 0 : -1;
  const isNew = isPlaceholder(tile.id);
  const picture = isNew ? null : getThumbnailUrl(board.boardId, tile);
  const isVideo = picture !== null && isVideoTile(tile);

  return (
    <article
      data-tile={tile.id}
      onFocus={() => onFocus(tile.id)}
      onContextMenu={(event) => {
        if (isNew || event.shiftKey || window.getSelection()?.isCollapsed === false) return;
        event.preventDefault();
        // A long press that starts a drag also fires a context menu event.
        if (board.drag.get() !== null) return;
        board.openMenu(tile, event.currentTarget.querySelector<HTMLElement>("[data-more]") ?? event.currentTarget);
      }}
      className={cn(
        "group relative rounded-lg border py-2 pr-2.5 pl-3 pointer-coarse:pr-0.5 shadow-card transition-colors",
        isSelected ? "border-accent bg-accent-soft" : "border-line bg-raised hover:border-edge",
        isDragged && "opacity-45",
        isNew && "opacity-70",
        picture !== null && "grid grid-cols-[minmax(0,1fr)_auto] grid-rows-[auto_1fr] gap-x-2.5 pointer-coarse:gap-y-0.5",
      )}
    >
      {isTarget && <span className="pointer-events-none absolute inset-x-0 -top-1.5 h-1 rounded-full bg-accent" />}
      {picture !== null && <CardThumbnail tile={tile} address={picture} />}
      <div className={cn("flex items-start gap-2", picture !== null && "pointer-coarse:col-span-2", isVideo && "above:col-span-2")}>
        <span className="relative flex size-5 shrink-0 items-center justify-center pointer-coarse:size-6">
          <KindIcon
            type={tile.type}
            className={cn("text-quiet group-focus-within:opacity-0 pointer-fine:group-hover:opacity-0", isAnySelected && "opacity-0")}
          />
          <label
            className={cn(
              "absolute -inset-2 z-10 flex items-center justify-center pointer-coarse:-inset-2.5",
              "opacity-0 group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100",
              isAnySelected && "opacity-100",
            )}
          >
            <input
              type="checkbox"
              checked={isSelected}
              tabIndex={tabIndex}
              disabled={isNew}
              aria-label={`Select ${tile.title}`}
              onChange={() => undefined}
              onClick={choose}
              onKeyDown={onKeyDown}
              className="size-4 accent-accent"
            />
          </label>
        </span>
        <button
          type="button"
          data-title
          tabIndex={tabIndex}
          aria-disabled={isNew || undefined}
          onClick={open}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 pb-0.5 text-left font-medium after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <span dir="auto" className="line-clamp-2 break-words text-start">
            {tile.title}
          </span>
        </button>
        <span
          className={cn(
            // Overlaps the end of the title, which has the full width while the pointer is elsewhere.
            "relative z-10 -my-0.5 pointer-coarse:-my-2 flex shrink-0 items-center rounded-md pointer-fine:absolute pointer-fine:top-1.5 pointer-fine:my-0",
            // A right-to-left title ends on the other side, next to the checkbox.
            isRightToLeft(tile.title)
              ? "pointer-fine:left-10"
              : picture === null
                ? "pointer-fine:right-1"
                : isVideo
                  ? "pointer-fine:right-19 above:pointer-fine:right-1 @min-[25rem]/cards:pointer-fine:right-33"
                  : "pointer-fine:right-19",
            "pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100",
            isSelected ? "pointer-fine:bg-accent-soft" : "pointer-fine:bg-raised",
            isNew && "invisible",
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
      </div>
      <div className={cn("pl-7 pointer-coarse:pr-2 pointer-coarse:pl-8", isVideo && "above:col-span-2")}>
        <div className="flex items-start gap-1">
          <CardDetails tile={tile} hidesLength={isVideo} />
          <CardWarning tile={tile} columnId={columnId} index={index} tabIndex={tabIndex} />
        </div>
        <CardStatus tile={tile} />
      </div>
    </article>
  );

  function open(event: MouseEvent): void {
    if (isNew) return;
    if (event.shiftKey || event.metaKey || event.ctrlKey) choose(event);
    else board.openTile(tile.id);
  }

  function choose(event: MouseEvent): void {
    const column = board.columns().find(({ id }) => id === columnId);
    const ids = column?.tiles.map(({ id }) => id) ?? [];
    board.selection.set((selection) => (event.shiftKey ? extendSelection(selection, tile.id, ids) : toggleTile(selection, tile.id)));
  }
});
