import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Actor } from "#domain/core/access.ts";
import { type PeopleDeps, authenticateMember } from "#service/people/sessions.ts";
import { createStrangerQueue } from "#service/work-queue.ts";
import { getNetwork } from "./network.ts";

/** Sessions that are known to exist. */
const MAX_SESSIONS = 10_000;

/** Returns the member of a session token; null if the session is unknown, ended or expired. */
export type SessionCheck = (request: FastifyRequest, token: string) => Promise<(Actor & { readonly kind: "member" }) | null>;

/** Creates the check. Networks take turns at tokens that it has not seen; beyond the maximum of one it throws 429. */
export function createSessionCheck(deps: PeopleDeps): SessionCheck {
  const known = new LRUCache<string, true>({ max: MAX_SESSIONS });
  const unknownLookups = createStrangerQueue("sessions", "being checked");
  return async (request, token) => {
    const digest = hash("sha256", token, "base64url");
    const find = () => authenticateMember(deps, token);
    const member = known.has(digest) ? await find() : await unknownLookups.run(find, { owner: getNetwork(request.ip) });
    if (member === null) known.delete(digest);
    else known.set(digest, true);
    return member;
  };
}
