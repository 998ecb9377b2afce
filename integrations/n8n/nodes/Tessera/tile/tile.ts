import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { simplify } from "../shared/operation.ts";
import { readCollection } from "../shared/parameters.ts";
import { waitWhileProcessing } from "../shared/waiting.ts";

/** The fields of a simplified tile. */
const FIELDS = ["id", "boardId", "zoneId", "title", "type", "status", "sourceUrl", "tags", "extractedText", "updatedAt"];

export const tilePath = (tileId: string): string => `/api/board/tiles/${encodeURIComponent(tileId)}`;

export const presentTile = (context: IExecuteFunctions, itemIndex: number, tile: IDataObject): IDataObject =>
  simplify(context, itemIndex, tile, FIELDS);

/** Returns the tile when its link has become text, or as it is after this many seconds. */
export const waitForText = (context: IExecuteFunctions, tile: IDataObject, seconds: number, itemIndex: number): Promise<IDataObject> =>
  seconds === 0
    ? Promise.resolve(tile)
    : waitWhileProcessing(context, { path: tilePath(String(tile["id"])), field: "tile", seconds, itemIndex });

/** How long a collection of options asks to wait. */
export const readWaitSeconds = (context: IExecuteFunctions, collection: string, itemIndex: number): number =>
  Number(readCollection(context, collection, itemIndex)["waitSeconds"] ?? 0);
