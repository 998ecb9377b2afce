import type { TileListOptions } from "@tessera-board/sdk";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { tessera } from "../client/client.ts";
import { tileCountsKey } from "../query-keys.ts";
import { OUTSIDE_ZONES } from "./tiles.ts";

/** The numbers of tiles in zones of which only a part is loaded; null stands for tiles outside zones. Unknown ones are missing. */
export const useZoneCounts = (boardId: string, zoneIds: readonly (string | null)[]): ReadonlyMap<string | null, number> =>
  useQueries({
    queries: zoneIds.map((zoneId) => zoneCountQuery(boardId, zoneId)),
    combine: (results) =>
      new Map(zoneIds.flatMap((zoneId, index) => (results[index]?.data === undefined ? [] : [[zoneId, results[index].data] as const]))),
  });

export const zoneCountQuery = (boardId: string, zoneId: string | null) => countQuery(boardId, { zoneId: zoneId ?? OUTSIDE_ZONES });

/** The number of failed tiles of a board; undefined while it is unknown or not needed. */
export const useFailedCount = (boardId: string, isNeeded: boolean): number | undefined =>
  useQuery({ ...countQuery(boardId, { status: "failed" }), enabled: isNeeded }).data;

const countQuery = (boardId: string, filter: Pick<TileListOptions, "zoneId" | "status">) =>
  queryOptions({
    queryKey: [...tileCountsKey(boardId), filter],
    queryFn: async ({ signal }) =>
      (await tessera.tiles.list(boardId, { ...filter, text: false, limit: 1, count: true, signal })).total ?? 0,
  });
