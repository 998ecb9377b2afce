import { type IDataObject, type IExecuteFunctions, NodeOperationError } from "n8n-workflow";
import { createParameterError } from "../shared/errors.ts";
import { type Operation, simplify } from "../shared/operation.ts";
import { readCollection, readId, readRequiredId, readText, toList, toText } from "../shared/parameters.ts";
import { callServer } from "../shared/request.ts";
import { waitWhileProcessing } from "../shared/waiting.ts";

/** The fields of a simplified draft. */
const FIELDS = ["id", "boardId", "assetType", "status", "title", "text", "mode", "savedTileId", "citations", "notice"];
const DEFAULT_WAIT_SECONDS = 300;

/** Starts a draft and returns it at once. */
export const startGeneration: Operation = async (context, itemIndex) => [await start(context, itemIndex)];

/** Writes a draft, and waits for it. A draft that fails or takes too long is an error. */
export const generateDraft: Operation = async (context, itemIndex) => {
  const { id } = await start(context, itemIndex);
  const seconds = Number(readCollection(context, "additionalFields", itemIndex)["waitSeconds"] ?? DEFAULT_WAIT_SECONDS);
  const generation = await waitWhileProcessing(context, { path: generationPath(String(id)), field: "generation", seconds, itemIndex });
  if (generation["status"] !== "complete") throw createOutcomeError(context, generation, seconds, itemIndex);
  return [present(context, itemIndex, generation)];
};

/** Gets a draft as it is now. */
export const getGeneration: Operation = async (context, itemIndex) => {
  const id = readText(context, "generationId", itemIndex);
  if (id === undefined) throw createParameterError(context.getNode(), "Generation ID", "is empty.", itemIndex);
  const { generation } = await callServer<{ readonly generation: IDataObject }>(context, { path: generationPath(id), itemIndex });
  return [present(context, itemIndex, generation)];
};

const generationPath = (id: string): string => `/api/v1/generations/${encodeURIComponent(id)}`;

async function start(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
  const fields = readCollection(context, "additionalFields", itemIndex);
  const { generation } = await callServer<{ readonly generation: IDataObject }>(context, {
    method: "POST",
    path: "/api/v1/generate",
    body: {
      board_id: readRequiredId(context, "board", "Board", itemIndex),
      asset_type: context.getNodeParameter("assetType", itemIndex) as string,
      prompt: readText(context, "prompt", itemIndex),
      audience: toText(fields["audience"]),
      idea_id: toText(fields["ideaId"]),
      language: toText(fields["language"]),
      length: readLength(fields["length"]),
      tone: toText(fields["tone"]),
      zone_ids: toList(fields["zones"]),
      save_to_zone_id: readId(context, "saveZone", itemIndex),
      async: true,
    },
    itemIndex,
  });
  return generation;
}

/** A number of words, or words that describe the length. */
function readLength(value: unknown): string | number | undefined {
  const text = toText(value);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

/** Puts title and text of the draft beside its status, if a simplified result is asked for. */
function present(context: IExecuteFunctions, itemIndex: number, generation: IDataObject): IDataObject {
  const { title, text } = (generation["output"] ?? {}) as IDataObject;
  const isSimplified = context.getNodeParameter("simplify", itemIndex, true) as boolean;
  return isSimplified ? simplify(context, itemIndex, { ...generation, title, text }, FIELDS) : generation;
}

function createOutcomeError(
  context: IExecuteFunctions,
  { id, status, error }: IDataObject,
  seconds: number,
  itemIndex: number,
): NodeOperationError {
  if (status === "processing")
    return new NodeOperationError(context.getNode(), `The draft was not complete after ${seconds} seconds.`, {
      description: `It goes on as ${String(id)}: read it later with the operation Get, or raise 'Wait (Seconds)' of item ${itemIndex}.`,
      itemIndex,
    });
  const { message, code } = (error ?? {}) as IDataObject;
  return new NodeOperationError(context.getNode(), message === undefined ? `The draft was ${String(status)}.` : String(message), {
    description: `See item ${itemIndex}, draft ${String(id)}. ${code === undefined ? "" : `(${String(code)})`}`.trim(),
    itemIndex,
  });
}
