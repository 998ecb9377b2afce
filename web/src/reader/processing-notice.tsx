import type { Tile } from "@tessera-board/sdk";
import { useState } from "react";
import { useTileProgress } from "../api/tiles/progress.ts";
import { getStatusLabel } from "../text/status-label.ts";
import { ElapsedTime } from "../ui/time/elapsed-time.tsx";
import { ClockIcon } from "../ui/icons/icons.ts";
import { Notice } from "../ui/states/notice.tsx";
import { Spinner } from "../ui/icons/spinner.tsx";

/** The progress of a tile's job, and the error of the previous attempt. */
export function ProcessingNotice({ tile }: { readonly tile: Tile }) {
  const { text, isWaiting, attempt, reason, since } = getStatusLabel(tile, useTileProgress(tile.boardId, tile.id));
  const announced = useAnnouncement(attempt === null ? text : `${text}, attempt ${attempt}`);
  return (
    <Notice>
      <p className="flex items-center gap-2">
        {isWaiting ? <ClockIcon className="text-quiet" /> : <Spinner />}
        <span>
          {text}…{attempt !== null && <span className="text-quiet"> attempt {attempt}</span>}
        </span>
        <ElapsedTime since={since} />
      </p>
      <p className="mt-1 pl-6 text-quiet wrap-anywhere">
        {reason === null ? "The text appears here when it is ready." : `The last attempt failed: ${reason}`}
      </p>
      <span role="status" className="sr-only">
        {announced}
      </span>
    </Notice>
  );
}

/** The latest text that was not announced before: jobs alternate between stages, and each is announced once. */
function useAnnouncement(text: string): string {
  const [announced, setAnnounced] = useState<readonly string[]>([text]);
  if (!announced.includes(text)) setAnnounced([...announced, text]);
  return announced.at(-1) ?? text;
}
