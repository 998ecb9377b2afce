import type { Authorized } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { MAX_POSITION } from "#domain/content/zone.ts";
import type { Deps } from "../../deps.ts";
import { streamTiles } from "../tiles.ts";
import { FORMAT, type ExportLine, VERSION } from "./format.ts";

/** Renders one line of an export. It can be called again, so that a long line need not be kept in memory while it can't be sent. */
export type ExportPart = () => Promise<string>;

/** Exports the zones and tiles of a board, without deleted ones, as lines of JSON. Keys and secrets are not exported. */
export async function* exportBoard(deps: Deps, scope: Authorized<Board, "read">): AsyncGenerator<string> {
  for await (const part of exportParts(deps, scope)) yield part();
}

/** Yields the lines of an export as parts. A tile that was deleted meanwhile is an empty part. */
export async function* exportParts(deps: Deps, scope: Authorized<Board, "read">): AsyncGenerator<ExportPart> {
  yield async () => formatLine({ format: FORMAT, version: VERSION, board: { name: scope.target.name } });
  for (const zone of await deps.store.zones.list(scope, null, null)) {
    // A zone after one at the maximum position has a position that requests, and imports, do not accept.
    yield async () => formatLine({ zone: { ...zone, sortOrder: Math.min(zone.sortOrder, MAX_POSITION) } });
  }
  for await (const step of streamTiles(deps, scope, { order: "asc", withText: false })) {
    for (const { id } of step) {
      yield async () => {
        const tile = await deps.store.tiles.find(scope.target.businessId, id);
        return tile === null ? "" : formatLine({ tile });
      };
    }
  }
}

const formatLine = (value: ExportLine): string => `${JSON.stringify(value)}\n`;
