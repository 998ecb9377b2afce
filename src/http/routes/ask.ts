import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import { authorizeBoard } from "#service/access.ts";
import type { Listener } from "#service/answer/model.ts";
import { type Answer, askBoard, search } from "#service/answer/ask.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../route.ts";
import { toHttpError } from "../response/errors.ts";
import {
  EVENT_STREAM_BYTES,
  type EventStream,
  openEventStream,
  splitForEvents,
  acceptsEventStream,
  sendEventStreamHead,
} from "../streams/event-stream.ts";
import {
  ANSWER,
  EXPLAIN_QUERY,
  SEARCH_RESPONSE,
  createAskInputs,
  createSearchQuery,
  presentSearchResult,
  readSearchFilter,
} from "../wire/answer.ts";
import type { InputLimits } from "../wire/schema.ts";

type Inputs = ReturnType<typeof createAskInputs>;

const DESCRIPTION =
  "Answers from the connected content of the board. Send Accept: text/event-stream to stream the answer. " +
  "Returns 402 if the token budget of the key is spent.";

const SEARCH_DESCRIPTION =
  'Returns one result per tile, best match first. "Quotation marks" match a phrase, begin* matches every word with this prefix, and words that the board does not contain also match words with one typo. With scope=all, each result has connected and status.';

const askRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/board/:boardId/ask",
    operationId: "askBoard",
    tag: "Ask",
    summary: "Ask a board",
    description: DESCRIPTION,
    body: inputs.body,
    query: EXPLAIN_QUERY,
    streams: true,
    response: ANSWER,
    rateLimit: "ask",
    guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "ask"),
    handle({ deps, actor, authorized, body, query, ignored, request, reply }) {
      if (body.explain !== undefined && query.explain !== undefined) ignored.addWithoutEffect("explain");
      const explain = body.explain ?? query.explain ?? false;
      return sendAnswer({ deps, actor, request, reply }, (listener) => askBoard(deps, authorized, body.question, explain, listener));
    },
  });

const askQueryRoute = (inputs: Inputs) =>
  defineRoute({
    method: "GET",
    path: "/api/board/:boardId/ask",
    operationId: "askBoardByQuery",
    tag: "Ask",
    summary: "Ask a board",
    description: DESCRIPTION,
    query: inputs.query,
    streams: true,
    response: ANSWER,
    rateLimit: "ask",
    guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "ask"),
    handle: ({ deps, actor, authorized, query, request, reply }) =>
      sendAnswer({ deps, actor, request, reply }, (listener) => askBoard(deps, authorized, query.q, query.explain ?? false, listener)),
  });

const searchRoute = (limits: InputLimits) =>
  defineRoute({
    method: "GET",
    path: "/api/board/:boardId/search",
    operationId: "searchBoard",
    tag: "Ask",
    summary: "Search a board",
    description: SEARCH_DESCRIPTION,
    query: createSearchQuery(limits),
    response: SEARCH_RESPONSE,
    guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "read"),
    async handle({ deps, authorized, query, reply }) {
      const options = {
        limit: query.limit ?? 10,
        filter: readSearchFilter(query),
        ...(query.scope === undefined ? {} : { scope: query.scope }),
        ...(query.min_score === undefined ? {} : { minScore: query.min_score }),
      };
      return { results: (await search(deps, authorized, query.q, options, createDisconnectSignal(reply))).map(presentSearchResult) };
    },
  });

/** After how long a stream is opened if there is nothing to send yet, in milliseconds. */
const OPEN_DELAY_MS = 1_000;

type Ask = (listener: Listener) => Promise<Answer>;
type Call = { readonly deps: HttpDeps; readonly actor: Actor; readonly request: FastifyRequest; readonly reply: FastifyReply };

async function sendAnswer({ deps, actor, request, reply }: Call, ask: Ask): Promise<unknown> {
  const disconnected = createDisconnectSignal(reply);
  if (!acceptsEventStream(request)) return ask({ signal: disconnected });
  if (request.method === "HEAD") return sendEventStreamHead(reply);
  deps.responses.hold(reply.raw, ownerOfRequest(request), EVENT_STREAM_BYTES);
  const access = deps.accessWatch.follow(actor);
  try {
    await streamAnswer(reply, ask, AbortSignal.any([disconnected, access.signal]));
  } finally {
    access.stop();
  }
  return reply;
}

/**
 * Sends events `token` while the answer is written, then `done` with the whole body, or `error`. If a model fails after its first
 * tokens, `done` has an extractive answer, which replaces them. Throws the error that it has sent.
 */
async function streamAnswer(reply: FastifyReply, ask: Ask, signal: AbortSignal): Promise<void> {
  let opened: EventStream | undefined;
  const open = (): EventStream => (opened ??= openEventStream(reply));
  // Errors within this time are normal error responses. After it, the open stream shows that work is in progress.
  const timer = setTimeout(open, OPEN_DELAY_MS);
  let hasStarted = false;
  const onText = async (text: string): Promise<void> => {
    hasStarted = true;
    await open().send("token", { text });
  };
  try {
    const answer = await ask({ signal, onText });
    const stream = open();
    for (const text of hasStarted ? [] : splitForEvents(answer.answer)) {
      signal.throwIfAborted();
      await stream.send("token", { text });
    }
    signal.throwIfAborted();
    await stream.send("done", answer);
  } catch (error) {
    if (opened === undefined) throw error;
    const { message, code } = toHttpError(error);
    await opened.send("error", { error: message, code });
    throw error;
  } finally {
    clearTimeout(timer);
    opened?.end();
  }
}

export function askRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createAskInputs(limits);
  return [askRoute(inputs), askQueryRoute(inputs), searchRoute(limits)];
}
