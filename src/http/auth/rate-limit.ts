import { type Actor, actorId } from "#domain/core/access.ts";
import type { RateLimitResult } from "#service/rate-limit.ts";
import type { HttpDeps } from "../route.ts";
import type { HeaderList } from "../response/headers.ts";

/** The rate limits: questions and generations count against `ask`, all other calls against `default`. */
export type Policy = "default" | "ask";

type LimiterDeps = Pick<HttpDeps, "limiter" | "limits">;
type Result = RateLimitResult | null | Promise<RateLimitResult>;

/** Counts a call. Returns null for callers without a limit, and a promise only if nodes share their counters. */
export const countRequest = ({ limiter, limits }: LimiterDeps, actor: Actor): Result =>
  actor.kind === "operator" ? null : limiter(actor.businessId, actorId(actor), limits.requests);

/** Counts a question or a generation. */
export const countAsk = ({ limiter, limits }: LimiterDeps, actor: Actor): Result =>
  actor.kind === "operator" ? null : limiter(actor.businessId, `ask ${actorId(actor)}`, limits.asks);

/** Returns the RateLimit header fields (draft-ietf-httpapi-ratelimit-headers). */
export const rateLimitHeaders = (policy: Policy, result: RateLimitResult): HeaderList => [
  "ratelimit-policy",
  `"${policy}";q=${result.limit};w=60`,
  "ratelimit",
  `"${policy}";r=${result.remaining};t=${result.resetSeconds}`,
];
