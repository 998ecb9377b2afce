import { type Actor, requirePermission } from "#domain/core/access.ts";
import { AppError, messageOf } from "#domain/core/error.ts";
import { readArguments } from "./arguments.ts";
import { CAUTION, markOutside } from "./marking.ts";
import type { Tool, ToolDeps } from "./tool.ts";

const FAULT = "Something went wrong on the server. Try again; if it stays, its log tells why.";

/** A tool's result as MCP has it: `isError` marks a refusal that a model can read and act on. */
export type CallResult = {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
};

/**
 * Runs a tool in the order of the interface: permission, arguments, scope, existence. What is refused becomes a result with the
 * refusal's own sentence; a fault tells nothing of its inside and is logged.
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
    requirePermission(actor, tool.need);
    const { data, text } = await tool.run({ deps, actor, args: readArguments(tool.fields, given), signal });
    const whole = text === undefined ? data : { ...data, text };
    if (tool.isWriting) return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: whole };
    return {
      content: [{ type: "text", text: markOutside(data, text, deps.newMark()) }],
      structuredContent: { caution: CAUTION, ...whole },
    };
  } catch (error) {
    if (!(error instanceof AppError) && !signal.aborted) deps.log.error({ tool: tool.name, error: messageOf(error) }, "a tool call failed");
    return { content: [{ type: "text", text: error instanceof AppError ? error.message : FAULT }], isError: true };
  }
}
