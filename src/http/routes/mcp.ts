import { Type } from "typebox";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { RawJson } from "../response/raw-json.ts";

const messageRoute = defineRoute({
  method: "POST",
  path: "/mcp",
  operationId: "callMcp",
  tag: "Ask",
  summary: "Call a tool over the Model Context Protocol",
  description: "One JSON-RPC message per request, without sessions.",
  isHidden: true,
  isKeysOnly: true,
  readsBody: true,
  response: Type.Object({}, { additionalProperties: true }),
  preflight: (deps, request) => deps.hostGuard(request),
  guard: () => null,
  async handle({ deps, actor, request, reply }) {
    const owner = ownerOfRequest(request);
    deps.responses.admit(owner);
    const disconnected = createDisconnectSignal(reply);
    const version = request.headers["mcp-protocol-version"];
    const response = await deps.mcp.handleMessage(request.body, {
      actor,
      version: typeof version === "string" ? version : undefined,
      signal: disconnected,
    });
    if (response === null) return reply.code(202).send();
    const { json, isRepeatable } = response;
    // What a tool has changed is always answered, so that nobody repeats it.
    deps.responses.hold(reply.raw, owner, Buffer.byteLength(json), !isRepeatable);
    return new RawJson(json);
  },
});

/** Creates the route of the MCP tools for agents: one message per request, without sessions. docs/reference/mcp.md lists the tools. */
export function mcpRoutes(): AnyRoute[] {
  return [messageRoute];
}
