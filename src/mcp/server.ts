import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Actor } from "#domain/core/access.ts";
import { schemaOf } from "./arguments.ts";
import { callTool } from "./call.ts";
import { CAUTION } from "./marking.ts";
import type { TextLimits, Tool, ToolDeps } from "./tool.ts";
import { BOARD_TOOLS } from "./tools/boards.ts";
import { questionTools } from "./tools/questions.ts";
import { tileTools } from "./tools/tiles.ts";

const INFO = { name: "tessera", title: "Tessera", version: "0.1.0" };
const INSTRUCTIONS = `Tessera keeps notes and links on boards and answers questions from them. Begin with list_boards. For a fact use ask_board, which cites what it says; to find tiles use search_board, then read_tile. ${CAUTION}`;

/** What clients answer to questions of a server is checked with it, and this one asks none; the library would make one for each call, 0.3 ms. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error("This server asks its clients nothing.");
  },
};

/** Every tool, in the order in which clients are told of them. */
export const createTools = (limits: TextLimits): readonly Tool[] => [...BOARD_TOOLS, ...tileTools(limits), ...questionTools(limits)];

/** The MCP library, loaded at the first call: it takes 0.1 s and megabytes that most installs never need. */
export async function loadLibrary() {
  const [{ Server }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  return { Server, types };
}

export type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** A server of one client, which calls as whoever `authenticate` tells each time. */
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
      throw new types.McpError(types.ErrorCode.InvalidParams, "There is no tool of this name. tools/list tells which there are.");
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
    inputSchema: schemaOf(fields),
    outputSchema: { type: "object" as const, properties, required: Object.keys(properties) },
    annotations: {
      title,
      readOnlyHint: !isWriting,
      destructiveHint: false,
      idempotentHint: !isWriting,
      // Adding a link has it fetched from wherever it leads.
      openWorldHint: isWriting,
    },
  };
}
