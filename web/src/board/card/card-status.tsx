import { useTileProgress } from "../../api/tiles/progress.ts";
import { canRetryNow, getStatusLabel } from "../../text/status-label.ts";
import { Button } from "../../ui/controls/button.tsx";
import { cn } from "../../ui/class-names.ts";
import { ElapsedTime } from "../../ui/time/elapsed-time.tsx";
import { ClockIcon, WarningIcon } from "../../ui/icons/icons.ts";
import { Spinner } from "../../ui/icons/spinner.tsx";
import { tooltipProps } from "../../ui/controls/tooltip.tsx";
import { useBoard } from "../board-context.ts";
import { type BoardTile, isPlaceholder } from "../model/tile.ts";
import { useStore } from "../model/store.ts";

/** The progress of a tile, or its error and what to do; nothing for a ready tile. */
export function CardStatus({ tile }: { readonly tile: BoardTile }) {
  if (isPlaceholder(tile.id)) return <Saving tile={tile} />;
  if (tile.status === "processing") return <Processing tile={tile} />;
  if (tile.status === "failed") return <Failed tile={tile} />;
  return null;
}

/** A tile that the server has not created yet; a file shows its upload progress and can be cancelled. */
function Saving({ tile }: { readonly tile: BoardTile }) {
  const upload = useStore(useBoard().uploads, (uploads) => uploads.get(tile.id));
  const percent = upload === undefined ? 0 : Math.floor(upload.sent * 100);
  return (
    <div className="mt-1.5 flex items-center gap-2 text-sm text-accent">
      <span className="flex items-center gap-1.5 whitespace-nowrap">
        <Spinner />
        {upload === undefined || percent === 100 ? "Saving…" : `Uploading, ${percent} %`}
      </span>
      {upload !== undefined && percent < 100 && (
        <>
          <span
            role="progressbar"
            aria-label={`Upload of ${tile.title}`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            className="h-1.5 min-w-6 flex-1 overflow-hidden rounded-full bg-line"
          >
            <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
          </span>
          <Button size="sm" variant="quiet" className="relative z-10 -my-1" onClick={upload.cancel}>
            Cancel<span className="sr-only"> the upload of {tile.title}</span>
          </Button>
        </>
      )}
    </div>
  );
}

function Processing({ tile }: { readonly tile: BoardTile }) {
  const { boardId, openTile } = useBoard();
  const { text, isWaiting, attempt, reason, since } = getStatusLabel(tile, useTileProgress(boardId, tile.id));
  return (
    <p className={cn("mt-1.5 flex items-center gap-1.5 text-sm", isWaiting ? "text-quiet" : "text-accent")}>
      {isWaiting ? <ClockIcon /> : <Spinner />}
      <span className="truncate">{text}…</span>
      {(attempt !== null || reason !== null) && (
        // Above the card's click target so that the tooltip works; a click still opens the tile.
        <span
          {...(reason !== null && tooltipProps(reason))}
          onClick={() => openTile(tile.id)}
          className="relative z-10 flex shrink-0 cursor-pointer items-center gap-1 text-quiet"
        >
          {reason !== null && <WarningIcon className="text-warn" />}
          {attempt}
          {reason !== null && <span className="sr-only">. The last attempt failed: {reason}</span>}
        </span>
      )}
      <ElapsedTime since={since} />
    </p>
  );
}

function Failed({ tile }: { readonly tile: BoardTile }) {
  const { actions, openPasteText } = useBoard();
  const canRetry = canRetryNow(tile.error);
  return (
    <div className="mt-1.5 flex flex-col gap-2">
      <p className="flex gap-1.5 text-sm text-danger">
        <WarningIcon className="mt-px" />
        <span dir="auto" className="line-clamp-6 min-w-0 break-words">
          {tile.error?.message ?? "No text could be extracted."}
        </span>
      </p>
      <div className="relative flex flex-wrap gap-1.5">
        {canRetry && (
          <Button size="sm" onClick={() => actions.retry([tile.id])}>
            Retry
          </Button>
        )}
        <Button size="sm" variant={canRetry ? "quiet" : "plain"} onClick={() => openPasteText(tile)}>
          Paste text instead
        </Button>
      </div>
    </div>
  );
}
