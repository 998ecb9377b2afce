import { SEARCH_SCOPES } from "#domain/answers/search.ts";
import { authorizeBoard } from "#service/access.ts";
import { askBoard, search } from "#service/answer/ask.ts";
import { INTEGER, OPTIONAL_STRING, STRING, type TextLimits, type Tool, defineTool, objectArray } from "../tool.ts";
import { BOARD_ID } from "./boards.ts";

const DEFAULT_ROWS = 10;
const MAX_ROWS = 50;

const NUMBER = { type: "number" } as const;
const BOOLEAN = { type: "boolean" } as const;
const searchResult = { tileId: STRING, title: STRING, type: STRING, score: NUMBER, quote: STRING, connected: BOOLEAN, status: STRING };
const citation = {
  tileId: STRING,
  title: STRING,
  type: STRING,
  sourceUrl: OPTIONAL_STRING,
  quote: STRING,
  start: INTEGER,
  end: INTEGER,
  seconds: NUMBER,
  highlights: objectArray({ start: INTEGER, end: INTEGER }),
};

const searchBoard = (limits: TextLimits): Tool =>
  defineTool({
    name: "search_board",
    title: "Search a board",
    description:
      "Finds the tiles of a board whose text matches best, each with a quote from it. Connected content is searched; scope all also finds tiles that do not feed chat, and those that are processing or failed by title and address, and returns connected and status of each.",
    requiredAccess: "read",
    fields: {
      board_id: BOARD_ID,
      query: { type: "string", description: "The words to look for.", required: true, maxLength: limits.question },
      limit: { type: "integer", description: `The maximum number of tiles; ${DEFAULT_ROWS} by default.`, minimum: 1, maximum: MAX_ROWS },
      scope: { type: "string", description: "connected, the default, or all.", enum: SEARCH_SCOPES },
    },
    output: { results: objectArray(searchResult, ["connected", "status"]) },
    async run({ deps, actor, args, signal }) {
      const scope = await authorizeBoard(deps, actor, args.board_id, "read");
      const options = { limit: args.limit ?? DEFAULT_ROWS, ...(args.scope === undefined ? {} : { scope: args.scope }) };
      const results = await search(deps, scope, args.query, options, signal);
      return {
        data: { results: results.map(({ tileId, title, type, score, quote, state }) => ({ tileId, title, type, score, quote, ...state })) },
      };
    },
  });

const askBoardTool = (limits: TextLimits): Tool =>
  defineTool({
    name: "ask_board",
    title: "Ask a board",
    description:
      "Answers a question from the board's connected content, with citations: verbatim quotes from its tiles. answered is false when the board does not contain the answer; then say so instead of guessing.",
    requiredAccess: "ask",
    fields: {
      board_id: BOARD_ID,
      question: { type: "string", description: "The question, in any language.", required: true, maxLength: limits.question },
    },
    output: {
      answer: STRING,
      answered: { type: "boolean" },
      mode: STRING,
      contextTokens: INTEGER,
      citations: objectArray(citation, ["seconds", "highlights"]),
    },
    async run({ deps, actor, args, signal }) {
      const scope = await authorizeBoard(deps, actor, args.board_id, "ask");
      await deps.countQuestion(actor);
      const answer = await askBoard(deps, scope, args.question, false, { signal });
      return { data: { ...answer } };
    },
  });

export const questionTools = (limits: TextLimits): readonly Tool[] => [searchBoard(limits), askBoardTool(limits)];
