import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { readListing } from "../shared/listing.ts";
import type { Operation } from "../shared/operation.ts";
import { readCollection, readId, readRequiredId, toList, toObject, toText } from "../shared/parameters.ts";
import { waitWhileProcessing } from "../shared/waiting.ts";
import { presentTile, readWaitSeconds, tilePath } from "./tile.ts";

/** Gets a tile, and waits for its text if the item asks for that. */
export const getTile: Operation = async (context, itemIndex) => {
  const path = tilePath(readRequiredId(context, "tile", "Tile", itemIndex));
  const seconds = readWaitSeconds(context, "options", itemIndex);
  return [presentTile(context, itemIndex, await waitWhileProcessing(context, { path, field: "tile", seconds, itemIndex }))];
};

/** Lists the tiles of a board. */
export const listTiles: Operation = async (context, itemIndex) => {
  const boardId = readRequiredId(context, "board", "Board", itemIndex);
  const path = `/api/board/${encodeURIComponent(boardId)}/tiles`;
  const tiles = await readListing(context, { path, query: readQuery(context, itemIndex), field: "tiles", itemIndex });
  return tiles.map((tile) => presentTile(context, itemIndex, tile));
};

function readQuery(context: IExecuteFunctions, itemIndex: number): IDataObject {
  const filters = readCollection(context, "filters", itemIndex);
  const options = readCollection(context, "options", itemIndex);
  const updatedSince = toText(filters["updatedSince"]);
  return {
    zone_id: readId(context, "zone", itemIndex),
    status: toList(filters["status"]),
    type: toList(filters["types"]),
    tag: toList(filters["tags"]),
    external_id: toText(filters["externalId"]),
    source_url: toText(filters["sourceUrl"]),
    ...readPropertyFilter(context, filters["properties"], itemIndex),
    updated_since: updatedSince,
    order: updatedSince === undefined ? toText(options["order"]) : undefined,
    text: options["text"] === false ? false : undefined,
  };
}

/** In a query, a property is `property.<key>=<value>`. */
function readPropertyFilter(context: IExecuteFunctions, value: unknown, itemIndex: number): IDataObject {
  const properties = toObject(context, value, "Properties", itemIndex) ?? {};
  return Object.fromEntries(Object.entries(properties).map(([key, values]) => [`property.${key}`, values]));
}
