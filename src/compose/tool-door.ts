import { randomBytes } from "node:crypto";
import type { Config } from "#config";
import { AppError } from "#domain/core/error.ts";
import { createCursors } from "#http/listing/cursor.ts";
import { type Door, createDoor } from "#mcp/door.ts";
import type { RateLimiter } from "#service/rate-limit.ts";
import type { Foundation } from "./foundation.ts";

/** The tools for agents over what `foundation` holds; a question counts against the same allowance as one over HTTP. */
export function createToolDoor(
  config: Config,
  { deps, secretKey }: Foundation,
  limiter: RateLimiter,
  log: { error(fields: object, message: string): void },
): Door {
  return createDoor(
    {
      ...deps,
      cursors: createCursors(secretKey),
      newMark: () => randomBytes(8).toString("hex"),
      log,
      async takeAsk(actor) {
        if (actor.kind !== "key") return;
        const verdict = await limiter(actor.businessId, `ask ${actor.keyId}`, config.rateLimitAsk);
        if (verdict === null || verdict.isAllowed) return;
        throw new AppError("rate_limited", `Too many requests. Try again in ${verdict.resetSeconds} s.`, verdict.resetSeconds);
      },
    },
    { title: config.maxTitle, content: config.maxContent, question: config.maxQuestion },
  );
}
