import { randomBytes } from "node:crypto";
import type { Config } from "#config";
import { createCursorCodec } from "#http/listing/cursor.ts";
import { type McpHandler, createMcpHandler } from "#mcp/handler.ts";
import type { GenerationRunner } from "#service/generation/runner.ts";
import { type RateLimiter, requireWithinLimit } from "#service/rate-limit.ts";
import type { AppContext } from "./app-context.ts";
import { toInputLimits } from "./input-limits.ts";

/** Creates the MCP handler over the services of `appContext`. Questions and generations count against the same rate limit as over HTTP. */
export function createConfiguredMcpHandler(
  config: Config,
  { deps, secretKey }: AppContext,
  runner: GenerationRunner,
  limiter: RateLimiter,
): McpHandler {
  return createMcpHandler(
    {
      ...deps,
      runner,
      generateWaitMs: config.generateWaitMs,
      cursors: createCursorCodec(secretKey.value),
      createBoundary: () => randomBytes(8).toString("hex"),
      async countQuestion(actor) {
        if (actor.kind !== "key") return;
        const result = await limiter(actor.businessId, `ask ${actor.keyId}`, config.rateLimitAsk);
        if (result !== null) requireWithinLimit(result);
      },
    },
    toInputLimits(config),
  );
}
