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

/** The actions on zones: applied optimistically; all can be undone. */
export function useZoneActions(boardId: string, columns: () => readonly BoardColumn[], undo: Undo): ZoneActions {
  const { mutateAsync: createZone } = useCreateZone(boardId);
  const { mutate: updateZone } = useUpdateZone(boardId);
  const { mutate: deleteZone } = useDeleteZone(boardId);
  const { mutate: restoreZone } = useRestoreZone(boardId);

  return useMemo(
    () => ({
      async create(name) {
        const { id } = await createZone({ name });
        undo.add({ text: `Added ${quote(name)}.`, undo: () => deleteZone(id), redo: () => restoreZone(id) }, true);
        return id;
      },

      patch(zone, patch) {
        const before: ZonePatch = Object.fromEntries(Object.keys(patch).map((field) => [field, zone[field as keyof ZoneSummary]]));
        const change = (next: ZonePatch) => updateZone({ zoneId: zone.id, patch: next });
        const step = { text: describePatch(zone, patch), undo: () => change(before), redo: () => change(patch) };
        updateZone({ zoneId: zone.id, patch }, { onError: undo.add(step, true) });
      },

      shift(zone, step) {
        const zones = columns().flatMap((column) => column.zone ?? []);
        const at = zones.findIndex(({ id }) => id === zone.id);
        if (at < 0 || zones[at + step] === undefined) return;
        const others = zones.filter(({ id }) => id !== zone.id).map(toPositioned);
        const writes = planPositions(others, [toPositioned(zone)], at + step);
        const before = new Map(zones.flatMap(({ id, sortOrder }) => (writes.has(id) ? [[id, sortOrder] as const] : [])));
        const place = (positions: ReadonlyMap<string, number>): void => {
          for (const [zoneId, sortOrder] of positions) updateZone({ zoneId, patch: { sortOrder } });
        };
        place(writes);
        undo.add({ text: `Moved ${quote(zone.name)}.`, undo: () => place(before), redo: () => place(writes) }, true);
      },

      remove({ zone, total }) {
        if (zone === null) return;
        const tiles = total === 0 ? "" : total === null ? " and its tiles" : ` and ${formatCount(total, "tile")}`;
        const text = `Deleted ${quote(zone.name)}${tiles}.`;
        deleteZone(zone.id, { onError: undo.add({ text, undo: () => restoreZone(zone.id), redo: () => deleteZone(zone.id) }) });
      },
    }),
    [columns, createZone, deleteZone, restoreZone, undo, updateZone],
  );
}

/** Ids sort by age, so zones with equal positions are ordered by id. */
const toPositioned = ({ id, sortOrder }: ZoneSummary): Positioned => ({ id, sortOrder, createdAt: id });

const quote = (name: string): string => `“${truncate(name, 40)}”`;

function describePatch({ name }: ZoneSummary, patch: ZonePatch): string {
  if (patch.connectedToChat === true) return `Connected ${quote(name)} to chat.`;
  if (patch.connectedToChat === false) return `Disconnected ${quote(name)} from chat.`;
  return patch.name === undefined ? `Changed the look of ${quote(name)}.` : `Renamed ${quote(name)} to ${quote(patch.name)}.`;
}
