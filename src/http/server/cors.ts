import type { FastifyReply, FastifyRequest } from "fastify";

const EXPOSED_HEADERS =
  "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, ETag, Location, Preference-Applied, " +
  "X-Error-Code, X-Ignored-Fields";
const ALLOWED_METHODS = "GET, POST, PATCH, DELETE";
const ALLOWED_HEADERS = "X-API-Key, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, MCP-Protocol-Version";
const MAX_AGE_SECONDS = "600";

/** Adds CORS headers for a configured origin, without credentials. Returns true if the request was a preflight and has been sent. */
export function allowOrigin(origins: readonly string[], request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return false;
  reply.header("Access-Control-Allow-Origin", origin);
  reply.header("Access-Control-Expose-Headers", EXPOSED_HEADERS);
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
  reply.header("Access-Control-Allow-Methods", ALLOWED_METHODS);
  reply.header("Access-Control-Allow-Headers", ALLOWED_HEADERS);
  reply.header("Access-Control-Max-Age", MAX_AGE_SECONDS);
  void reply.code(204).send();
  return true;
}
