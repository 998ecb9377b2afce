import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { createParameterError } from "../shared/errors.ts";
import { NO_ZONE } from "../shared/lists.ts";
import type { Operation } from "../shared/operation.ts";
import { readCollection, readId, readRequiredId, toConnected, toList, toObject, toText } from "../shared/parameters.ts";
import { callServer } from "../shared/request.ts";
import { presentTile, tilePath } from "./tile.ts";

/** Changes the given fields of a tile. */
export const updateTile: Operation = async (context, itemIndex) => {
  const path = tilePath(readRequiredId(context, "tile", "Tile", itemIndex));
  const body = readChanges(context, itemIndex);
  if (Object.keys(body).length === 0)
    throw createParameterError(context.getNode(), "Update Fields", "is empty: add a field to change, or choose a zone.", itemIndex);
  const { tile } = await callServer<{ readonly tile: IDataObject }>(context, { method: "PATCH", path, body, itemIndex });
  return [presentTile(context, itemIndex, tile)];
};

/** Deletes a tile. It can be restored for 30 days. */
export const deleteTile: Operation = async (context, itemIndex) => {
  const path = tilePath(readRequiredId(context, "tile", "Tile", itemIndex));
  await callServer(context, { method: "DELETE", path, itemIndex });
  return [{ deleted: true }];
};

/** The API's name of each update field, and how its value is read. Null clears it. */
const READERS: Readonly<
  Record<string, readonly [name: string, read: (context: IExecuteFunctions, value: unknown, itemIndex: number) => unknown]>
> = {
  title: ["title", (_, value) => value],
  content: ["content", (_, value) => value],
  externalId: ["external_id", (_, value) => toText(value) ?? null],
  language: ["language_hint", (_, value) => toText(value) ?? null],
  sortOrder: ["sort_order", (_, value) => value],
  tags: ["tags", (_, value) => toList(value) ?? null],
  properties: ["properties", (context, value, itemIndex) => toObject(context, value, "Properties", itemIndex) ?? null],
  connected: ["connected_to_chat", (_, value) => toConnected(value)],
};

function readChanges(context: IExecuteFunctions, itemIndex: number): IDataObject {
  const zoneId = readId(context, "zone", itemIndex);
  const changes = Object.entries(readCollection(context, "updateFields", itemIndex)).flatMap(([field, value]) => {
    const reader = READERS[field];
    return reader === undefined ? [] : [[reader[0], reader[1](context, value, itemIndex)]];
  });
  return { ...Object.fromEntries(changes), ...(zoneId === undefined ? {} : { zone_id: zoneId === NO_ZONE ? null : zoneId }) };
}
