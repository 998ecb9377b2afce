import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#domain/access.ts";
import { AppError } from "#domain/error.ts";
import { authenticate } from "#service/access.ts";
import type { RateVerdict } from "#service/rate-limit.ts";
import { refuseEncodedBody } from "./body/parse.ts";
import type { AnyRoute, HttpDeps, Params } from "./call.ts";
import { refusalOf } from "./errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | undefined;
    granted: unknown;
  }
}

export type Limiter = (key: string, limit: number) => RateVerdict | null;

/** The key of a request: one X-API-Key header, else a bearer token; never from the query. */
function keyOf(request: FastifyRequest): string | undefined {
  const header = request.headers["x-api-key"];
  if (typeof header === "string" && header !== "") return header;
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "");
  return bearer?.[1];
}

/** Key, allowance, then the route's guard: all of it before a body is read. */
export function createGate(deps: HttpDeps, limiter: Limiter, onUse: (actor: Actor) => void) {
  return (route: AnyRoute) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      deps.store.beginCall();
      const actor = await authenticate(deps, keyOf(request));
      request.actor = actor;
      onUse(actor);
      takeAllowance(deps, limiter, route, actor, reply);
      request.granted = await route.guard(deps, actor, request.params as Params);
      refuseEncodedBody(request.headers["content-encoding"]);
    };
}

function takeAllowance(deps: HttpDeps, limiter: Limiter, route: AnyRoute, actor: Actor, reply: FastifyReply): void {
  if (actor.kind !== "key") return;
  const isAsk = route.allowance === "ask";
  const verdict = limiter(isAsk ? `ask ${actor.keyId}` : actor.keyId, isAsk ? deps.limits.asks : deps.limits.requests);
  if (verdict === null) return;
  const policy = isAsk ? "ask" : "default";
  reply.header("RateLimit-Policy", `"${policy}";q=${verdict.limit};w=60`);
  reply.header("RateLimit", `"${policy}";r=${verdict.remaining};t=${verdict.resetSeconds}`);
  if (!verdict.isAllowed) {
    throw new AppError("rate_limited", `Too many requests. Try again in ${verdict.resetSeconds} s.`, verdict.resetSeconds);
  }
}

/** Sends a refusal. A body that was not read is not swallowed: the connection ends with the answer. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.retryAfterSeconds !== undefined) reply.header("Retry-After", String(refusal.retryAfterSeconds));
  if (!request.raw.complete && hasBody(request)) reply.header("Connection", "close");
  return reply
    .code(refusal.status)
    .header("Content-Type", "application/json; charset=utf-8")
    .send(JSON.stringify({ error: refusal.message }));
}

const hasBody = (request: FastifyRequest): boolean =>
  request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
