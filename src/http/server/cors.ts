import type { FastifyReply, FastifyRequest } from "fastify";

const READABLE = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, ETag, Location, Preference-Applied";
const METHODS = "GET, POST, PATCH, DELETE";
const SENDABLE = "X-API-Key, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, MCP-Protocol-Version";
const MAX_AGE_SECONDS = "600";

/** Lets a listed origin call from a browser, with a key and without credentials; true when the request is settled with that. */
export function allowOrigin(origins: readonly string[], request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return false;
  reply.header("Access-Control-Allow-Origin", origin);
  reply.header("Access-Control-Expose-Headers", READABLE);
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
  reply.header("Access-Control-Allow-Methods", METHODS);
  reply.header("Access-Control-Allow-Headers", SENDABLE);
  reply.header("Access-Control-Max-Age", MAX_AGE_SECONDS);
  void reply.code(204).send();
  return true;
}
