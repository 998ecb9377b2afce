import { Type } from "typebox";
import { expect, it } from "vitest";
import type { Actor } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { callTool } from "#mcp/call.ts";
import { type ToolDeps, defineTool } from "#mcp/tool.ts";

const ACTOR: Actor = { kind: "operator", businessId: "biz_a" };

function createToolContext() {
  const lines: unknown[] = [];
  const deps = {
    createBoundary: () => "f00d",
    log: { error: (fields: object, message: string) => void lines.push({ ...fields, message }) },
  };
  return { lines, deps: deps as unknown as ToolDeps };
}

const failing = (error: unknown) =>
  defineTool({
    name: "read_tile",
    title: "Read",
    description: "",
    requiredAccess: "read",
    input: Type.Object({}),
    output: Type.Object({}),
    async run() {
      throw error;
    },
  });

it("a server error hides its details and is logged", async () => {
  const { deps, lines } = createToolContext();
  const fault = new Error("SELECT secret FROM vault at /home/x/store.ts");
  const answer = await callTool(deps, failing(fault), async () => ACTOR, {}, new AbortController().signal);
  const error = "Something went wrong on the server. Try again. If it happens again, check the log of the server.";
  expect(answer).toEqual({ content: [{ type: "text", text: error }], structuredContent: { error, code: "internal_error" }, isError: true });
  expect(lines).toEqual([{ tool: "read_tile", error: fault.message, message: "a tool call failed" }]);
});

it("a client error keeps its message and is not logged as a server error", async () => {
  const { deps, lines } = createToolContext();
  const refusal = new AppError("budget_spent", "The budget is spent.");
  const answer = await callTool(deps, failing(refusal), async () => ACTOR, {}, new AbortController().signal);
  expect(answer).toEqual({
    content: [{ type: "text", text: "The budget is spent." }],
    structuredContent: { error: "The budget is spent.", code: "budget_spent" },
    isError: true,
  });
  const stranger = await callTool(
    deps,
    failing(refusal),
    () => Promise.reject(new AppError("key_invalid", "Invalid API key.")),
    {},
    new AbortController().signal,
  );
  expect(stranger.content).toEqual([{ type: "text", text: "Invalid API key." }]);
  expect(lines).toEqual([]);
});

it("a request aborted by the client is not logged as a server error", async () => {
  const { deps, lines } = createToolContext();
  await callTool(deps, failing(new Error("aborted")), async () => ACTOR, {}, AbortSignal.abort());
  expect(lines).toEqual([]);
});
