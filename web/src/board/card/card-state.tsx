import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { WarningIcon } from "../../ui/icons.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useBoard } from "../board-context.ts";
import { stageOf } from "../model/kinds.ts";
import { type BoardTile, isSaving } from "../model/tile.ts";

/** What is happening to a tile, or why nothing could be had from it and what to do; nothing for one that is ready. */
export function CardState({ tile }: { readonly tile: BoardTile }) {
  if (tile.status === "processing") return <Processing tile={tile} />;
  if (tile.status === "failed") return <Failed tile={tile} />;
  return null;
}

function Processing({ tile }: { readonly tile: BoardTile }) {
  const isNew = isSaving(tile.id);
  return (
    <p className="mt-1.5 flex items-center gap-1.5 text-sm text-accent">
      <Spinner />
      <span className="truncate">{isNew ? "Saving" : stageOf(tile)}…</span>
      {!isNew && <Elapsed since={tile.updatedAt} />}
    </p>
  );
}

/** Seconds that went by, from the second on. */
function Elapsed({ since }: { readonly since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - Date.parse(since)) / 1_000);
  if (!(seconds >= 1)) return null;
  return (
    <span className="ml-auto shrink-0 text-quiet tabular-nums">{seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`}</span>
  );
}

function Failed({ tile }: { readonly tile: BoardTile }) {
  const { actions, openPasteText } = useBoard();
  return (
    <div className="mt-1.5 flex flex-col gap-2">
      <p className="flex gap-1.5 text-sm text-danger">
        <WarningIcon className="mt-px" />
        <span className="line-clamp-4 min-w-0 break-words">{tile.error?.message ?? "Nothing could be read from this."}</span>
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
