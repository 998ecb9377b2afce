import type { FastifyReply, FastifyRequest } from "fastify";
import { requirePermission } from "#domain/core/access.ts";
import type { Actor } from "#domain/core/access.ts";
import { notFound } from "#domain/core/errors/error.ts";
import type { Generation, GenerationEndpoint, GenerationRequest } from "#domain/answers/generation.ts";
import { authorizeBusiness } from "#service/access.ts";
import {
  type StartedGeneration,
  awaitGeneration,
  startGeneration,
  cancelGeneration,
  authorizeGeneration,
  presentGenerationId,
  requireSuccess,
  waitForGeneration,
} from "#service/generation/generations.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../route.ts";
import { toHttpError } from "../response/errors.ts";
import { EVENT_STREAM_BYTES, openEventStream, splitForEvents, acceptsEventStream } from "../streams/event-stream.ts";
import { readGenerationListing } from "../listing/generations.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { waitOrAbort } from "#runtime/wait.ts";
import { applyPreference, prefersAsync } from "../request/prefer.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { GENERATION_QUERY, createGenerationInputs, readGenerationRequest } from "../wire/generation-input.ts";
import { GENERATION_RESPONSES, presentGeneration } from "../wire/generation.ts";
import { type InputLimits, waitQuery } from "../wire/schema.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";

type Inputs = ReturnType<typeof createGenerationInputs>;

const DESCRIPTION =
  'Responds when the generation is complete, or with 202, Location and status processing if it takes too long, or at once with Prefer: respond-async or "async": true. Send Accept: text/event-stream to stream the result.';

const generateRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/v1/generate",
    operationId: "generateText",
    isTagged: true,
    tag: "Generation",
    summary: "Write a text from a board",
    description: DESCRIPTION,
    body: inputs.generate,
    headers: ["Idempotency-Key", "Prefer"],
    streams: true,
    response: GENERATION_RESPONSES.generation,
    rateLimit: "ask",
    accepts: "sometimes",
    guard: (_deps, actor) => requirePermission(actor, "ask"),
    handle: ({ deps, actor, body, request, reply }) =>
      sendGeneration(
        deps,
        actor,
        { boardId: body.board_id, endpoint: "/api/v1/generate", request: readGenerationRequest(body) },
        request,
        reply,
      ),
  });

const ideaRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/v1/idea",
    operationId: "generateIdeas",
    isTagged: true,
    tag: "Generation",
    summary: "Suggest ideas from a board",
    description: DESCRIPTION,
    body: inputs.idea,
    headers: ["Idempotency-Key", "Prefer"],
    streams: true,
    example: 2,
    response: GENERATION_RESPONSES.generation,
    rateLimit: "ask",
    accepts: "sometimes",
    guard: (_deps, actor) => requirePermission(actor, "ask"),
    handle: ({ deps, actor, body, request, reply }) =>
      sendGeneration(
        deps,
        actor,
        { boardId: body.board_id, endpoint: "/api/v1/idea", request: readGenerationRequest(body) },
        request,
        reply,
      ),
  });

const listRoute = defineRoute({
  method: "GET",
  path: "/api/v1/generations",
  operationId: "listGenerations",
  tag: "Generation",
  summary: "List generations",
  description: "Newest first, without results. A key that is limited to a board sees only generations of that board.",
  query: GENERATION_QUERY,
  response: GENERATION_RESPONSES.generations,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "read"),
  handle: ({ deps, actor, query, reply }) => readGenerationListing(deps, actor, query, createDisconnectSignal(reply)),
});

const readRoute = defineRoute({
  method: "GET",
  path: "/api/v1/generations/:generationId",
  operationId: "getGeneration",
  isTagged: true,
  tag: "Generation",
  summary: "Get a generation",
  description: "With wait, responds when the generation is no longer processing, or after that many seconds.",
  query: waitQuery("generation"),
  response: GENERATION_RESPONSES.generation,
  guard: (deps, actor, { generationId = "" }) => authorizeGeneration(deps, actor, generationId, "read"),
  async handle({ deps, actor, authorized, query, reply }) {
    const disconnected = createDisconnectSignal(reply);
    const { generation } = authorized;
    const current = query.wait === undefined ? generation : await waitForGeneration(deps, actor, generation, query.wait, disconnected);
    if (current === null) throw notFound("Generation");
    return { generation: presentGeneration(current) };
  },
});

