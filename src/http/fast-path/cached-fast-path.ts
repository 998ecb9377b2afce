/**
 * Serves cached listings without the framework: routing, hooks and the request and reply objects cost 14 of the 59 µs of such a call.
 * Zones: 59 → 45 µs, tiles: 79 → 72 µs of CPU per call (docs/decisions/020).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Actor } from "#domain/core/access.ts";
import { authenticate, authorizeBoard } from "#service/access.ts";
import { toOwner } from "#service/work-queue.ts";
import { readApiKey } from "../auth/api-key.ts";
import { countRequest, rateLimitHeaders } from "../auth/rate-limit.ts";
import { LISTING_CACHE_CONTROL, listingTag } from "../listing/validators.ts";
import { MIN_COMPRESSED_BYTES, addToVary, chooseCompression } from "../response/compress.ts";
import { JSON_TYPE, commonHeaders } from "../response/headers.ts";
import type { HttpDeps } from "../route.ts";
import type { RequestLogger } from "../server/request-log.ts";
import type { CachedListing } from "./listing-cache.ts";

/** Tries to handle a request. Returns null or resolves to false if the normal path must handle it; it is then untouched. */
export type CachedFastPath = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | null;

export type FastPathOptions = {
  readonly deps: HttpDeps;
  readonly createRequestId: () => string;
  readonly logCompleted: RequestLogger;
  readonly onUse: (actor: Actor) => void;
  readonly variesByOrigin: boolean;
};

/** Request headers that may change the response or make it an error. */
const UNSUPPORTED_HEADERS: readonly (keyof IncomingHttpHeaders)[] = [
  "origin",
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "cache-control",
  "if-none-match",
  "prefer",
];

/**
 * Authentication, authorization and rate limit are the same functions as on the normal path. The fast path never sends an error: on any
 * failure, and if the response may be compressed, the normal path handles the request. Returns null if nodes share their rate limits,
 * since waiting for that statement costs more than the fast path saves.
 */
export function createCachedFastPath(options: FastPathOptions): CachedFastPath | null {
  const { deps } = options;
  if (deps.store.rateLimits !== null) return null;
  return (request, response) => {
    const { method, url = "", headers } = request;
    if (method !== "GET" || UNSUPPORTED_HEADERS.some((name) => headers[name] !== undefined)) return null;
    const listing = deps.listings.find(url);
    const key = listing === undefined ? undefined : readApiKey(headers);
    return listing === undefined || key === undefined
      ? null
      : sendCached(options, { url, listing, key, acceptEncoding: String(headers["accept-encoding"] ?? "") }, response);
  };
}

type CachedRequest = { readonly url: string; readonly listing: CachedListing; readonly key: string; readonly acceptEncoding: string };

async function sendCached(
  { deps, createRequestId, logCompleted, onUse, variesByOrigin }: FastPathOptions,
  { url, listing, key, acceptEncoding }: CachedRequest,
  response: ServerResponse,
): Promise<boolean> {
  const startedAt = performance.now();
  const found = await readListing(deps, url, listing, key);
  if (found === null) return false;
  const { actor, json, etag } = found;
  const isCompressible = json.byteLength >= MIN_COMPRESSED_BYTES;
  if (isCompressible && chooseCompression(acceptEncoding) !== null) return false;
  try {
    deps.responses.hold(response, toOwner(actor), json.byteLength);
  } catch {
    // The normal path refuses it, with the reason, and counts the request.
    return false;
  }
  const rateLimit = await countRequest(deps, actor);
  // The normal path counts the request again, which has no effect: the limit is already reached. It holds its own response instead.
  if (rateLimit?.isAllowed === false) return false;
  onUse(actor);
  const requestId = createRequestId();
  response.writeHead(200, [
    ...commonHeaders(requestId, variesByOrigin ? (isCompressible ? addToVary("Origin") : "Origin") : null, LISTING_CACHE_CONTROL),
    ...(rateLimit === null ? [] : rateLimitHeaders("default", rateLimit)),
    "etag",
    etag,
    "content-type",
    JSON_TYPE,
    ...(isCompressible && !variesByOrigin ? ["vary", addToVary(undefined)] : []),
    "content-length",
    String(json.byteLength),
  ]);
  response.once("finish", () => {
    const milliseconds = performance.now() - startedAt;
    logCompleted({ requestId, method: "GET", route: listing.route, status: 200, milliseconds, code: undefined, actor });
  });
  response.end(json.body, json.encoding);
  return true;
}

/** Returns the current listing if the key may read it; null in every other case, including storage errors. */
async function readListing(deps: HttpDeps, url: string, { key, boardId, dependsOn }: CachedListing, apiKey: string) {
  try {
    deps.store.refreshSnapshot();
    const actor = await authenticate(deps, apiKey);
    const reader = await authorizeBoard(deps, actor, boardId, "read");
    const revisions = await deps.store.boards.revisions(reader.target);
    const json = deps.listings.getByUrl(url, reader, revisions);
    const part = dependsOn === "zones" ? "zones" : "content";
    return json === undefined ? null : { actor, json, etag: listingTag({ key, part }, revisions) };
  } catch {
    // The normal path meets the same error and reports it.
    return null;
  }
}
