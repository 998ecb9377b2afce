import type { INodeProperties } from "n8n-workflow";
import type { Operation } from "../shared/operation.ts";
import { deleteTile, updateTile } from "./change.ts";
import { createTile, upsertTile } from "./create.ts";
import { getTile, listTiles } from "./read.ts";

/** The operations on tiles, by the name that the workflow stores. */
export const TILE_OPERATIONS: Readonly<Record<string, Operation>> = {
  create: createTile,
  upsert: upsertTile,
  get: getTile,
  getAll: listTiles,
  update: updateTile,
  delete: deleteTile,
};

export const TILE_OPERATION: INodeProperties = {
  displayName: "Operation",
  name: "operation",
  type: "options",
  noDataExpression: true,
  displayOptions: { show: { resource: ["tile"] } },
  default: "create",
  options: [
    { name: "Create", value: "create", action: "Create a tile", description: "Add a link or a text to a board" },
    {
      name: "Create or Update",
      value: "upsert",
      action: "Create or update a tile",
      description: "Create a new record, or update the current one if it already exists (upsert)",
    },
    { name: "Delete", value: "delete", action: "Delete a tile", description: "Move a tile to the bin, where it stays for 30 days" },
    { name: "Get", value: "get", action: "Get a tile", description: "Get a tile with its text" },
    { name: "Get Many", value: "getAll", action: "Get many tiles", description: "Get the tiles of a board" },
    { name: "Update", value: "update", action: "Update a tile", description: "Change the title, text, zone or labels of a tile" },
  ],
};
