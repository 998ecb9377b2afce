/** Builds cache keys from the parsed query, so that different spellings of a query share an entry (docs/decisions/020). */
import type { FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import { findField } from "../request/schema-reader.ts";
import type { ListingKey } from "./listing-cache.ts";

/**
 * `parsedQuery` is the query as the handler read it, with its properties in a fixed order. The URL is included only if all its parameters
 * are known, since a later version may handle others.
 */
export function createListingKey(request: FastifyRequest, schema: TObject, boardId: string, parsedQuery: object): ListingKey {
  const hasKnownParametersOnly = Object.keys(request.query as object).every((name) => findField(schema, name) !== undefined);
  return {
    key: `${request.routeOptions.url ?? ""} ${boardId} ${JSON.stringify(parsedQuery)}`,
    url: hasKnownParametersOnly ? request.url : null,
  };
}

/** Whether the client asks for an uncached response (RFC 9111, section 5.2.1.4). The new response is still cached. */
export const bypassesCache = ({ headers }: FastifyRequest): boolean => /\bno-cache\b/i.test(headers["cache-control"] ?? "");
