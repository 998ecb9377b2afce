import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { loadWholeBoard, useLoadZone } from "../../api/tiles/load-tiles.ts";
import type { LoadedParts } from "../../api/tiles/tile-cache.ts";
import { showLoadError } from "../board-context.ts";

/** Loads what no column asks for: tiles outside zones, whose column is shown only if there are any; and all tiles if `needsAll`. */
export function useUnlistedTiles(boardId: string, loaded: LoadedParts, needsAll: boolean): void {
  const client = useQueryClient();
  const loadZone = useLoadZone(boardId);
  const isOutsideUnknown = loaded !== null && !loaded.has(null);
  const isPartLoaded = loaded !== null;
  useEffect(() => {
    if (isOutsideUnknown) loadZone(null, "start").catch(showLoadError);
  }, [isOutsideUnknown, loadZone]);
  useEffect(() => {
    if (isPartLoaded && needsAll) loadWholeBoard(client, boardId).catch(showLoadError);
  }, [client, boardId, isPartLoaded, needsAll]);
}
