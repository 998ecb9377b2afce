import { useTileProgress } from "../../api/tiles/progress.ts";
import { standingOf } from "../../text/standing.ts";
import { Button } from "../../ui/controls/button.tsx";
import { cn } from "../../ui/class-names.ts";
import { Elapsed } from "../../ui/time/elapsed.tsx";
import { ClockIcon, WarningIcon } from "../../ui/marks/icons.tsx";
import { Spinner } from "../../ui/marks/spinner.tsx";
import { tipProps } from "../../ui/controls/tooltip.tsx";
import { useBoard } from "../board-context.ts";
import { type BoardTile, isSaving } from "../model/tile.ts";

/** What is happening to a tile, or why nothing could be had from it and what to do; nothing for one that is ready. */
export function CardState({ tile }: { readonly tile: BoardTile }) {
  if (tile.status === "processing") return <Processing tile={tile} />;
  if (tile.status === "failed") return <Failed tile={tile} />;
  return null;
}

function Processing({ tile }: { readonly tile: BoardTile }) {
  const { boardId, openTile } = useBoard();
  const isNew = isSaving(tile.id);
  const { words, isWaiting, attempt, reason, since } = standingOf(tile, useTileProgress(boardId, tile.id));
  return (
    <p className={cn("mt-1.5 flex items-center gap-1.5 text-sm", isWaiting && !isNew ? "text-quiet" : "text-accent")}>
      {isWaiting && !isNew ? <ClockIcon /> : <Spinner />}
      <span className="truncate">{isNew ? "Saving" : words}…</span>
      {!isNew && (attempt !== null || reason !== null) && (
        // Above what opens the tile, so that the reason shows on pointing at it; a click opens the tile all the same.
        <span
          {...(reason !== null && tipProps(reason))}
          onClick={() => openTile(tile.id)}
          className="relative z-10 flex shrink-0 cursor-pointer items-center gap-1 text-quiet"
        >
          {reason !== null && <WarningIcon className="size-3.5 text-warn" />}
          {attempt}
          {reason !== null && <span className="sr-only">. The last try failed: {reason}</span>}
        </span>
      )}
      {!isNew && <Elapsed since={since} />}
    </p>
  );
}

function Failed({ tile }: { readonly tile: BoardTile }) {
  const { actions, openPasteText } = useBoard();
  return (
    <div className="mt-1.5 flex flex-col gap-2">
      <p className="flex gap-1.5 text-sm text-danger">
        <WarningIcon className="mt-px" />
        <span dir="auto" className="line-clamp-4 min-w-0 break-words">
          {tile.error?.message ?? "Nothing could be read from this."}
        </span>
      </p>
      <div className="relative flex flex-wrap gap-1.5">
        <Button size="sm" onClick={() => actions.retry([tile.id])}>
          Retry
        </Button>
        <Button size="sm" variant="quiet" onClick={() => openPasteText(tile)}>
          Paste the text instead
        </Button>
      </div>
    </div>
  );
}
