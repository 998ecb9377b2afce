import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { VERSION } from "#domain/core/version.ts";
import { type Actor, mayUse } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import type { InputLimits } from "#http/wire/schema.ts";
import { callTool } from "./call.ts";
import { describeInput, describeOutput } from "./schema.ts";
import { CAUTION } from "./untrusted.ts";
import type { Tool, ToolDeps } from "./tool.ts";
import { BOARD_TOOLS } from "./tools/boards.ts";
import { changeTools } from "./tools/changes.ts";
import { generationTools } from "./tools/generations.ts";
import { questionTools } from "./tools/questions.ts";
import { TILE_TOOLS } from "./tools/tiles.ts";

const INFO = { name: "tessera", title: "Tessera", version: VERSION };
const INSTRUCTIONS = `Tessera keeps notes and links on boards and answers questions from them. Begin with list_boards. For a fact use ask_board, which cites what it says; to find tiles use search_board, then read_tile. ${CAUTION}`;

/** Validates responses of clients to requests of the server, which sends none. The default validator costs 0.3 ms per call. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error("This server sends no requests to clients.");
  },
};

/** Returns every tool, in the order of tools/list. */
export const createTools = (limits: InputLimits): readonly Tool[] => [
  ...BOARD_TOOLS,
  ...TILE_TOOLS,
  ...questionTools(limits),
  ...generationTools(limits),
  ...changeTools(limits),
];

/** Loads the MCP library at the first call: it takes 0.1 s and several MB, and most installs never need it. */
export async function loadLibrary() {
  const [{ Server }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  return { Server, types };
}

export type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Creates the MCP server of one client. `authenticate` is called for every call. The client sees the tools that its key may use. */
export function createMcpServer(
  { Server, types }: Library,
  deps: ToolDeps,
  tools: readonly Tool[],
  authenticate: () => Promise<Actor>,
): Server {
  const server = new Server(INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR });
  server.setRequestHandler(types.ListToolsRequestSchema, async () => {
    const actor = await authenticate().catch((error: unknown) => {
      throw error instanceof AppError ? new types.McpError(types.ErrorCode.InvalidRequest, error.message, { code: error.code }) : error;
    });
    return listTools(tools, actor);
  });
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new types.McpError(types.ErrorCode.InvalidParams, "Unknown tool. tools/list returns the available tools.");
    return { ...(await callTool(deps, tool, authenticate, params.arguments ?? {}, signal)) };
  });
  return server;
}

/** Returns the result of tools/list: the tools that the key may use. */
export const listTools = (tools: readonly Tool[], actor: Actor) => ({
  tools: tools.filter(({ requiredAccess }) => mayUse(actor, requiredAccess)).map(getDescription),
});

const descriptions = new WeakMap<Tool, ReturnType<typeof describe>>();

/** Returns a tool as tools/list shows it. It is made once. */
function getDescription(tool: Tool): ReturnType<typeof describe> {
  let description = descriptions.get(tool);
  if (description === undefined) descriptions.set(tool, (description = describe(tool)));
  return description;
}

const describe = ({ name, title, description, input, output, hints, isTrusted }: Tool) => ({
  name,
  title,
  description,
  inputSchema: describeInput(input),
  outputSchema: describeOutput(output, isTrusted === true),
  annotations: { title, ...hints },
});
