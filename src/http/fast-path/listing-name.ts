import type { FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import { hasField } from "../request/schema-reader.ts";
import type { ListingKey } from "./listing-cache.ts";

/**
 * Names a listing by its board and by the query as the call understood it: an object whose properties are in one order. The address is
 * given where it names known parameters only, since a call with unknown ones may be answered otherwise.
 */
export function createListingKey(request: FastifyRequest, schema: TObject, boardId: string, understood: object): ListingKey {
  const isPlain = Object.keys(request.query as object).every((name) => hasField(schema, name));
  return { key: `${request.routeOptions.url ?? ""} ${boardId} ${JSON.stringify(understood)}`, address: isPlain ? request.url : null };
}

/** Whether the caller wants an answer that is made anew (RFC 9111, section 5.2.1.4); what is made is cached all the same. */
export const bypassesCache = ({ headers }: FastifyRequest): boolean => /\bno-cache\b/i.test(headers["cache-control"] ?? "");
