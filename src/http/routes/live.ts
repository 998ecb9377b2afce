import { Type } from "typebox";
import { grantBoard } from "#service/access.ts";
import { type AnyRoute, defineRoute } from "../route.ts";

/** What tells of a board's changes, and of what is worked on, as they happen. */
export function liveRoutes(): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/events",
      tag: "Boards",
      summary: "Follow a board's changes",
      description:
        "revision, { zones, content }, at once and after every change: read the listing again. progress, { tiles: [{ tileId, stage, attempt, maxAttempts, startedAt }] }, " +
        "with every tile that is being worked on whenever that changes, at first only if there are any; stage is fetch, read, transcribe or recognise. It ends after five minutes: follow again.",
      response: Type.Unsafe<string>({
        description: "Server-sent events.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      }),
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "read"),
      async handle({ deps, actor, authorized, reply }) {
        await deps.live.follow(authorized.target, actor, reply);
        return reply;
      },
    }),
  ];
}
