import type { Authorized } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { isoTime } from "#domain/core/system.ts";
import type { Tile } from "#domain/content/tile.ts";
import { omitNullOptions } from "#domain/content/tile-options.ts";
import { MAX_POSITION, type Zone } from "#domain/content/zone.ts";
import type { WorkDeps } from "../../deps.ts";
import { streamTiles } from "../tiles.ts";
import { EXPORT_FORMAT, type ExportLine, EXPORT_VERSION } from "./format.ts";

/** Renders one line of an export. It can be called again, so that a long line need not be kept in memory while it can't be sent. */
export type ExportPart = () => Promise<string>;

/** Exports the zones and tiles of a board, without deleted ones, as lines of JSON. Keys and secrets are not exported. */
export async function* exportBoard(deps: WorkDeps, scope: Authorized<Board, "read">): AsyncGenerator<string> {
  for await (const part of exportParts(deps, scope)) yield part();
}

/** Yields the lines of an export as parts. A tile that was deleted meanwhile is an empty part. */
export async function* exportParts(deps: WorkDeps, scope: Authorized<Board, "read">): AsyncGenerator<ExportPart> {
  yield async () => formatLine({ format: EXPORT_FORMAT, version: EXPORT_VERSION, board: { name: scope.target.name } });
  for (const zone of await deps.store.zones.list(scope, null, null)) yield async () => formatLine({ zone: presentZone(zone) });
  for await (const step of streamTiles(deps, scope, { order: "asc", withText: false })) {
    for (const { id } of step) {
      yield async () => {
        const tile = await deps.store.tiles.find(scope.target.businessId, id);
        return tile === null ? "" : formatLine({ tile: presentTile(tile) });
      };
    }
  }
}

const formatLine = (value: ExportLine): string => `${JSON.stringify(value)}\n`;

/** Returns a zone with the names and times of the API. */
function presentZone({ businessId: _business, version: _version, ...zone }: Zone) {
  return {
    ...zone,
    // A zone after one at the maximum position has a position that requests, and imports, do not accept.
    sortOrder: Math.min(zone.sortOrder, MAX_POSITION),
    createdAt: isoTime(zone.createdAt),
    updatedAt: isoTime(zone.updatedAt),
  };
}

/** Returns a tile with the names and times of the API, and what an import needs beyond them. Empty fields are absent, as there. */
function presentTile({ businessId: _business, sequence: _sequence, version: _version, ...tile }: Tile) {
  const { segments, previousText, refreshMinutes, file, textOverridden, ...always } = tile;
  return {
    ...omitNullOptions(always),
    createdAt: isoTime(tile.createdAt),
    updatedAt: isoTime(tile.updatedAt),
    ...(segments.length === 0 ? {} : { segments }),
    ...(previousText === null ? {} : { previousText: { text: previousText.text, until: isoTime(previousText.until) } }),
    ...(refreshMinutes === null ? {} : { refreshMinutes }),
    ...(file === null ? {} : { file }),
    ...(textOverridden ? { textOverridden } : {}),
  };
}
