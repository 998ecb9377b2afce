/** Builds cache keys from the parsed query, so that different spellings of a query share an entry (docs/decisions/020). */
import type { FastifyRequest } from "fastify";
import type { IgnoredFields } from "../request/ignored-fields.ts";
import type { ListingKey } from "./listing-cache.ts";

/**
 * `parsedQuery` is the query as the handler read it, with its properties in a fixed order. The URL is included only if nothing in it was
 * ignored, since a response that is found by its URL has no `X-Ignored-Fields`.
 */
export const createListingKey = (request: FastifyRequest, ignored: IgnoredFields, boardId: string, parsedQuery: object): ListingKey => ({
  key: `${request.routeOptions.url ?? ""} ${boardId} ${JSON.stringify(parsedQuery)}`,
  url: ignored.isEmpty ? request.url : null,
});

/** Whether the client asks for an uncached response (RFC 9111, section 5.2.1.4). The new response is still cached. */
export const bypassesCache = ({ headers }: FastifyRequest): boolean => /\bno-cache\b/i.test(headers["cache-control"] ?? "");
