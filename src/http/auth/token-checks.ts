import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Actor } from "#domain/core/access.ts";
import type { StoreDeps } from "#service/deps.ts";
import { type PeopleDeps, authenticateMember } from "#service/people/sessions.ts";
import { authenticateSender } from "#service/settings/inbound-addresses.ts";
import { createStrangerQueue } from "#service/work-queue.ts";
import { getNetwork } from "./network.ts";

/** Tokens that are known to exist. */
const MAX_TOKENS = 10_000;

/** Returns the actor of a token; null if the token is unknown, or what it stands for has ended. */
type TokenCheck<Kind extends Actor["kind"]> = (request: FastifyRequest, token: string) => Promise<(Actor & { readonly kind: Kind }) | null>;
export type SessionCheck = TokenCheck<"member">;
export type InboundCheck = TokenCheck<"address">;

/** Creates the check of session tokens. */
export const createSessionCheck = (deps: PeopleDeps): SessionCheck => createCheck("sessions", (token) => authenticateMember(deps, token));

/** Creates the check of the tokens of inbound addresses. */
export const createInboundCheck = (deps: StoreDeps): InboundCheck => createCheck("addresses", (token) => authenticateSender(deps, token));

/** Networks take turns at tokens that the check has not seen; beyond the maximum of one it throws 429. `things` are in the message. */
function createCheck<Kind extends Actor["kind"]>(
  things: string,
  authenticate: (token: string) => ReturnType<TokenCheck<Kind>>,
): TokenCheck<Kind> {
  const known = new LRUCache<string, true>({ max: MAX_TOKENS });
  const unknownLookups = createStrangerQueue(things, "being checked");
  return async (request, token) => {
    const digest = hash("sha256", token, "base64url");
    const find = () => authenticate(token);
    const actor = known.has(digest) ? await find() : await unknownLookups.run(find, { owner: getNetwork(request.ip) });
    if (actor === null) known.delete(digest);
    else known.set(digest, true);
    return actor;
  };
}
