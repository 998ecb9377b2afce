import type { KeyboardEvent, MouseEvent } from "react";
import { cn } from "../../ui/class-names.ts";
import { useBoard } from "../board-context.ts";
import { type BoardTile, isPlaceholder } from "../model/tile.ts";
import { useStore } from "../model/store.ts";
import { KindIcon } from "../../ui/icons/kind-icon.tsx";

type CardCheckboxProps = {
  readonly tile: BoardTile;
  readonly tabIndex: number;
  readonly onChoose: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/** The icon of a tile's kind. A checkbox replaces it on hover, on focus, and while tiles are selected. */
export function CardCheckbox({ tile, tabIndex, onChoose, onKeyDown }: CardCheckboxProps) {
  const { selection } = useBoard();
  const isSelected = useStore(selection, ({ ids }) => ids.has(tile.id));
  const isAnySelected = useStore(selection, ({ ids }) => ids.size > 0);
  return (
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
          disabled={isPlaceholder(tile.id)}
          aria-label={`Select ${tile.title}`}
          onChange={() => undefined}
          onClick={onChoose}
          onKeyDown={onKeyDown}
          className="size-4 accent-accent"
        />
      </label>
    </span>
  );
}
