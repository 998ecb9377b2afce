import type { Static } from "typebox";
import type { SearchFilter } from "#domain/answers/search.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { grantBoard } from "#service/access.ts";
import type { Listener } from "#service/answer/model.ts";
import { type Answer, askBoard, search } from "#service/answer/ask.ts";
import { disconnectSignal } from "../response/answers.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { toHttpError } from "../response/errors.ts";
import { type EventStream, openEventStream, chunkText, acceptsEventStream } from "../streams/event-stream.ts";
import { presentResult } from "../wire/content.ts";
import { readTime } from "../request/time.ts";
import type { Inputs } from "../wire/inputs.ts";
import { OUTPUTS } from "../wire/outputs.ts";

const DESCRIPTION =
  "Answers from the ready tiles whose zone is connected, or that are in no zone. With Accept: text/event-stream it is streamed. " +
  "402 when the key's budget for language models is spent.";

const SEARCH_DESCRIPTION =
  'One row a tile of the connected content, best first. "Words in quotation marks" must stand together, begin* stands for every word that begins so, and a word that the board does not know is taken for one a slip away. quote is the tile\'s extractedText from start to end; highlights are places within quote. With scope=all each result carries connected and status; one that is processing or failed was found by its title or address and has an empty quote.';

function readFilter(query: Static<Inputs["search"]>): SearchFilter {
  const { zone_id: zoneId, type, created_since: since, created_before: before } = query;
  return {
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { createdSince: readTime("created_since", since) }),
    ...(before === undefined ? {} : { createdBefore: readTime("created_before", before) }),
  };
}

export function askRoutes(inputs: Inputs): AnyRoute[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/board/:boardId/ask",
      tag: "Ask",
      summary: "Ask a board",
      description: DESCRIPTION,
      body: inputs.ask,
      query: inputs.explainQuery,
      response: OUTPUTS.answer,
      rateLimit: "ask",
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "ask"),
      handle: ({ deps, authorized, body, query, request, reply }) =>
        answer(request, reply, (listener) => askBoard(deps, authorized, body.question, body.explain ?? query.explain ?? false, listener)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/ask",
      tag: "Ask",
      summary: "Ask a board",
      description: DESCRIPTION,
      query: inputs.askQuery,
      response: OUTPUTS.answer,
      rateLimit: "ask",
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "ask"),
      handle: ({ deps, authorized, query, request, reply }) =>
        answer(request, reply, (listener) => askBoard(deps, authorized, query.q, query.explain ?? false, listener)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/search",
      tag: "Ask",
      summary: "Search a board",
      description: SEARCH_DESCRIPTION,
      query: inputs.search,
      response: OUTPUTS.search,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "read"),
      handle: async ({ deps, authorized, query }) => ({
        results: (
          await search(deps, authorized, query.q, {
            limit: query.limit ?? 10,
            filter: readFilter(query),
            ...(query.scope === undefined ? {} : { scope: query.scope }),
          })
        ).map(presentResult),
      }),
    }),
  ];
}

/** How long a stream waits for the first thing to tell before it is opened, in milliseconds. */
const OPEN_MS = 1_000;

type Ask = (listener: Listener) => Promise<Answer>;

async function answer(request: FastifyRequest, reply: FastifyReply, ask: Ask): Promise<unknown> {
  const signal = disconnectSignal(reply);
  if (!acceptsEventStream(request)) return ask({ signal });
  await streamAnswer(reply, ask, signal);
  return reply;
}

/**
 * Server-sent events: `token`s as they come, then `done` with the whole body, or `error`. Where a model failed after its first
 * words, `done` has an extractive answer, which stands in place of what was shown.
 */
async function streamAnswer(reply: FastifyReply, ask: Ask, signal: AbortSignal): Promise<void> {
  let opened: EventStream | undefined;
  const open = (): EventStream => (opened ??= openEventStream(reply));
  // What is refused at once is refused as any call is; what takes longer shows that it is at work.
  const timer = setTimeout(open, OPEN_MS);
  let hasBegun = false;
  const onText = async (text: string): Promise<void> => {
    hasBegun = true;
    await open().send("token", { text });
  };
  try {
    const whole = await ask({ signal, onText });
    const stream = open();
    if (!hasBegun) for (const text of chunkText(whole.answer)) await stream.send("token", { text });
    await stream.send("done", whole);
  } catch (error) {
    if (opened === undefined) throw error;
    await opened.send("error", { error: toHttpError(error).message });
  } finally {
    clearTimeout(timer);
    opened?.end();
  }
}
