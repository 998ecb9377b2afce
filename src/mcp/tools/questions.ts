import { Type } from "typebox";
import { ANSWER, createSearchQuery, readSearchFilter } from "#http/wire/answer.ts";
import { type InputLimits, choice, object } from "#http/wire/schema.ts";
import { tileType } from "#http/wire/tiles/tile.ts";
import { TILE_STATUSES } from "#domain/content/tile.ts";
import { authorizeBoard } from "#service/access.ts";
import { askBoard, search } from "#service/answer/ask.ts";
import { BOARD_ID } from "../schema.ts";
import { type Tool, defineTool } from "../tool.ts";

const DEFAULT_ROWS = 10;
const MAX_ROWS = 50;

const searchResult = object({
  tileId: Type.String(),
  title: Type.String(),
  type: tileType,
  score: Type.Number({ description: "The share of the best possible match, 0 to 1." }),
  quote: Type.String(),
  connected: Type.Optional(Type.Boolean()),
  status: Type.Optional(choice(TILE_STATUSES)),
});

function searchBoard(limits: InputLimits): Tool {
  const { q: _q, limit: _limit, ...narrowing } = createSearchQuery(limits).properties;
  return defineTool({
    name: "search_board",
    title: "Search a board",
    description:
      "Finds the tiles of a board whose text matches best, each with a quote from it. Connected content is searched; scope all also finds tiles that do not feed chat, and those that are processing or failed by title and address, and returns connected and status of each. min_score leaves out what hardly matches.",
    requiredAccess: "read",
    input: Type.Object({
      board_id: BOARD_ID,
      query: Type.String({ maxLength: limits.question, description: "The words to look for." }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: `The maximum number of tiles; ${DEFAULT_ROWS} by default.` }),
      ),
      ...narrowing,
    }),
    output: object({ results: Type.Array(searchResult) }),
    async run({ deps, actor, args, signal }) {
      const filter = readSearchFilter({ ...args, q: args.query });
      const scope = await authorizeBoard(deps, actor, args.board_id, "read");
      const options = {
        limit: args.limit ?? DEFAULT_ROWS,
        filter,
        ...(args.scope === undefined ? {} : { scope: args.scope }),
        ...(args.min_score === undefined ? {} : { minScore: args.min_score }),
      };
      const results = await search(deps, scope, args.query, options, signal);
      return {
        data: { results: results.map(({ tileId, title, type, score, quote, state }) => ({ tileId, title, type, score, quote, ...state })) },
      };
    },
  });
}

const askBoardTool = (limits: InputLimits): Tool =>
  defineTool({
    name: "ask_board",
    title: "Ask a board",
    description:
      "Answers a question from the board's connected content, with citations: verbatim quotes from its tiles. answered is false when the board does not contain the answer; then say so instead of guessing.",
    requiredAccess: "ask",
    input: Type.Object({
      board_id: BOARD_ID,
      question: Type.String({ maxLength: limits.question, description: "The question, in any language." }),
    }),
    output: ANSWER,
    async run({ deps, actor, args, signal }) {
      const scope = await authorizeBoard(deps, actor, args.board_id, "ask");
      await deps.countQuestion(actor);
      const answer = await askBoard(deps, scope, args.question, false, { signal });
      return { data: { ...answer } };
    },
  });

export const questionTools = (limits: InputLimits): readonly Tool[] => [searchBoard(limits), askBoardTool(limits)];
