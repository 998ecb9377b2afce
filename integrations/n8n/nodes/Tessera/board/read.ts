import type { IDataObject } from "n8n-workflow";
import { readListing } from "../shared/listing.ts";
import type { Operation } from "../shared/operation.ts";
import { readRequiredId } from "../shared/parameters.ts";
import { callServer } from "../shared/request.ts";

/** Gets a board. */
export const getBoard: Operation = async (context, itemIndex) => {
  const boardId = readRequiredId(context, "board", "Board", itemIndex);
  const path = `/api/board/boards/${encodeURIComponent(boardId)}`;
  const { board } = await callServer<{ readonly board: IDataObject }>(context, { path, itemIndex });
  return [board];
};

/** Lists the boards that the key reaches. */
export const listBoards: Operation = (context, itemIndex) =>
  readListing(context, { path: "/api/board/boards", field: "boards", itemIndex });
