import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Ids } from "../operations.ts";
import type { Answer, TestService } from "../service.ts";

export type ToolAnswer = {
  readonly isError: boolean;
  /** The text that the model gets. */
  readonly text: string;
  // `any`, since tests read the shape that they expect.
  readonly data: any;
};

export type McpClient = {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

/** Connects the client of the MCP library, which checks each result against the schema of the tool. */
export async function connectClient(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  await client.listTools();
  return {
    client,
    async call(name, args = {}) {
      const result: any = await client.callTool({ name, arguments: args });
      return {
        isError: result.isError === true,
        text: result.content.map(({ text }: { text: string }) => text).join("\n"),
        data: result.structuredContent,
      };
    },
    close: () => client.close(),
  };
}

export const connectOverHttp = (service: Pick<TestService, "url">, key: string): Promise<McpClient> =>
  connectClient(
    new StreamableHTTPClientTransport(new URL("/mcp", service.url), { requestInit: { headers: { "X-API-Key": key } } }) as Transport,
  );

/** Posts one unmodified message to /mcp. */
export const post = (
  service: Pick<TestService, "call">,
  body: unknown,
  options: { readonly key?: string | null; readonly headers?: Record<string, string> } = {},
): Promise<Answer> => service.call("POST", "/mcp", { body, ...options });

export const toolCall = (name: string, args: unknown = {}, id: unknown = 1): unknown => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

/** Returns valid arguments for every tool, with these ids. */
export const createArguments = ({ boardId, tileId, generationId }: Ids): Readonly<Record<string, Record<string, unknown>>> => ({
  list_boards: {},
  list_zones: { board_id: boardId },
  list_tiles: { board_id: boardId },
  read_tile: { tile_id: tileId },
  add_tile: { board_id: boardId, text: "Added" },
  search_board: { board_id: boardId, query: "harbour" },
  ask_board: { board_id: boardId, question: "When does the harbour open?" },
  generate_text: { board_id: boardId, asset_type: "post" },
  generate_ideas: { board_id: boardId },
  read_generation: { generation_id: generationId },
  update_tile: { tile_id: tileId, title: "Changed" },
  change_tiles: { board_id: boardId, filter: { tile_ids: [tileId] }, action: { move_to: null }, dry_run: true },
  delete_tile: { tile_id: tileId },
});
