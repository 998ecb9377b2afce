import type { FastifyRequest } from "fastify";
import type { ListedPart } from "./validators.ts";

/**
 * Returns the key of a listing in the cache. `parsedQuery` is the query as the handler read it, with its properties in a fixed order, so
 * that different spellings of a query share an entry.
 */
export const createListingKey = (part: ListedPart, boardId: string, parsedQuery: object): string =>
  `${part} ${boardId} ${JSON.stringify(parsedQuery)}`;

/** Whether the client asks for an uncached response (RFC 9111, section 5.2.1.4). The new response is still cached. */
export const bypassesCache = ({ headers }: FastifyRequest): boolean => /\bno-cache\b/i.test(headers["cache-control"] ?? "");
