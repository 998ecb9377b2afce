import type { Authorized } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { MAX_POSITION } from "#domain/content/zone.ts";
import type { Deps } from "../../deps.ts";
import { runStepInTurn } from "../../work-queue.ts";
import { streamTiles } from "../tiles.ts";
import { FORMAT, type ExportLine, VERSION } from "./format.ts";

/** Exports the zones and tiles of a board, without deleted ones, as lines of JSON. Keys and secrets are not exported. */
export async function* exportBoard(deps: Deps, scope: Authorized<Board, "read">): AsyncGenerator<string> {
  yield formatLine({ format: FORMAT, version: VERSION, board: { name: scope.target.name } });
  for (const zone of await deps.store.zones.list(scope, null, null)) {
    // A zone after one at the maximum position has a position that requests, and imports, do not accept.
    yield formatLine({ zone: { ...zone, sortOrder: Math.min(zone.sortOrder, MAX_POSITION) } });
  }
  for await (const step of streamTiles(deps, scope, { order: "asc", withText: false })) {
    for (const { id } of step) {
      const tile = await runStepInTurn(deps, scope.actor, () => deps.store.tiles.find(scope.target.businessId, id));
      if (tile !== null) yield formatLine({ tile });
    }
  }
}

const formatLine = (value: ExportLine): string => `${JSON.stringify(value)}\n`;
