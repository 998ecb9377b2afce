import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer } from "react";
import { loadWholeBoard, useLoadZone } from "../../api/tiles/load-tiles.ts";
import type { LoadedParts } from "../../api/tiles/tile-cache.ts";
import { closeToast } from "../../ui/toasts.ts";
import { showLoadError } from "../board-context.ts";

/** Loads what no column asks for: tiles outside zones, whose column is shown only if there are any; and all tiles if `needsAll`. */
export function useUnlistedTiles(boardId: string, loaded: LoadedParts, needsAll: boolean): void {
  const client = useQueryClient();
  const loadZone = useLoadZone(boardId);
  const isOutsideUnknown = loaded !== null && !loaded.has(null);
  const isPartLoaded = loaded !== null;
  useLoad(() => loadZone(null, "start"), isOutsideUnknown, boardId);
  useLoad(() => loadWholeBoard(client, boardId), isPartLoaded && needsAll, boardId);
}

/** Loads when `isNeeded` begins to hold. A failure is shown until the user tries again, or it is no longer needed. */
function useLoad(load: () => Promise<void>, isNeeded: boolean, boardId: string): void {
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isOver = false;
    let toast: string | undefined;
    load().catch((error: unknown) => {
      if (!isOver) toast = showLoadError(error, retry);
    });
    return () => {
      isOver = true;
      if (toast !== undefined) closeToast(toast);
    };
    // `load` is a new function at each rendering, and depends on the board alone.
  }, [isNeeded, boardId, attempt]);
}
