import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "#domain/core/access.ts";
import { invalid } from "#domain/core/error.ts";
import { type Library, createMcpServer, createTools, loadLibrary } from "./server.ts";
import { type Prepared, type Streams, serveStreams } from "./streams.ts";
import type { TextLimits, ToolDeps } from "./tool.ts";

/** The tools over the Model Context Protocol, for one message at a time and for a client that stays. */
export type McpHandler = {
  /**
   * Answers one JSON-RPC message; null for one that wants no answer. `version` is the protocol's version that the client names. An
   * `invalid` refusal for what is no such message.
   */
  handleMessage(
    message: unknown,
    caller: { readonly actor: Actor; readonly version: string | undefined; readonly signal: AbortSignal },
  ): Promise<object | null>;
  /** Serves the client behind the streams until its input ends; `authenticate` is asked anew for each call. */
  serve(streams: Streams, authenticate: () => Promise<Actor>, signal: AbortSignal): Promise<void>;
};

export function createMcpHandler(deps: ToolDeps, limits: TextLimits): McpHandler {
  const tools = createTools(limits);
  let library: Promise<Library> | undefined;
  const load = (): Promise<Library> => (library ??= loadLibrary());
  return {
    async handleMessage(message, { actor, version, signal }) {
      const loaded = await load();
      const { types } = loaded;
      if (version !== undefined && !types.SUPPORTED_PROTOCOL_VERSIONS.includes(version))
        throw invalid(`MCP-Protocol-Version must be one of ${types.SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`);
      const request = readMessage(loaded, message);
      // Without sessions there is nothing that a notification or a client's own answer could belong to.
      if (!types.isJSONRPCRequest(request)) return null;
      const fault = faultOf(loaded, request);
      if (fault !== null) return fault;
      const server = createMcpServer(loaded, deps, tools, async () => actor);
      return exchange(server, withoutTask(request), signal);
    },
    async serve(streams, authenticate, signal) {
      const loaded = await load();
      const server = createMcpServer(loaded, deps, tools, authenticate);
      await serveStreams(server, streams, (message) => prepare(loaded, message), signal);
    },
  };
}

function readMessage({ types }: Library, message: unknown): JSONRPCMessage {
  if (Array.isArray(message)) throw invalid("Send one JSON-RPC message at a time, not a list of them.");
  const read = types.JSONRPCMessageSchema.safeParse(message);
  if (!read.success) throw invalid("The request body is not a JSON-RPC 2.0 message.");
  return read.data;
}

/** The answer to a request whose parameters are off; the library would answer it with its own inside. */
function faultOf({ types }: Library, request: JSONRPCRequest): JSONRPCMessage | null {
  const schemas = [types.InitializeRequestSchema, types.ListToolsRequestSchema, types.CallToolRequestSchema, types.PingRequestSchema];
  const schema = schemas.find(({ shape }) => shape.method.value === request.method);
  if (schema === undefined || schema.safeParse(request).success) return null;
  const error = { code: types.ErrorCode.InvalidParams, message: `The parameters of ${request.method} are not valid.` };
  return { jsonrpc: "2.0", id: request.id, error };
}

/** The request as it stands where there are no tasks: the protocol has whoever knows none take the call as a plain one. */
function withoutTask(request: JSONRPCRequest): JSONRPCRequest {
  if (request.params === undefined || !Object.hasOwn(request.params, "task")) return request;
  const { task: _, ...params } = request.params as Record<string, unknown>;
  return { ...request, params };
}

/** A message as the server takes it, or the answer to it where it is off. */
function prepare(library: Library, message: JSONRPCMessage): Prepared {
  if (!library.types.isJSONRPCRequest(message)) return { message };
  const fault = faultOf(library, message);
  return fault === null ? { message: withoutTask(message) } : { fault };
}

/** Gives a server one request and takes its one answer; null when the client went away first. */
async function exchange(server: ReturnType<typeof createMcpServer>, request: JSONRPCRequest, signal: AbortSignal): Promise<object | null> {
  const { promise, resolve } = Promise.withResolvers<object | null>();
  const transport: Transport = {
    start: async () => {},
    async send(message) {
      if ("id" in message && message.id === request.id && !("method" in message)) resolve(message);
    },
    async close() {
      transport.onclose?.();
    },
  };
  const onGone = (): void => resolve(null);
  signal.addEventListener("abort", onGone, { once: true });
  if (signal.aborted) resolve(null);
  try {
    await server.connect(transport);
    transport.onmessage?.(request);
    return await promise;
  } finally {
    signal.removeEventListener("abort", onGone);
    // Ends what the request began, where it is still under way.
    await server.close();
  }
}
