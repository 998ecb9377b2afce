import { type Actor, actorId } from "#domain/core/access.ts";
import type { RateVerdict } from "#service/rate-limit.ts";
import type { HttpDeps } from "../route.ts";
import type { HeaderList } from "../response/headers.ts";

/** What calls draw on: every call on one, asks on another one. */
export type Policy = "default" | "ask";

type Verdict = RateVerdict | null | Promise<RateVerdict>;

/** Counts a call of `actor`; null where nothing bounds it. A promise only where nodes count together. */
export const countRequest = ({ limiter, limits }: HttpDeps, actor: Actor): Verdict =>
  actor.kind === "operator" ? null : limiter(actor.businessId, actorId(actor), limits.requests);

/** The same for an ask. */
export const countAsk = ({ limiter, limits }: HttpDeps, actor: Actor): Verdict =>
  actor.kind === "operator" ? null : limiter(actor.businessId, `ask ${actorId(actor)}`, limits.asks);

/** What is left, in the fields of the draft for RateLimit headers (draft-ietf-httpapi-ratelimit-headers). */
export const rateLimitHeaders = (policy: Policy, verdict: RateVerdict): HeaderList => [
  "ratelimit-policy",
  `"${policy}";q=${verdict.limit};w=60`,
  "ratelimit",
  `"${policy}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
];
