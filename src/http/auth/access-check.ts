import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import { AppError } from "#domain/core/error.ts";
import { authenticate } from "#service/access.ts";
import { authenticateMember } from "#service/people/sessions.ts";
import type { RateVerdict } from "#service/rate-limit.ts";
import { rejectEncodedBody } from "../request/body-parsers.ts";
import type { AnyRoute, HttpDeps, Params } from "../route.ts";
import { setHeaders } from "../response/headers.ts";
import { type Policy, rateLimitHeaders, countAsk, countRequest } from "./rate-limit.ts";
import { readApiKey } from "./api-key.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | undefined;
    authorized: unknown;
  }
}

/** Key, allowance, then the route's guard: all of it before a body is read. */
export function createAccessCheck(deps: HttpDeps, onUse: (actor: Actor) => void) {
  const grant = async (route: AnyRoute, request: FastifyRequest, actor: Actor): Promise<unknown> =>
    route.guard(deps, actor, request.params as Params);
  return (route: AnyRoute) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      route.preflight?.(deps, request);
      deps.store.refreshSnapshot();
      if (route.isPublic === true) {
        deps.csrfGuard(request, false);
        return;
      }
      const actor = await identify(deps, route, request);
      request.actor = actor;
      onUse(actor);
      const allowance = checkRateLimit(deps, route, actor, reply);
      request.authorized =
        allowance === undefined ? await grant(route, request, actor) : await inOrder(allowance, grant(route, request, actor));
      rejectEncodedBody(request.headers["content-encoding"]);
    };
}

/** By key where one came, else by the session of a page of our own. */
function identify(deps: HttpDeps, route: AnyRoute, request: FastifyRequest): Promise<Actor> {
  const key = readApiKey(request.headers);
  const token = key === undefined && route.isKeysOnly !== true && route.isLenient !== true ? deps.sessionCookie.read(request) : undefined;
  if (token !== undefined) return identifyMember(deps, route, request, token);
  if (key === undefined && route.isMembersOnly === true) throw notLoggedIn();
  return authenticate(deps, key);
}

async function identifyMember(deps: HttpDeps, route: AnyRoute, request: FastifyRequest, token: string): Promise<Actor> {
  deps.csrfGuard(request, route.form !== undefined);
  const member = await authenticateMember(deps, token);
  if (member === null) throw notLoggedIn();
  return member;
}

const notLoggedIn = (): AppError =>
  new AppError("key_missing_or_invalid", "You are not logged in, or your session has ended. Log in again.");

/** Both are asked of the storage at once; a refusal of the first is told before one of the second. */
async function inOrder<T>(first: Promise<void>, second: Promise<T>): Promise<T> {
  const [told, authorized] = await Promise.allSettled([first, second]);
  if (told.status === "rejected") throw told.reason;
  if (authorized.status === "rejected") throw authorized.reason;
  return authorized.value;
}

/** A promise only where nodes count together: awaiting nothing costs a turn of every call. */
function checkRateLimit(deps: HttpDeps, route: AnyRoute, actor: Actor, reply: FastifyReply): Promise<void> | undefined {
  const policy = route.rateLimit ?? "default";
  const verdict = policy === "ask" ? countAsk(deps, actor) : countRequest(deps, actor);
  if (verdict === null) return undefined;
  if (verdict instanceof Promise) return verdict.then((settled) => applyRateLimit(settled, policy, reply));
  applyRateLimit(verdict, policy, reply);
  return undefined;
}

function applyRateLimit(verdict: RateVerdict, policy: Policy, reply: FastifyReply): void {
  setHeaders(reply, rateLimitHeaders(policy, verdict));
  if (!verdict.isAllowed) {
    throw new AppError("rate_limited", `Too many requests. Try again in ${verdict.resetSeconds} s.`, verdict.resetSeconds);
  }
}
