import type { INodeProperties } from "n8n-workflow";
import type { Operation } from "../shared/operation.ts";
import { askBoard } from "./ask.ts";
import { getBoard, listBoards } from "./read.ts";
import { searchBoard } from "./search.ts";

/** The operations on boards, by the name that the workflow stores. */
export const BOARD_OPERATIONS: Readonly<Record<string, Operation>> = {
  ask: askBoard,
  get: getBoard,
  getAll: listBoards,
  search: searchBoard,
};

export const BOARD_OPERATION: INodeProperties = {
  displayName: "Operation",
  name: "operation",
  type: "options",
  noDataExpression: true,
  displayOptions: { show: { resource: ["board"] } },
  default: "ask",
  options: [
    { name: "Ask", value: "ask", action: "Ask a board a question", description: "Get an answer with quotes from the content of a board" },
    { name: "Get", value: "get", action: "Get a board", description: "Get the name of a board and when it changed" },
    { name: "Get Many", value: "getAll", action: "Get many boards", description: "Get the boards that the key reaches" },
    { name: "Search", value: "search", action: "Search a board", description: "Find tiles by words and by meaning" },
  ],
};
