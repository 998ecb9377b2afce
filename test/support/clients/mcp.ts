import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Ids } from "../operations.ts";
import type { Answer, TestService } from "../service.ts";

export type ToolAnswer = {
  readonly isError: boolean;
  /** What a model is shown. */
  readonly text: string;
  // A test reads whatever shape it expects, and fails where that is missing.
  readonly data: any;
};

export type McpClient = {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
};

/** The library's own client at the other end of `transport`; it checks each result against the tool's schema. */
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

/** One message to /mcp as it is. */
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

/** Every tool with arguments that are right for these things. */
export const createArguments = ({ boardId, tileId }: Ids): Readonly<Record<string, Record<string, unknown>>> => ({
  list_boards: {},
  list_zones: { board_id: boardId },
  list_tiles: { board_id: boardId },
  read_tile: { tile_id: tileId },
  add_tile: { board_id: boardId, text: "Added" },
  search_board: { board_id: boardId, query: "harbour" },
  ask_board: { board_id: boardId, question: "When does the harbour open?" },
});
