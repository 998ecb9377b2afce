import { type Static, Type } from "typebox";
import { SEARCH_SCOPES, type SearchFilter } from "#domain/answers/search.ts";
import { TILE_STATUSES, TILE_TYPES } from "#domain/content/tile.ts";
import type { SearchResult } from "#service/answer/ask.ts";
import { readTime } from "../request/time.ts";
import { type InputLimits, type Output, choice, entity, object, orNull } from "./schema.ts";
import { tileType } from "./tiles/tile.ts";
import { EXAMPLE, EXAMPLE_QUOTE } from "./example.ts";

/** UTF-16 code units. */
const RANGE = object({ start: Type.Integer(), end: Type.Integer() });
const citationFields = {
  tileId: Type.String(),
  title: Type.String(),
  type: tileType,
  sourceUrl: orNull("string"),
  quote: Type.String({ description: "Words of the tile's extractedText, from start to end." }),
  start: Type.Integer({ description: "UTF-16 code units." }),
  end: Type.Integer(),
  seconds: Type.Optional(Type.Number({ description: "When it is said, if the tile is a transcript." })),
  highlights: Type.Optional(
    Type.Array(RANGE, { description: "Where the sentences, rows or items that answer are in quote. Only without a model." }),
  ),
};
const PASSAGE_EXAMPLE = { tileId: EXAMPLE.tileId, title: EXAMPLE.title, type: "WEBSITE", ...EXAMPLE_QUOTE };
export const CITATION = entity("Citation", citationFields, { examples: [{ ...PASSAGE_EXAMPLE, sourceUrl: EXAMPLE.url }] });

const score = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const EXPLANATION = Type.Object(
  {
    budgetTokens: Type.Integer(),
    candidates: Type.Array(
      Type.Object({
        tileId: Type.String(),
        start: Type.Integer(),
        end: Type.Integer(),
        score: Type.Number(),
        parts: Type.Object({ lexical: score, semantic: score, rerank: score }),
        used: Type.Boolean(),
        reason: Type.String(),
      }),
    ),
  },
  { title: "Explanation", additionalProperties: true },
);

export const ANSWER = entity("Answer", {
  answer: Type.String({ examples: ["The lighthouse at Nordholm was built in 1887. [1]"] }),
  contextTokens: Type.Integer({ examples: [412] }),
  answered: Type.Boolean({ description: "false if the board does not contain the answer; citations are then the closest passages." }),
  mode: choice(["model", "extractive"]),
  notice: Type.Optional(
    Type.String({ description: "What readers should know about how the answer was made, such as why no model was used." }),
  ),
  citations: Type.Array(CITATION),
  explain: Type.Optional(EXPLANATION),
});

const resultFields = {
  tileId: Type.String(),
  title: Type.String(),
  type: tileType,
  score: Type.Number({ description: "The share of the best possible match, 0 to 1." }),
  quote: Type.String({ description: "The tile's extractedText from start to end." }),
  start: Type.Integer(),
  end: Type.Integer(),
  highlights: Type.Array(RANGE, { description: "Where the search terms are in quote." }),
  connected: Type.Optional(
    Type.Boolean({ description: "Only with scope=all: whether the tile is used to answer questions once it is ready." }),
  ),
  status: Type.Optional(
    choice(TILE_STATUSES, { title: "TileStatus", description: "Only with scope=all. quote is empty unless the tile is ready." }),
  ),
};
const SEARCH_RESULT = entity("SearchResult", resultFields, {
  examples: [{ ...PASSAGE_EXAMPLE, score: 0.73, highlights: [{ start: 4, end: 14 }] }],
});

export const SEARCH_RESPONSE = object({ results: Type.Array(SEARCH_RESULT) });

export const presentSearchResult = ({ state, ...result }: SearchResult): Output<typeof SEARCH_RESULT> => ({ ...result, ...state });

const explain = Type.Optional(Type.Boolean({ description: "Adds how the passages were ranked and selected." }));
export const EXPLAIN_QUERY = Type.Object({ explain });

export const createAskInputs = ({ question }: InputLimits) => ({
  body: Type.Object(
    { question: Type.String({ maxLength: question, description: "The question." }), explain },
    { examples: [{ question: "When was the lighthouse built?" }] },
  ),
  query: Type.Object({ q: Type.String({ maxLength: question, "x-name": "question", description: "The question." }), explain }),
});

export const createSearchQuery = ({ question }: InputLimits) =>
  Type.Object({
    q: Type.String({
      maxLength: question,
      description: 'The search terms. "Quotation marks" match a phrase, begin* matches every word with this prefix.',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "The maximum number of results. Default: 10." })),
    min_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Leaves out results with a lower score: the share of the best possible match, 0 to 1. Default: 0.",
      }),
    ),
    scope: Type.Optional(
      choice(SEARCH_SCOPES, {
        description:
          "connected (default): content that is used to answer questions. all: also disconnected tiles, and tiles that are processing or failed, by title and address.",
      }),
    ),
    zone_id: Type.Optional(Type.String({ description: "Only tiles of this zone. It must belong to the board." })),
    type: Type.Optional(choice(TILE_TYPES, { title: "TileType", description: "Only tiles of this type." })),
    created_since: Type.Optional(Type.String({ format: "date-time", description: "Only tiles created at or after this time." })),
    created_before: Type.Optional(Type.String({ format: "date-time", description: "Only tiles created before this time." })),
  });

/** Returns the filter of a search; throws 400 for times that are not ISO 8601. */
export function readSearchFilter(query: Static<ReturnType<typeof createSearchQuery>>): SearchFilter {
  const { zone_id: zoneId, type, created_since: since, created_before: before } = query;
  return {
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { createdSince: readTime("created_since", since) }),
    ...(before === undefined ? {} : { createdBefore: readTime("created_before", before) }),
  };
}
