import type { ServerResponse } from "node:http";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Actor } from "#domain/core/access.ts";
import { createBodyMemory } from "#http/request/body/body-memory.ts";
import { sendError } from "#http/response/errors.ts";
import { createResponseMemory } from "#http/response/response-memory.ts";
import type { HttpDeps } from "#http/route.ts";
import { mcpRoutes } from "#http/routes/mcp.ts";
import { registerRoutes } from "#http/server/register-routes.ts";
import { createMcpHandler } from "#mcp/handler.ts";
import type { ToolDeps } from "#mcp/tool.ts";
import { createSemaphore } from "#runtime/turns/semaphore.ts";
import { toOwner } from "#service/work-queue.ts";
import { toolCall } from "../support/clients/mcp.ts";

type AccessHook = ReturnType<Parameters<typeof registerRoutes>[1]["checkAccess"]>;

const ACTOR = { kind: "operator", businessId: "biz_a" } as const satisfies Actor;
const MAX_BYTES = 65_536;
/** Longer than what is not counted. */
const LONG_NAME = "Harbour ".repeat(1_000);

const BOARD = { id: "brd_a", businessId: ACTOR.businessId, name: LONG_NAME, slug: "a", isDefault: true, version: 1, deletedAt: null };

let app: FastifyInstance;
/** The tiles that were changed. */
let changed: string[];
beforeEach(async () => {
  const responses = createResponseMemory(MAX_BYTES);
  changed = [];
  /** Counts an unread response of the same caller, which leaves room for less than the tool returns. */
  const fillMemory = (): void => {
    const unread = { once: () => undefined, destroyed: false } as unknown as ServerResponse;
    responses.hold(unread, toOwner(ACTOR), MAX_BYTES / 4 - 1_024);
  };
  const boards = {
    business: async () => ({ id: ACTOR.businessId }),
    find: async () => BOARD,
    async listPage() {
      fillMemory();
      return [BOARD];
    },
  };
  const tiles = {
    async changeMany(_scope: unknown, { filter }: { readonly filter: { readonly tileIds: readonly string[] } }) {
      changed.push(...filter.tileIds);
      fillMemory();
      return { matched: filter.tileIds, changed: filter.tileIds.length, lostExternalIds: [], overLimit: [], next: null };
    },
  };
  const toolDeps = {
    store: { boards, tiles },
    clock: { now: () => 0 },
    workQueue: createSemaphore({ slots: 1 }),
    createBoundary: () => "f00d",
    log: { error: () => undefined },
  } as unknown as ToolDeps;
  const mcp = createMcpHandler(toolDeps, { name: 100, title: 300, content: 1_000_000, question: 4_000 });
  const deps = { ...toolDeps, responses, bodies: createBodyMemory(1_048_576), mcp, hostGuard: () => undefined } as unknown as HttpDeps;
  const checkAccess = (): AccessHook => async (request) => {
    request.actor = ACTOR;
  };
  app = Fastify();
  app.decorateRequest("actor", undefined);
  app.decorateRequest("bodyBytes", 0);
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  await registerRoutes(app, { deps, routes: mcpRoutes(), checkAccess });
});
afterEach(() => app.close());

const call = (tool: string, args: object) => app.inject({ method: "POST", url: "/mcp", payload: toolCall(tool, args) as object });

it("a tool that has changed something is answered, whatever else of its caller is unread by then", async () => {
  const ids = Array.from({ length: 100 }, (_, n) => `til_${String(n).padStart(30, "0")}`);
  const change = { board_id: BOARD.id, filter: { tile_ids: ids }, action: { delete: true } };
  const { statusCode, body } = await call("change_tiles", change);
  expect([statusCode, JSON.parse(body).result.structuredContent.changed]).toEqual([200, ids.length]);
  expect(changed).toEqual(ids);
});

it("a tool that changes something is refused before its work if too much of its caller is unread", async () => {
  await call("list_boards", {});
  const change = { board_id: BOARD.id, filter: { tile_ids: ["til_1"] }, action: { delete: true } };
  expect((await call("change_tiles", change)).statusCode).toBe(429);
  expect(changed).toEqual([]);
});

it("a tool that only reads can be refused after it has read", async () => {
  const { statusCode, headers } = await call("list_boards", {});
  expect([statusCode, headers["retry-after"]]).toEqual([429, "2"]);
});
