import type { Tile } from "@tessera/sdk";
import { useState } from "react";
import { useTileProgress } from "../api/tiles/progress.ts";
import { standingOf } from "../text/standing.ts";
import { Elapsed } from "../ui/time/elapsed.tsx";
import { ClockIcon } from "../ui/marks/icons.tsx";
import { Notice } from "../ui/states/notice.tsx";
import { Spinner } from "../ui/marks/spinner.tsx";

/** What the work on a tile is at, and what came of the try before. */
export function TileStanding({ tile }: { readonly tile: Tile }) {
  const { words, isWaiting, attempt, reason, since } = standingOf(tile, useTileProgress(tile.boardId, tile.id));
  const told = useTold(attempt === null ? words : `${words}, try ${attempt}`);
  return (
    <Notice>
      <p className="flex items-center gap-2">
        {isWaiting ? <ClockIcon className="text-quiet" /> : <Spinner />}
        <span>
          {words}…{attempt !== null && <span className="text-quiet"> try {attempt}</span>}
        </span>
        <Elapsed since={since} />
      </p>
      <p className="mt-1 pl-6 text-quiet wrap-anywhere">
        {reason === null ? "Its text is shown here as soon as it is there." : `The last try failed: ${reason}`}
      </p>
      <span role="status" className="sr-only">
        {told}
      </span>
    </Notice>
  );
}

/** The words that came last for the first time: work that goes to and fro between stages is read out once for each. */
function useTold(words: string): string {
  const [told, setTold] = useState<readonly string[]>([words]);
  if (!told.includes(words)) setTold([...told, words]);
  return told.at(-1) ?? words;
}
