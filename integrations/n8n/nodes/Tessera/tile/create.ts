import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { readCollection, readId, readRequiredId, readText, toConnected, toList, toObject, toText } from "../shared/parameters.ts";
import type { Operation } from "../shared/operation.ts";
import { callServer } from "../shared/request.ts";
import { presentTile, readWaitSeconds, waitForText } from "./tile.ts";

type Creation = { readonly tile: IDataObject | null } & IDataObject;

/** Creates a tile. */
export const createTile: Operation = (context, itemIndex) =>
  sendTile(context, itemIndex, toText(readCollection(context, "additionalFields", itemIndex)["externalId"]));

/** Creates the tile with this external id, or updates the one that has it. */
export const upsertTile: Operation = (context, itemIndex) => sendTile(context, itemIndex, readText(context, "externalId", itemIndex) ?? "");

async function sendTile(context: IExecuteFunctions, itemIndex: number, externalId: string | undefined): Promise<readonly IDataObject[]> {
  const boardId = readRequiredId(context, "board", "Board", itemIndex);
  const { tile, ...outcome } = await callServer<Creation>(context, {
    method: "POST",
    path: `/api/board/${encodeURIComponent(boardId)}/tiles`,
    body: { ...readContent(context, itemIndex), ...readOptions(context, itemIndex), external_id: externalId },
    itemIndex,
  });
  // `skip_deleted` creates nothing of what was deleted.
  if (tile === null) return [outcome];
  const seconds = readWaitSeconds(context, "additionalFields", itemIndex);
  const settled = tile["status"] === "processing" ? await waitForText(context, tile, seconds, itemIndex) : tile;
  return [{ ...presentTile(context, itemIndex, settled), ...outcome }];
}

function readContent(context: IExecuteFunctions, itemIndex: number): IDataObject {
  if (context.getNodeParameter("source", itemIndex) === "url") return { url: readText(context, "url", itemIndex) ?? "" };
  return { content: String(context.getNodeParameter("content", itemIndex, "")) };
}

function readOptions(context: IExecuteFunctions, itemIndex: number): IDataObject {
  const fields = readCollection(context, "additionalFields", itemIndex);
  return {
    zone_id: readId(context, "zone", itemIndex),
    title: toText(fields["title"]),
    html: toText(fields["html"]),
    source_url: toText(fields["sourceUrl"]),
    tags: toList(fields["tags"]),
    properties: toObject(context, fields["properties"], "Properties", itemIndex),
    on_duplicate: toText(fields["onDuplicate"]),
    skip_deleted: fields["skipDeleted"] === true ? true : undefined,
    connected_to_chat: toConnected(fields["connected"]) ?? undefined,
    language_hint: toText(fields["language"]),
  };
}
