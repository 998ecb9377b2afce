import { type Actor, requirePermission } from "#domain/core/access.ts";
import { getErrorMessage } from "#domain/core/errors/error.ts";
import { toHttpError } from "#http/response/errors.ts";
import { readToolArguments } from "./schema.ts";
import { CAUTION, wrapUntrusted } from "./untrusted.ts";
import type { Tool, ToolDeps } from "./tool.ts";

const SERVER_ERROR = "Something went wrong on the server. Try again. If it happens again, check the log of the server.";

/** A tool result of MCP. With `isError`, it is an error message for the model, and its code. */
export type CallResult = {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError?: true;
};

/**
 * Runs a tool. Checks permission, arguments, scope and existence, in this order, as the API does. An error becomes a result with its
 * message and its code. Unexpected errors are logged and reveal no details.
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
    const { data, text } = await tool.run({ deps, actor, args: readToolArguments(tool.input, given), signal });
    const output = text === undefined ? data : { ...data, text };
    if (tool.isTrusted === true) return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: output };
    return {
      content: [{ type: "text", text: wrapUntrusted(data, text, deps.createBoundary()) }],
      structuredContent: { caution: CAUTION, ...output },
    };
  } catch (error) {
    const { code, message, isServerError } = toHttpError(error);
    if (isServerError && !signal.aborted) deps.log.error({ tool: tool.name, error: getErrorMessage(error) }, "a tool call failed");
    const sentence = code === "internal_error" ? SERVER_ERROR : message;
    return { content: [{ type: "text", text: sentence }], structuredContent: { error: sentence, code }, isError: true };
  }
}
