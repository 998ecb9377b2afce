import type { FastifyReply } from "fastify";

/** Header lines as names and values in turn, the form that `writeHead` takes as it is. */
export type HeaderList = readonly string[];

export const JSON_TYPE = "application/json; charset=utf-8";

/** What every answer carries. `vary` is null unless the server lets some pages elsewhere call it. */
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
