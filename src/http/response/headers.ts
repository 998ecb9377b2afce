import type { FastifyReply } from "fastify";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sets the headers of every response. `vary` is null unless CORS origins are configured. */
export function setCommonHeaders(reply: FastifyReply, requestId: string, vary: string | null): void {
  reply.header("x-request-id", requestId).header("x-content-type-options", "nosniff").header("cache-control", "no-store");
  if (vary !== null) reply.header("vary", vary);
}
