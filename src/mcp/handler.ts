import { AsyncLocalStorage } from "node:async_hooks";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "#domain/core/access.ts";
import { invalid, invalidField } from "#domain/core/errors/error.ts";
import type { McpResponse } from "#http/route.ts";
import type { InputLimits } from "#http/wire/schema.ts";
import { lazy } from "#runtime/lazy.ts";
import { runInTurn, runStepInTurn } from "#service/work-queue.ts";
import { type Library, createMcpServer, createTools, listTools, loadLibrary } from "./server.ts";
import { type Prepared, type Streams, serveStreams } from "./streams.ts";
import type { Tool, ToolDeps } from "./tool.ts";

/** Serves the tools over the Model Context Protocol, for single messages (HTTP) and for streams (stdio). */
export type McpHandler = {
  /**
   * Handles one JSON-RPC message in the caller's turn, and returns the response; null if it needs none. `version` is the protocol
   * version of the client. Throws, before anything is done, `invalid` for anything else than a JSON-RPC message, and 429 if too much work of the caller is waiting.
   */
  handleMessage(
    message: unknown,
    caller: { readonly actor: Actor; readonly version: string | undefined; readonly signal: AbortSignal },
  ): Promise<McpResponse | null>;
  /** Serves a client until its input ends. `authenticate` is called for every call. */
  serve(streams: Streams, authenticate: () => Promise<Actor>, signal: AbortSignal): Promise<void>;
};

export function createMcpHandler(deps: ToolDeps, limits: InputLimits): McpHandler {
  const tools = createTools(limits);
  const listings = createListings(tools);
  const library = lazy(loadLibrary);
  return {
    async handleMessage(message, { actor, version, signal }) {
      const loaded = await library.get();
      const { types } = loaded;
      if (version !== undefined && !types.SUPPORTED_PROTOCOL_VERSIONS.includes(version))
        throw invalid(`MCP-Protocol-Version must be one of ${types.SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`);
      const begin = (): Promise<object | string | null> | object | string | null => {
        const request = readMessage(loaded, message);
        // Without sessions, notifications and responses of clients have no effect.
        if (!types.isJSONRPCRequest(request)) return null;
        const errorResponse = findInvalidParams(loaded, request);
        if (errorResponse !== null) return errorResponse;
        if (request.method === LIST_TOOLS) return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${listings.get(actor)}}`;
        return exchange(
          createMcpServer(loaded, deps, tools, async () => actor),
          withoutTask(request),
          signal,
        );
      };
      // What a tool reads waits for turns of its own, so this one ends once the tool has begun, outside of it.
      const beginOutside = AsyncLocalStorage.snapshot();
      const { begun } = await runInTurn(deps, actor, async () => ({ begun: beginOutside(begin) }), signal);
      const response = await begun;
      if (response === null) return null;
      const json = typeof response === "string" ? response : await runStepInTurn(deps, actor, async () => JSON.stringify(response));
      return { json, isRepeatable: !isChange(tools, message) };
    },
    async serve(streams, authenticate, signal) {
      const loaded = await library.get();
      const server = createMcpServer(loaded, deps, tools, authenticate);
      await serveStreams(server, streams, (message) => prepare(loaded, message), signal);
    },
  };
}

const LIST_TOOLS = "tools/list";

/** Returns results of tools/list as JSON. Callers with the same tools get the same text, which is written once. */
function createListings(tools: readonly Tool[]) {
  const listings = new Map<string, string>();
  return {
    get(actor: Actor): string {
      const result = listTools(tools, actor);
      const key = result.tools.map(({ name }) => name).join(" ");
      let listing = listings.get(key);
      if (listing === undefined) listings.set(key, (listing = JSON.stringify(result)));
      return listing;
    },
  };
}

function readMessage({ types }: Library, message: unknown): JSONRPCMessage {
  if (Array.isArray(message)) throw invalid("Send one JSON-RPC message at a time, not a list of them.", "body_invalid");
  const read = types.JSONRPCMessageSchema.safeParse(message);
  if (!read.success) throw invalid("The request body is not a JSON-RPC 2.0 message.", "body_invalid");
  // The library takes it for the prototype of the arguments, so that it would be dropped without a word.
  const { arguments: given } = (message as { readonly params?: { readonly arguments?: object } }).params ?? {};
  if (given != null && Object.hasOwn(given, "__proto__")) throw invalidField("__proto__", "is not a known field.", "field_unknown");
  return read.data;
}

/** Returns the response to a request with invalid parameters; null if they are valid. The response of the library would reveal internals. */
function findInvalidParams({ types }: Library, request: JSONRPCRequest): JSONRPCMessage | null {
  const schemas = [types.InitializeRequestSchema, types.ListToolsRequestSchema, types.CallToolRequestSchema, types.PingRequestSchema];
  const schema = schemas.find(({ shape }) => shape.method.value === request.method);
  if (schema === undefined || schema.safeParse(request).success) return null;
  const error = { code: types.ErrorCode.InvalidParams, message: `The parameters of ${request.method} are not valid.` };
  return { jsonrpc: "2.0", id: request.id, error };
}

/** Whether a message calls a tool that changes something. */
function isChange(tools: readonly Tool[], message: unknown): boolean {
  const { method, params } = message as { readonly method?: unknown; readonly params?: { readonly name?: unknown } };
  return method === "tools/call" && tools.some(({ name, hints }) => name === params?.name && !hints.readOnlyHint);
}

/** Removes the `task` parameter: servers without tasks must handle such a call as a normal one. */
function withoutTask(request: JSONRPCRequest): JSONRPCRequest {
  if (request.params === undefined || !Object.hasOwn(request.params, "task")) return request;
  const { task: _, ...params } = request.params as Record<string, unknown>;
  return { ...request, params };
}

/** Returns the message for the server, or the error response to it. */
function prepare(library: Library, message: JSONRPCMessage): Prepared {
  if (!library.types.isJSONRPCRequest(message)) return { message };
  const errorResponse = findInvalidParams(library, message);
  return errorResponse === null ? { message: withoutTask(message) } : { errorResponse };
}

/** Sends one request to a server and returns its response; null if the client disconnects first. */
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
  const onDisconnect = (): void => resolve(null);
  signal.addEventListener("abort", onDisconnect, { once: true });
  if (signal.aborted) resolve(null);
  try {
    await server.connect(transport);
    transport.onmessage?.(request);
    return await promise;
  } finally {
    signal.removeEventListener("abort", onDisconnect);
    // Cancels the request if it is still running.
    await server.close();
  }
}