const cancelRoute = defineRoute({
  method: "POST",
  path: "/api/v1/generations/:generationId/cancel",
  operationId: "cancelGeneration",
  isTagged: true,
  tag: "Generation",
  summary: "Cancel a generation",
  description: "Returns 409 if the generation has ended.",
  response: GENERATION_RESPONSES.generation,
  guard: (deps, actor, { generationId = "" }) => authorizeGeneration(deps, actor, generationId, "ask"),
  handle: async ({ deps, authorized: { generation, scope } }) => ({
    generation: presentGeneration(await cancelGeneration(deps, scope, generation.id)),
  }),
});

type GenerationCall = { readonly boardId: string; readonly endpoint: GenerationEndpoint; readonly request: GenerationRequest };

async function sendGeneration(
  deps: HttpDeps,
  actor: Actor,
  call: GenerationCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const isAsyncPreferred = prefersAsync(request);
  const isAsync = call.request.async ?? isAsyncPreferred;
  const isStreamed = !isAsync && acceptsEventStream(request);
  const disconnected = createDisconnectSignal(reply);
  if (isStreamed) deps.responses.hold(reply.raw, ownerOfRequest(request), EVENT_STREAM_BYTES);
  const input = isAsync ? { ...call, request: { ...call.request, async: true } } : call;
  const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentGenerationId);
  const started = await startGeneration(deps, actor, input, idempotency);
  // Set only on successful responses: an error is not a replayed response.
  const withReplayHeader = <T>(result: T): T => {
    if (started.isReplayed) reply.header("Idempotency-Replayed", "true");
    return result;
  };
  if (isAsync) {
    if (isAsyncPreferred) applyPreference(reply, "respond-async");
    return withReplayHeader(sendAccepted(reply, started.generation));
  }
  if (isStreamed) {
    const access = deps.accessWatch.follow(actor);
    try {
      return await streamResult(withReplayHeader(reply), started, AbortSignal.any([disconnected, access.signal]));
    } finally {
      access.stop();
    }
  }
  const generation = await awaitGeneration(deps, started, deps.limits.generateWaitMs, disconnected);
  return withReplayHeader(
    generation.status === "processing" ? sendAccepted(reply, generation) : { generation: presentGeneration(generation) },
  );
}

/** Responds with 202 and the location of the generation, or with its result if it has one already. */
function sendAccepted(reply: FastifyReply, generation: Generation): unknown {
  const isProcessing = generation.status === "processing";
  reply.code(isProcessing ? 202 : 200).header("Location", `/api/v1/generations/${generation.id}`);
  return { generation: presentGeneration(isProcessing ? generation : requireSuccess(generation)) };
}

/** Sends events `token` with parts of the text, then `done` with the whole body, or `error`, which it throws. `signal` ends the stream, not the work. */
async function streamResult(reply: FastifyReply, started: StartedGeneration, signal: AbortSignal): Promise<FastifyReply> {
  reply.header("Location", `/api/v1/generations/${started.generation.id}`);
  const stream = openEventStream(reply);
  try {
    const generation = requireSuccess(await waitOrAbort(started.ended(signal), signal));
    for (const text of splitForEvents(getText(generation))) {
      signal.throwIfAborted();
      await stream.send("token", { text });
    }
    signal.throwIfAborted();
    await stream.send("done", { generation: presentGeneration(generation) });
  } catch (error) {
    const { message, code } = toHttpError(error);
    await stream.send("error", { error: message, code });
    throw error;
  } finally {
    stream.end();
  }
  return reply;
}

const getText = ({ result }: Generation): string =>
  result?.output?.text ?? (result?.ideas ?? []).map(({ title, hook }) => `${title}\n${hook}`).join("\n\n");

export function generationRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createGenerationInputs(limits);
  return [generateRoute(inputs), ideaRoute(inputs), listRoute, readRoute, cancelRoute];
}
