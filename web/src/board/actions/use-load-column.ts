import { useCallback } from "react";
import { useLoadZone } from "../../api/tiles/load-tiles.ts";
import type { LoadColumn } from "../board-context.ts";
import { type BoardColumn, NO_ZONE, toZoneId } from "../model/tile.ts";

const RENDER_CHECK_MS = 10;
const MAX_RENDER_CHECKS = 100;

/** Loads tiles of a column, and waits until they are rendered. */
export function useLoadColumn(boardId: string, columns: () => readonly BoardColumn[]): LoadColumn {
  const loadZone = useLoadZone(boardId);
  return useCallback(
    async (columnId, extent) => {
      await loadZone(toZoneId(columnId), extent);
      if (extent === "more") return;
      for (let checks = 0; checks < MAX_RENDER_CHECKS; checks++) {
        const loaded = columns().find(({ id }) => id === columnId)?.loaded;
        if (loaded === "all" || (extent === "start" && loaded === "part")) return;
        // There is no column for tiles without a zone if there are none.
        if (columnId === NO_ZONE && loaded === undefined && checks > 3) return;
        await new Promise((resolve) => setTimeout(resolve, RENDER_CHECK_MS));
      }
    },
    [columns, loadZone],
  );
}
