import type { FastifyReply } from "fastify";

/** Alternating names and values, the form that `writeHead` takes without conversion. */
export type HeaderList = readonly string[];

export const JSON_TYPE = "application/json; charset=utf-8";

/** Returns the headers of every response. `vary` is null unless CORS origins are configured. */
export const commonHeaders = (requestId: string, vary: string | null, cacheControl = "no-store"): HeaderList => [
  "x-request-id",
  requestId,
  "x-content-type-options",
  "nosniff",
  "cache-control",
  cacheControl,
  ...(vary === null ? [] : ["vary", vary]),
];

export function setHeaders(reply: FastifyReply, headers: HeaderList): void {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
}
