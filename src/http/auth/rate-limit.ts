import type { FastifyReply } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";
import { MAX_INBOUND_REQUESTS } from "#domain/settings/inbound-address.ts";
import type { RateLimitResult } from "#service/rate-limit.ts";
import type { HttpDeps } from "../route.ts";

/** The rate limits: questions and generations count against `ask`, all other calls against `default`. */
export type Policy = "default" | "ask";

type LimiterDeps = Pick<HttpDeps, "limiter" | "limits">;
type Result = RateLimitResult | null | Promise<RateLimitResult>;

/** Counts a call. Returns null for callers without a limit, and a promise only if nodes share their counters. */
export const countRequest = ({ limiter, limits }: LimiterDeps, actor: Actor): Result =>
  actor.kind === "operator"
    ? null
    : limiter(actor.businessId, actorId(actor), actor.kind === "address" ? MAX_INBOUND_REQUESTS : limits.requests);

/** Counts a question or a generation. */
export const countAsk = ({ limiter, limits }: LimiterDeps, actor: Actor): Result =>
  actor.kind === "operator" ? null : limiter(actor.businessId, `ask ${actorId(actor)}`, limits.asks);

/** Sets the RateLimit header fields (draft-ietf-httpapi-ratelimit-headers). */
export function setRateLimitHeaders(reply: FastifyReply, policy: Policy, { limit, remaining, resetSeconds }: RateLimitResult): void {
  reply.header("ratelimit-policy", `"${policy}";q=${limit};w=60`).header("ratelimit", `"${policy}";r=${remaining};t=${resetSeconds}`);
}
