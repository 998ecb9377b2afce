import { Type } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import type { GenerationEndpoint, GenerationRequest } from "#domain/answers/generation.ts";
import { notFound } from "#domain/core/errors/error.ts";
import { createGenerationInputs, readGenerationRequest } from "#http/wire/generation-input.ts";
import { GENERATION_RESPONSES, presentGeneration } from "#http/wire/generation.ts";
import { type InputLimits, waitQuery } from "#http/wire/schema.ts";
import {
  authorizeGeneration,
  awaitGeneration,
  requireSuccess,
  startGeneration,
  waitForGeneration,
} from "#service/generation/generations.ts";
import { type Tool, type ToolDeps, type ToolResult, defineTool } from "../tool.ts";

/** Most clients give up a call after 60 s. */
const MAX_WAIT_MS = 50_000;

const WAITS =
  "It waits for the result. If status is processing, it takes longer: call read_generation with the id and wait, instead of starting another one.";
const STARTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

async function generate(
  deps: ToolDeps,
  actor: Actor,
  boardId: string,
  endpoint: GenerationEndpoint,
  request: GenerationRequest,
): Promise<ToolResult> {
  await deps.countQuestion(actor);
  const started = await startGeneration(deps, actor, { boardId, endpoint, request });
  const generation = await awaitGeneration(deps, started, Math.min(deps.generateWaitMs, MAX_WAIT_MS));
  return { data: { generation: presentGeneration(generation) } };
}

export function generationTools(limits: InputLimits): readonly Tool[] {
  const inputs = createGenerationInputs(limits);
  const { async: _generateAsync, ...generateFields } = inputs.generate.properties;
  const { async: _ideaAsync, ...ideaFields } = inputs.idea.properties;
  return [
    defineTool({
      name: "generate_text",
      title: "Write a text from a board",
      description: `Writes a text from the board's content, such as a post, an article or a newsletter, with citations. For a fact use ask_board. save_to_zone_id also saves the text as a tile, which needs the permission write. ${WAITS}`,
      requiredAccess: "ask",
      hints: STARTS,
      input: Type.Object(generateFields),
      output: GENERATION_RESPONSES.generation,
      run: ({ deps, actor, args }) => generate(deps, actor, args.board_id, "/api/v1/generate", readGenerationRequest(args)),
    }),
    defineTool({
      name: "generate_ideas",
      title: "Suggest ideas from a board",
      description: `Suggests what could be written from the board's content. generate_text takes the id of an idea as idea_id. ${WAITS}`,
      requiredAccess: "ask",
      hints: STARTS,
      input: Type.Object(ideaFields),
      output: GENERATION_RESPONSES.generation,
      run: ({ deps, actor, args }) => generate(deps, actor, args.board_id, "/api/v1/idea", readGenerationRequest(args)),
    }),
    readGeneration,
  ];
}

const readGeneration = defineTool({
  name: "read_generation",
  title: "Read a generation",
  description: "Reads a generation that generate_text or generate_ideas started, with its result once status is complete.",
  requiredAccess: "read",
  input: Type.Object({
    generation_id: Type.String({ description: "The generation's id." }),
    ...waitQuery("generation").properties,
  }),
  output: GENERATION_RESPONSES.generation,
  async run({ deps, actor, args, signal }) {
    const { generation } = await authorizeGeneration(deps, actor, args.generation_id, "read");
    const seconds = Math.min(args.wait ?? 0, MAX_WAIT_MS / 1_000);
    const current = seconds === 0 ? generation : await waitForGeneration(deps, actor, generation, seconds, signal);
    if (current === null) throw notFound("Generation");
    return { data: { generation: presentGeneration(requireSuccess(current)) } };
  },
});
