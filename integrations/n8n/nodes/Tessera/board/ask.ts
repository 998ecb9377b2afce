import type { IDataObject } from "n8n-workflow";
import type { Operation } from "../shared/operation.ts";
import { readRequiredId, readText } from "../shared/parameters.ts";
import { callServer } from "../shared/request.ts";

/** Asks the board a question. */
export const askBoard: Operation = async (context, itemIndex) => {
  const boardId = readRequiredId(context, "board", "Board", itemIndex);
  const body = { question: readText(context, "question", itemIndex) };
  const path = `/api/board/${encodeURIComponent(boardId)}/ask`;
  return [await callServer<IDataObject>(context, { method: "POST", path, body, itemIndex })];
};
