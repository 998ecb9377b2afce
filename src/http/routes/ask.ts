import { once } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { grantBoard } from "#service/access.ts";
import { type Answer, askBoard, search } from "#service/ask.ts";
import { type AnyRoute, defineRoute } from "../call.ts";
import { refusalOf } from "../errors.ts";
import type { Inputs } from "../schemas/inputs.ts";
import { OUTPUTS } from "../schemas/outputs.ts";

/** Characters of an answer in one `token` event. */
const PIECE = 40;

const DESCRIPTION =
  "Answers from the ready tiles whose zone is connected, or that are in no zone. With Accept: text/event-stream it is streamed.";

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
      allowance: "ask",
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "ask"),
      handle: ({ deps, granted, body, query, request, reply }) =>
        answer(request, reply, () => askBoard(deps, granted, body.question, body.explain ?? query.explain ?? false)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/ask",
      tag: "Ask",
      summary: "Ask a board",
      description: DESCRIPTION,
      query: inputs.askQuery,
      response: OUTPUTS.answer,
      allowance: "ask",
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "ask"),
      handle: ({ deps, granted, query, request, reply }) =>
        answer(request, reply, () => askBoard(deps, granted, query.q, query.explain ?? false)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/search",
      tag: "Ask",
      summary: "Search a board",
      description: "One row a tile, best first.",
      query: inputs.search,
      response: OUTPUTS.search,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "read"),
      handle: async ({ deps, granted, query }) => ({ results: await search(deps, granted, query.q, query.limit ?? 10) }),
    }),
  ];
}

async function answer(request: FastifyRequest, reply: FastifyReply, ask: () => Promise<Answer>): Promise<unknown> {
  if (!/\btext\/event-stream\b/.test(request.headers.accept ?? "")) return ask();
  await streamAnswer(reply, ask);
  return reply;
}

/** Server-sent events: `token`s, then `done` with the whole body, or `error`. */
async function streamAnswer(reply: FastifyReply, ask: () => Promise<Answer>): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  raw.once("close", () => gone.abort());
  const send = async (event: string, data: unknown): Promise<void> => {
    if (!raw.destroyed && !raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(raw, "drain", { signal: gone.signal }).catch(() => undefined);
  };
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    "Content-Type": "text/event-stream; charset=utf-8",
  });
  try {
    const whole = await ask();
    for (const text of piecesOf(whole.answer)) await send("token", { text });
    await send("done", whole);
  } catch (error) {
    await send("error", { error: refusalOf(error).message });
  }
  raw.end();
}

/** Cuts at blanks, so that the pieces joined are the answer again. */
const piecesOf = (text: string): string[] => text.match(new RegExp(`[\\s\\S]{1,${PIECE}}(?:\\s+|$)|[\\s\\S]{1,${PIECE}}`, "gu")) ?? [];
