import type { Tile } from "@tessera-board/sdk";
import { useRetryTiles } from "../api/tiles/tiles.ts";
import { canRetryNow } from "../text/status-label.ts";
import { Button } from "../ui/controls/button.tsx";
import { RetryIcon } from "../ui/icons/icons.ts";
import { Notice } from "../ui/states/notice.tsx";
import { ProcessingNotice } from "./processing-notice.tsx";

export type TileNoticesProps = {
  readonly tile: Tile;
  readonly onPaste: () => void;
  readonly isPasting: boolean;
};

/** Shown above the text: progress, error or warnings. */
export function TileNotices({ tile, onPaste, isPasting }: TileNoticesProps) {
  const retry = useRetryTiles(tile.boardId);
  const { status, error, warnings } = tile;
  return (
    <>
      {status === "processing" && <ProcessingNotice tile={tile} />}
      {status === "failed" && (
        <Notice kind="problem" className="flex flex-col gap-2">
          <p dir="auto" className="wrap-anywhere">
            {error?.message ?? "No text could be extracted."}
          </p>
          {!isPasting && (
            <div className="flex flex-wrap gap-2">
              {canRetryNow(error) && (
                <Button size="sm" isBusy={retry.isPending} onClick={() => retry.mutate([tile.id])}>
                  <RetryIcon /> Retry
                </Button>
              )}
              <Button size="sm" onClick={onPaste}>
                Paste text instead
              </Button>
            </div>
          )}
        </Notice>
      )}
      {status === "ready" && warnings.length > 0 && (
        <Notice kind="warn" className="print:hidden">
          <ul className="flex flex-col gap-1">
            {warnings.map(({ code, message }) => (
              <li key={code} className="wrap-anywhere">
                {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
