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
    const disconnected = new AbortController();
    reply.raw.once("close", () => disconnected.abort());
    const version = request.headers["mcp-protocol-version"];
    const response = await deps.mcp.handleMessage(request.body, {
      actor,
      version: typeof version === "string" ? version : undefined,
      signal: disconnected.signal,
    });
    return response ?? reply.code(202).send();
  },
});

/** The MCP tools for agents: one message per request, without sessions. docs/reference/mcp.md lists them. */
export function mcpRoutes(): AnyRoute[] {
  return [messageRoute];
}
