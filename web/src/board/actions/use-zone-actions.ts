import { useMemo } from "react";
import type { ZonePatch, ZoneSummary } from "@tessera-board/sdk";
import { useCreateZone, useDeleteZone, useRestoreZone, useUpdateZone } from "../../api/zones.ts";
import { type Positioned, planPositions } from "../model/order.ts";
import type { BoardColumn } from "../model/tile.ts";
import { formatCount } from "../../text/plural.ts";
import { truncate } from "../model/format.ts";
import type { Undo } from "./use-undo.ts";

export type ZoneActions = {
  /** Resolves to the new zone's id; rejects with the server's error. */
  create(name: string): Promise<string>;
  patch(zone: ZoneSummary, patch: ZonePatch): void;
  /** Swaps places with the zone to the left or right. */
  shift(zone: ZoneSummary, step: 1 | -1): void;
  remove(column: BoardColumn): void;
};

/** The actions on zones: applied optimistically; deletion can be undone. */
export function useZoneActions(boardId: string, columns: () => readonly BoardColumn[], undo: Undo): ZoneActions {
  const { mutateAsync: createZone } = useCreateZone(boardId);
  const { mutate: updateZone } = useUpdateZone(boardId);
  const { mutate: deleteZone } = useDeleteZone(boardId);
  const { mutate: restoreZone } = useRestoreZone(boardId);

  return useMemo(
    () => ({
      create: async (name) => (await createZone({ name })).id,

      patch: (zone, patch) => updateZone({ zoneId: zone.id, patch }),

      shift(zone, step) {
        const zones = columns().flatMap((column) => column.zone ?? []);
        const at = zones.findIndex(({ id }) => id === zone.id);
        if (at < 0 || zones[at + step] === undefined) return;
        const others = zones.filter(({ id }) => id !== zone.id).map(toPositioned);
        for (const [zoneId, sortOrder] of planPositions(others, [toPositioned(zone)], at + step))
          updateZone({ zoneId, patch: { sortOrder } });
      },

      remove({ zone, total }) {
        if (zone === null) return;
        const tiles = total === 0 ? "" : total === null ? " and its tiles" : ` and ${formatCount(total, "tile")}`;
        const text = `Deleted “${truncate(zone.name, 40)}”${tiles}.`;
        deleteZone(zone.id, { onError: undo.offer(text, () => restoreZone(zone.id)) });
      },
    }),
    [columns, createZone, deleteZone, restoreZone, undo, updateZone],
  );
}

/** Ids sort by age, so zones with equal positions are ordered by id. */
const toPositioned = ({ id, sortOrder }: ZoneSummary): Positioned => ({ id, sortOrder, createdAt: id });
