import type { SearchFilter } from "@tessera-board/sdk";
import { readText } from "../server.ts";
import type { ActionContext } from "./action.ts";
import { getText, readFields } from "./fields.ts";

/** Searches the board, and returns the results, best first. */
export async function search(context: ActionContext): Promise<unknown> {
  const { boardId, q, ...filter } = readFields(context, () => "q");
  const limit = readText(context.config, "limit");
  const options = { ...(limit !== "" && { limit: Number(limit) }), ...filter, signal: context.signal };
  return context.client.search(boardId, getText({ q }, "q"), options as SearchFilter);
}
