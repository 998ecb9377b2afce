import { Type } from "typebox";
import { type AnyRoute, defineRoute } from "../route.ts";

const messageRoute = defineRoute({
  method: "POST",
  path: "/mcp",
  tag: "Tools",
  summary: "Call a tool over the Model Context Protocol",
  isHidden: true,
  isKeysOnly: true,
  response: Type.Object({}, { additionalProperties: true }),
  preflight: (deps, request) => deps.hostGuard(request),
  guard: () => null,
  async handle({ deps, actor, request, reply }) {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const version = request.headers["mcp-protocol-version"];
    const answer = await deps.mcp.handleMessage(request.body, {
      actor,
      version: typeof version === "string" ? version : undefined,
      signal: gone.signal,
    });
    return answer ?? reply.code(202).send();
  },
});

/** The tools for agents, one message a call and without sessions; what they are stands in docs/reference/mcp.md. */
export function mcpRoutes(): AnyRoute[] {
  return [messageRoute];
}
