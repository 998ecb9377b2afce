import { tooltipProps } from "../../ui/controls/tooltip.tsx";
import { WarningIcon } from "../../ui/icons/icons.ts";
import { useBoard } from "../board-context.ts";
import type { BoardTile } from "../model/tile.ts";
import { useCardKeys } from "./use-card-keys.ts";

export type CardWarningProps = { readonly tile: BoardTile; readonly columnId: string; readonly index: number; readonly tabIndex: number };

/** An icon for a tile whose text may be incomplete, with the reason as its name and tooltip. It opens the tile. */
export function CardWarning({ tile, columnId, index, tabIndex }: CardWarningProps) {
  const board = useBoard();
  const onKeyDown = useCardKeys(tile, columnId, index);
  const { status, warnings = [] } = tile;
  if (status !== "ready" || warnings.length === 0) return null;
  const reason = warnings.map(({ message }) => message).join(" ");
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={`Warning: ${reason}`}
      {...tooltipProps(reason)}
      onClick={() => board.openTile(tile.id)}
      onKeyDown={onKeyDown}
      // The touch target is larger than the icon without taking more space.
      className="relative z-10 -my-1 inline-flex size-6 shrink-0 items-center justify-center rounded-md text-warn hover:bg-hover pointer-coarse:-my-3 pointer-coarse:size-11"
    >
      <WarningIcon />
    </button>
  );
}
