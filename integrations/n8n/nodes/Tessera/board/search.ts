import type { IDataObject } from "n8n-workflow";
import type { Operation } from "../shared/operation.ts";
import { readCollection, readId, readRequiredId, readText, toList, toText } from "../shared/parameters.ts";
import { callServer } from "../shared/request.ts";

/** Finds tiles of the board, best first. */
export const searchBoard: Operation = async (context, itemIndex) => {
  const boardId = readRequiredId(context, "board", "Board", itemIndex);
  const options = readCollection(context, "options", itemIndex);
  const { results } = await callServer<{ readonly results: readonly IDataObject[] }>(context, {
    path: `/api/board/${encodeURIComponent(boardId)}/search`,
    query: {
      q: readText(context, "query", itemIndex),
      limit: context.getNodeParameter("limit", itemIndex, 50) as number,
      zone_id: readId(context, "zone", itemIndex),
      type: toList(options["types"]),
      created_since: toText(options["createdSince"]),
      created_before: toText(options["createdBefore"]),
      min_score: options["minScore"],
      scope: options["everything"] === true ? "all" : undefined,
    },
    itemIndex,
  });
  return results;
};
