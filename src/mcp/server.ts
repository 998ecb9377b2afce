import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { VERSION } from "#domain/core/version.ts";
import type { Actor } from "#domain/core/access.ts";
import { toJsonSchema } from "./arguments.ts";
import { callTool } from "./call.ts";
import { CAUTION } from "./untrusted.ts";
import type { TextLimits, Tool, ToolDeps } from "./tool.ts";
import { BOARD_TOOLS } from "./tools/boards.ts";
import { questionTools } from "./tools/questions.ts";
import { tileTools } from "./tools/tiles.ts";

const INFO = { name: "tessera", title: "Tessera", version: VERSION };
const INSTRUCTIONS = `Tessera keeps notes and links on boards and answers questions from them. Begin with list_boards. For a fact use ask_board, which cites what it says; to find tiles use search_board, then read_tile. ${CAUTION}`;

/** Validates responses of clients to requests of the server, which sends none. The default validator costs 0.3 ms per call. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error("This server sends no requests to clients.");
  },
};

/** Returns every tool, in the order of tools/list. */
export const createTools = (limits: TextLimits): readonly Tool[] => [...BOARD_TOOLS, ...tileTools(limits), ...questionTools(limits)];

/** Loads the MCP library at the first call: it takes 0.1 s and several MB, and most installs never need it. */
export async function loadLibrary() {
  const [{ Server }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  return { Server, types };
}

export type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Creates the MCP server of one client. `authenticate` is called for every tool call. */
export function createMcpServer(
  { Server, types }: Library,
  deps: ToolDeps,
  tools: readonly Tool[],
  authenticate: () => Promise<Actor>,
): Server {
  const server = new Server(INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.map(describe) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new types.McpError(types.ErrorCode.InvalidParams, "Unknown tool. tools/list returns the available tools.");
    return { ...(await callTool(deps, tool, authenticate, params.arguments ?? {}, signal)) };
  });
  return server;
}

function describe({ name, title, description, fields, output, isWriting = false }: Tool) {
  const properties: Record<string, object> = isWriting ? output : { caution: { type: "string" }, ...output };
  return {
    name,
    title,
    description,
    inputSchema: toJsonSchema(fields),
    outputSchema: { type: "object" as const, properties, required: Object.keys(properties) },
    annotations: {
      title,
      readOnlyHint: !isWriting,
      destructiveHint: false,
      idempotentHint: !isWriting,
      // Adding a link fetches a page from the internet.
      openWorldHint: isWriting,
    },
  };
}
