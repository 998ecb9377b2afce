import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Actor } from "#domain/core/access.ts";
import { AppError } from "#domain/core/error.ts";
import { getNetwork } from "#domain/settings/network.ts";
import { createSemaphore } from "#runtime/semaphore.ts";
import { type PeopleDeps, authenticateMember } from "#service/people/sessions.ts";

/** Tokens that were never valid are looked up by few at once, so that whoever guesses them does not take all connections of the database. */
const MAX_UNKNOWN_LOOKUPS = 2;
/** How many of them one network may have waiting. */
const MAX_PER_NETWORK = 256;
/** Sessions that are known to exist. */
const MAX_SESSIONS = 10_000;
const RETRY_SECONDS = 1;

/** Returns the member of a session token; null if the session is unknown, ended or expired. */
export type SessionCheck = (request: FastifyRequest, token: string) => Promise<(Actor & { readonly kind: "member" }) | null>;

/** Creates the check. Networks take turns at tokens that it has not seen; beyond the maximum of one it throws 429. */
export function createSessionCheck(deps: PeopleDeps): SessionCheck {
  const known = new LRUCache<string, true>({ max: MAX_SESSIONS });
  const unknownLookups = createSemaphore({
    slots: MAX_UNKNOWN_LOOKUPS,
    reserved: 1,
    maxPerOwner: MAX_PER_NETWORK,
    refuse: () =>
      new AppError(
        "rate_limited",
        `Too many sessions of your network are being checked. The maximum is ${MAX_PER_NETWORK}. Try again in ${RETRY_SECONDS} s.`,
        RETRY_SECONDS,
      ),
  });
  return async (request, token) => {
    const digest = hash("sha256", token, "base64url");
    const find = () => authenticateMember(deps, token);
    const member = known.has(digest) ? await find() : await unknownLookups.run(find, { owner: getNetwork(request.ip) });
    if (member === null) known.delete(digest);
    else known.set(digest, true);
    return member;
  };
}
