import { Type } from "typebox";
import { actorId } from "#domain/access.ts";
import { grantBoard } from "#service/access.ts";
import { type AnyRoute, defineRoute } from "../call.ts";

/** What tells of a board's changes as they happen. It is a stream, which the OpenAPI document has no words for: docs/api.md has. */
export function liveRoutes(): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/events",
      tag: "Boards",
      summary: "Follow a board's changes",
      isHidden: true,
      response: Type.Object({}, { additionalProperties: true }),
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "read"),
      async handle({ deps, actor, granted, reply }) {
        await deps.live.follow(granted.target, actorId(actor), reply);
        return reply;
      },
    }),
  ];
}
