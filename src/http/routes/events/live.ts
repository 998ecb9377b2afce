import { Type } from "typebox";
import { authorizeBoard } from "#service/access.ts";
import { sendEventStreamHead } from "../../streams/event-stream.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";

const followRoute = defineRoute({
  method: "GET",
  path: "/api/board/:boardId/events",
  operationId: "followBoard",
  tag: "Boards",
  summary: "Follow a board's changes",
  description:
    "Server-sent events. revision, { zones, content }, is sent at once and after every change: read the listing again. progress, { tiles: [{ tileId, stage, attempt, maxAttempts, startedAt }] }, " +
    "lists the tiles that are being ingested, whenever they change; stage is fetch, read, transcribe or recognise. The stream ends after five minutes: connect again.",
  response: Type.Unsafe<string>({
    description: "Server-sent events.",
    content: { "text/event-stream": { schema: { type: "string" } } },
  }),
  guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "read"),
  async handle({ deps, actor, authorized, request, reply }) {
    if (request.method === "HEAD") return sendEventStreamHead(reply);
    await deps.live.follow(authorized.target, actor, reply);
    return reply;
  },
});

export function liveRoutes(): AnyRoute[] {
  return [followRoute];
}
