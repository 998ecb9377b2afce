import type { FastifyReply } from "fastify";

/** Header lines as names and values in turn, the form that `writeHead` takes as it is. */
export type HeaderList = readonly string[];

export const JSON_TYPE = "application/json; charset=utf-8";

/** What every answer carries. `variesByOrigin` is for a server that some pages elsewhere may call. */
export const commonHeaders = (requestId: string, variesByOrigin: boolean): HeaderList => [
  "x-request-id",
  requestId,
  "x-content-type-options",
  "nosniff",
  "cache-control",
  "no-store",
  ...(variesByOrigin ? ["vary", "Origin"] : []),
];

export function setHeaders(reply: FastifyReply, headers: HeaderList): void {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1]);
}
