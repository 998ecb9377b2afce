import { type Actor, requirePermission } from "#domain/core/access.ts";
import { AppError, getErrorMessage } from "#domain/core/error.ts";
import { readArguments } from "./arguments.ts";
import { CAUTION, wrapUntrusted } from "./untrusted.ts";
import type { Tool, ToolDeps } from "./tool.ts";

const SERVER_ERROR = "Something went wrong on the server. Try again. If it happens again, check the log of the server.";

/** A tool result of MCP. With `isError`, it is an error message for the model. */
export type CallResult = {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
};

/**
 * Runs a tool. Checks permission, arguments, scope and existence, in this order, as the API does. An `AppError` becomes a result with
 * its message. Unexpected errors are logged and reveal no details.
 */
export async function callTool(
  deps: ToolDeps,
  tool: Tool,
  authenticate: () => Promise<Actor>,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallResult> {
  try {
    const actor = await authenticate();
    requirePermission(actor, tool.requiredAccess);
    const { data, text } = await tool.run({ deps, actor, args: readArguments(tool.fields, given), signal });
    const output = text === undefined ? data : { ...data, text };
    if (tool.isWriting) return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: output };
    return {
      content: [{ type: "text", text: wrapUntrusted(data, text, deps.createBoundary()) }],
      structuredContent: { caution: CAUTION, ...output },
    };
  } catch (error) {
    if (!(error instanceof AppError) && !signal.aborted)
      deps.log.error({ tool: tool.name, error: getErrorMessage(error) }, "a tool call failed");
    return { content: [{ type: "text", text: error instanceof AppError ? error.message : SERVER_ERROR }], isError: true };
  }
}
