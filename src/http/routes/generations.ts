import type { FastifyReply, FastifyRequest } from "fastify";
import { requirePermission } from "#domain/core/access.ts";
import type { Actor } from "#domain/core/access.ts";
import { notFound } from "#domain/core/error.ts";
import type { Generation, GenerationEndpoint, GenerationRequest } from "#domain/answers/generation.ts";
import { grantBusiness } from "#service/access.ts";
import {
  type Begun,
  awaitGeneration,
  beginGeneration,
  cancelGeneration,
  grantGeneration,
  rememberGeneration,
  requireSuccess,
  waitForGeneration,
} from "#service/generation/generations.ts";
import { readGenerationRequest } from "../wire/generation-request.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../route.ts";
import { toHttpError } from "../response/errors.ts";
import { openEventStream, chunkText, acceptsEventStream } from "../streams/event-stream.ts";
import { renderGenerationListing } from "../listing/generations.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { presentGeneration } from "../wire/content.ts";
import type { Inputs } from "../wire/inputs.ts";
import { OUTPUTS } from "../wire/outputs.ts";

const HOW =
  'Answers when it is done. With Prefer: respond-async or "async": true, and where it takes longer than a platform waits, it is 202 with Location and status processing. With Accept: text/event-stream it is streamed.';

export function generationRoutes(inputs: Inputs): AnyRoute[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/generate",
      tag: "Generation",
      summary: "Write a piece from a board",
      description: HOW,
      body: inputs.generate,
      response: OUTPUTS.generation,
      rateLimit: "ask",
      mayReturnAccepted: true,
      guard: (_deps, actor) => requirePermission(actor, "ask"),
      handle: ({ deps, actor, body, request, reply }) =>
        answer(deps, actor, { boardId: body.board_id, endpoint: "/api/v1/generate", request: readGenerationRequest(body) }, request, reply),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/idea",
      tag: "Generation",
      summary: "Find ideas in a board",
      description: HOW,
      body: inputs.idea,
      response: OUTPUTS.generation,
      rateLimit: "ask",
      mayReturnAccepted: true,
      guard: (_deps, actor) => requirePermission(actor, "ask"),
      handle: ({ deps, actor, body, request, reply }) =>
        answer(deps, actor, { boardId: body.board_id, endpoint: "/api/v1/idea", request: readGenerationRequest(body) }, request, reply),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/generations",
      tag: "Generation",
      summary: "List generations",
      description: "The newest first, without what they made. A board-scoped key sees only its own board's.",
      query: inputs.generationPage,
      response: OUTPUTS.generations,
      guard: (deps, actor) => grantBusiness(deps, actor, "read"),
      handle: ({ deps, actor, query }) => renderGenerationListing(deps, actor, query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/generations/:generationId",
      tag: "Generation",
      summary: "Read a generation",
      description: "With wait, answers when it is no longer processing, or after that many seconds.",
      query: inputs.wait,
      response: OUTPUTS.generation,
      guard: (deps, actor, { generationId = "" }) => grantGeneration(deps, actor, generationId, "read"),
      async handle({ deps, authorized, query, reply }) {
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        const { generation } = authorized;
        const current = query.wait === undefined ? generation : await waitForGeneration(deps, generation, query.wait, gone.signal);
        if (current === null) throw notFound("Generation");
        return { generation: presentGeneration(current) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/generations/:generationId/cancel",
      tag: "Generation",
      summary: "Cancel a generation",
      description: "409 when it has ended.",
      response: OUTPUTS.generation,
      guard: (deps, actor, { generationId = "" }) => grantGeneration(deps, actor, generationId, "ask"),
      handle: async ({ deps, authorized: { generation, scope } }) => ({
        generation: presentGeneration(await cancelGeneration(deps, scope, generation.id)),
      }),
    }),
  ];
}

type Wanted = { readonly boardId: string; readonly endpoint: GenerationEndpoint; readonly request: GenerationRequest };

async function answer(deps: HttpDeps, actor: Actor, wanted: Wanted, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const prefers = prefersAsync(String(request.headers.prefer ?? ""));
  const isAsync = wanted.request.async ?? prefers;
  const input = isAsync ? { ...wanted, request: { ...wanted.request, async: true } } : wanted;
  const once = readIdempotencyKey(request, actor, deps.clock.now(), rememberGeneration);
  const begun = await beginGeneration(deps, actor, input, once);
  // Told with an answer alone: a refusal is no replay of one.
  const told = <T>(answered: T): T => {
    if (begun.isReplayed) reply.header("Idempotency-Replayed", "true");
    return answered;
  };
  if (isAsync) {
    if (prefers) reply.header("Preference-Applied", "respond-async");
    return told(answerLate(reply, begun.generation));
  }
  if (acceptsEventStream(request)) return streamAnswer(told(reply), begun);
  const generation = await awaitGeneration(deps, begun, deps.limits.generateWaitMs);
  return told(generation.status === "processing" ? answerLate(reply, generation) : { generation: presentGeneration(generation) });
}

/** Whether `respond-async` is among the preferences (RFC 7240, section 4.1). */
const prefersAsync = (prefer: string): boolean => prefer.split(",").some((one) => /^\s*respond-async\s*(?:;|$)/i.test(one));

/** 202 with where it will be, or what came of it where that is known already. */
function answerLate(reply: FastifyReply, generation: Generation): unknown {
  const isLate = generation.status === "processing";
  reply.code(isLate ? 202 : 200).header("Location", `/api/v1/generations/${generation.id}`);
  return { generation: presentGeneration(isLate ? generation : requireSuccess(generation)) };
}

/** Server-sent events: `token`s of what was written, then `done` with the whole body, or `error`. */
async function streamAnswer(reply: FastifyReply, begun: Begun): Promise<FastifyReply> {
  reply.header("Location", `/api/v1/generations/${begun.generation.id}`);
  const stream = openEventStream(reply);
  try {
    const generation = requireSuccess(await begun.ended());
    for (const text of chunkText(textOf(generation))) await stream.send("token", { text });
    await stream.send("done", { generation: presentGeneration(generation) });
  } catch (error) {
    await stream.send("error", { error: toHttpError(error).message });
  }
  stream.end();
  return reply;
}

const textOf = ({ result }: Generation): string =>
  result?.output?.text ?? (result?.ideas ?? []).map(({ title, hook }) => `${title}\n${hook}`).join("\n\n");
