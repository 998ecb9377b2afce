import { TagButton } from "../../ui/tags/tag-chip.tsx";
import { useBoard } from "../board-context.ts";
import type { BoardTile } from "../model/tile.ts";
import { useCardKeys } from "./use-card-keys.ts";

/** The other tags are in the reader, so that cards stay low. */
const MAX_SHOWN = 4;

export type CardTagsProps = { readonly tile: BoardTile; readonly columnId: string; readonly index: number; readonly tabIndex: number };

/** The first tags of a tile. Each filters the board. */
export function CardTags({ tile, columnId, index, tabIndex }: CardTagsProps) {
  const board = useBoard();
  const onKeyDown = useCardKeys(tile, columnId, index);
  if (tile.tags.length === 0) return null;
  const hidden = tile.tags.length - MAX_SHOWN;
  return (
    <div role="group" aria-label="Tags" className="mt-1 flex flex-wrap gap-1 pointer-coarse:gap-y-2.5">
      {tile.tags.slice(0, MAX_SHOWN).map((tag) => (
        <TagButton
          key={tag}
          tag={tag}
          tabIndex={tabIndex}
          aria-label={`Show tiles tagged ${tag}`}
          onClick={() => board.filterByTag(tag)}
          onKeyDown={onKeyDown}
          className="z-10"
        />
      ))}
      {hidden > 0 && <span className="self-center text-xs text-quiet">+{hidden}</span>}
    </div>
  );
}
