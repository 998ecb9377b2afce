import { Type } from "typebox";
import {
  ASSET_TYPES,
  GENERATION_ENDPOINTS,
  GENERATION_STATUSES,
  type Generation,
  type GenerationSummary,
} from "#domain/answers/generation.ts";
import { isoTime } from "#domain/core/system.ts";
import { CITATION } from "./answer.ts";
import { type Output, choice, choiceOrNull, entity, nextCursor, object, time } from "./schema.ts";
import { EXAMPLE } from "./example.ts";

const common = {
  id: Type.String(),
  boardId: Type.String(),
  endpoint: choice(GENERATION_ENDPOINTS, { title: "GenerationEndpoint" }),
  assetType: Type.Optional(choice(ASSET_TYPES, { title: "AssetType" })),
  status: choice(GENERATION_STATUSES, { title: "GenerationStatus" }),
  savedTileId: Type.Optional(Type.String({ description: "The tile that contains the result." })),
  error: Type.Optional(object({ code: Type.String(), message: Type.String() })),
  createdAt: time,
  updatedAt: time,
};

const SUMMARY_EXAMPLE = {
  id: EXAMPLE.generationId,
  boardId: EXAMPLE.boardId,
  endpoint: "/api/v1/generate",
  assetType: "post",
  status: "complete",
  title: EXAMPLE.title,
  createdAt: EXAMPLE.created,
  updatedAt: EXAMPLE.created,
};
const { title: _title, ...COMMON_EXAMPLE } = SUMMARY_EXAMPLE;

/** A generation in a listing. */
const GENERATION_SUMMARY = entity("GenerationSummary", { ...common, title: Type.Optional(Type.String()) }, { examples: [SUMMARY_EXAMPLE] });

const OUTPUT_SECTION = entity("OutputSection", { heading: Type.String(), text: Type.String(), citations: Type.Array(CITATION) });

const IDEA = entity("Idea", {
  id: Type.String(),
  title: Type.String(),
  hook: Type.String(),
  angle: Type.String(),
  rationale: Type.String(),
  citations: Type.Array(CITATION),
});

const generationFields = {
  ...common,
  zoneIds: Type.Optional(Type.Array(Type.String(), { description: "The zones it was restricted to. Absent if it was not." })),
  tileIds: Type.Optional(Type.Array(Type.String(), { description: "The tiles it was restricted to. Absent if it was not." })),
  mode: choiceOrNull(["model", "extractive"], {
    description: "model: written by a language model. extractive: assembled from sentences of the tiles. null until it is complete.",
  }),
  output: Type.Optional(
    Type.Union([
      object({
        title: Type.String(),
        text: Type.String({ description: "The whole text, as light Markdown." }),
        sections: Type.Array(OUTPUT_SECTION),
      }),
      Type.Null(),
    ]),
  ),
  ideas: Type.Optional(Type.Union([Type.Array(IDEA), Type.Null()])),
  citations: Type.Array(CITATION),
  contextTokens: Type.Integer(),
  notice: Type.Optional(Type.String({ description: "What readers should know about how it was made." })),
};
const COMPLETE_EXAMPLE = {
  ...COMMON_EXAMPLE,
  mode: "model",
  output: { title: EXAMPLE.title, text: EXAMPLE.text, sections: [{ heading: "", text: EXAMPLE.text, citations: [] }] },
  citations: [],
  contextTokens: 412,
};
const PROCESSING_EXAMPLE = { ...COMPLETE_EXAMPLE, status: "processing", mode: null, output: null, contextTokens: 0 };
const { output: _output, assetType: _assetType, ...WITHOUT_OUTPUT } = COMPLETE_EXAMPLE;
const IDEAS_EXAMPLE = {
  ...WITHOUT_OUTPUT,
  endpoint: "/api/v1/idea",
  ideas: [{ id: "idea_1", title: EXAMPLE.title, hook: "A light since 1887.", angle: "History", rationale: EXAMPLE.text, citations: [] }],
};
const GENERATION = entity("Generation", generationFields, { examples: [COMPLETE_EXAMPLE, PROCESSING_EXAMPLE, IDEAS_EXAMPLE] });

export const GENERATION_RESPONSES = {
  generation: object({ generation: GENERATION }),
  generations: object({ generations: Type.Array(GENERATION_SUMMARY), nextCursor }),
};

const presentCommonFields = (generation: GenerationSummary) => ({
  id: generation.id,
  boardId: generation.boardId,
  endpoint: generation.endpoint,
  ...(generation.assetType === null ? {} : { assetType: generation.assetType }),
  status: generation.status,
  ...(generation.savedTileId === null ? {} : { savedTileId: generation.savedTileId }),
  ...(generation.error === null ? {} : { error: { code: generation.error.code, message: generation.error.message } }),
  createdAt: isoTime(generation.createdAt),
  updatedAt: isoTime(generation.updatedAt),
});

export const presentGenerationSummary = (generation: GenerationSummary): Output<typeof GENERATION_SUMMARY> => ({
  ...presentCommonFields(generation),
  ...(generation.title === null ? {} : { title: generation.title }),
});

/** Returns a generation with its result: `output` of generate, `ideas` of idea; null until it is complete. */
export const presentGeneration = (generation: Generation): Output<typeof GENERATION> => ({
  ...presentCommonFields(generation),
  ...(generation.request.zoneIds === undefined ? {} : { zoneIds: generation.request.zoneIds }),
  ...(generation.request.tileIds === undefined ? {} : { tileIds: generation.request.tileIds }),
  mode: generation.result?.mode ?? null,
  ...(generation.endpoint === "/api/v1/idea" ? { ideas: generation.result?.ideas ?? null } : { output: generation.result?.output ?? null }),
  citations: generation.result?.citations ?? [],
  contextTokens: generation.result?.contextTokens ?? 0,
  ...(generation.result?.notice === undefined ? {} : { notice: generation.result.notice }),
});
