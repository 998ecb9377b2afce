import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { boardMutationKey } from "../../api/query-keys.ts";
import type { ZonePatch, ZoneSummary } from "@tessera-board/sdk";
import { useCreateZone, useDeleteZone, useRestoreZone, useUpdateZone } from "../../api/zones.ts";
import { type Positioned, planPositions } from "../model/order.ts";
import type { BoardColumn } from "../model/tile.ts";
import { formatCount } from "../../text/plural.ts";
import { showToast } from "../../ui/toasts.ts";
import { truncate } from "../model/format.ts";
import type { Undo } from "./use-undo.ts";

export type ZoneActions = {
  /** Resolves to the new zone's id; rejects with the server's error. */
  create(name: string): Promise<string>;
  patch(zone: ZoneSummary, patch: ZonePatch): void;
  /** Keeps a new name that was saved, so that it can be undone. */
  keepRename(zone: ZoneSummary, before: string, name: string): void;
  /** Swaps places with the zone to the left or right. */
  shift(zone: ZoneSummary, step: 1 | -1): void;
  remove(column: BoardColumn): void;
};

/** The actions on zones: applied optimistically; all can be undone. */
export function useZoneActions(boardId: string, columns: () => readonly BoardColumn[], undo: Undo): ZoneActions {
  const { mutateAsync: createZone } = useCreateZone(boardId);
  const { mutateAsync: updateZone } = useUpdateZone(boardId);
  const { mutateAsync: deleteZone } = useDeleteZone(boardId);
  const { mutateAsync: restoreZone } = useRestoreZone(boardId);

  const client = useQueryClient();

  return useMemo(() => {
    /** Whether the board is as this page's writes left it. While one is on its way, what others changed can't be told from it. */
    const isSettled = (): boolean => client.isMutating({ mutationKey: boardMutationKey(boardId) }) === 0;
    const find = (zoneId: string): BoardColumn | undefined => columns().find(({ id }) => id === zoneId);
    /** The step between two states of a zone. What somebody else changed since stays. */
    const change = (zone: ZoneSummary, before: ZonePatch, after: ZonePatch) => {
      const write = async (expected: ZonePatch, patch: ZonePatch): Promise<unknown> => {
        const now = find(zone.id)?.zone;
        const isSame = now && Object.entries(expected).every(([field, value]) => now[field as keyof ZoneSummary] === value);
        return isSame || !isSettled()
          ? updateZone({ zoneId: zone.id, patch })
          : refuse(`${quote(zone.name)} was changed by somebody else since.`);
      };
      return {
        text: describePatch(zone, before, after),
        place: { columnId: zone.id },
        undo: () => write(after, before),
        redo: () => write(before, after),
      };
    };

    return {
      async create(name) {
        const { id } = await createZone({ name });
        const remove = async (): Promise<unknown> =>
          find(id)?.total === 0 || !isSettled() ? deleteZone(id) : refuse(`${quote(name)} has tiles now. Delete it in its menu.`);
        undo.add({ text: `Added ${quote(name)}.`, place: { columnId: id }, undo: remove, redo: () => restoreZone(id) });
        return id;
      },

      patch(zone, patch) {
        const before: ZonePatch = Object.fromEntries(Object.keys(patch).map((field) => [field, zone[field as keyof ZoneSummary]]));
        undo.run(change(zone, before, patch), true);
      },

      keepRename: (zone, before, name) => undo.add(change(zone, { name: before }, { name })),

      shift(zone, step) {
        const zones = columns().flatMap((column) => column.zone ?? []);
        const at = zones.findIndex(({ id }) => id === zone.id);
        if (at < 0 || zones[at + step] === undefined) return;
        const others = zones.filter(({ id }) => id !== zone.id).map(toPositioned);
        const after = planPositions(others, [toPositioned(zone)], at + step);
        const before = new Map(zones.flatMap(({ id, sortOrder }) => (after.has(id) ? [[id, sortOrder] as const] : [])));
        const place = (positions: ReadonlyMap<string, number>): Promise<unknown> =>
          Promise.all([...positions].map(([zoneId, sortOrder]) => updateZone({ zoneId, patch: { sortOrder } })));
        undo.run(
          { text: `Moved ${quote(zone.name)}.`, place: { columnId: zone.id }, undo: () => place(before), redo: () => place(after) },
          true,
        );
      },

      remove({ zone, total }) {
        if (zone === null) return;
        const tiles = total === 0 ? "" : total === null ? " and its tiles" : ` and ${formatCount(total, "tile")}`;
        const text = `Deleted ${quote(zone.name)}${tiles}.`;
        undo.run({ text, place: { columnId: zone.id }, undo: () => restoreZone(zone.id), redo: () => deleteZone(zone.id) });
      },
    };
  }, [boardId, client, columns, createZone, deleteZone, restoreZone, undo, updateZone]);
}

/** Says why a step can't be undone or redone. */
function refuse(reason: string): Promise<never> {
  showToast({ text: reason, kind: "problem" });
  return Promise.reject(new Error(reason));
}

/** Ids sort by age, so zones with equal positions are ordered by id. */
const toPositioned = ({ id, sortOrder }: ZoneSummary): Positioned => ({ id, sortOrder, createdAt: id });

const quote = (name: string): string => `“${truncate(name, 40)}”`;

function describePatch({ name }: ZoneSummary, before: ZonePatch, after: ZonePatch): string {
  if (after.connectedToChat === true) return `Connected ${quote(name)} to chat.`;
  if (after.connectedToChat === false) return `Disconnected ${quote(name)} from chat.`;
  if (after.name === undefined) return `Changed the look of ${quote(name)}.`;
  return `Renamed ${quote(before.name ?? name)} to ${quote(after.name)}.`;
}
