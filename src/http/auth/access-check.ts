import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { runFor } from "#runtime/turns/current-owner.ts";
import { authenticate } from "#service/access.ts";
import { createOwnerCheck } from "#service/people/first-run-setup.ts";
import { type RateLimitResult, requireWithinLimit } from "#service/rate-limit.ts";
import { toOwner } from "#service/work-queue.ts";
import { rejectEncodedBody } from "../request/body/body-parsers.ts";
import type { AnyRoute, HttpDeps, PathParams } from "../route.ts";
import { setHeaders } from "../response/headers.ts";
import { type Policy, rateLimitHeaders, countAsk, countRequest } from "./rate-limit.ts";
import { readApiKey } from "./api-key.ts";
import { type SessionCheck, createSessionCheck } from "./session-check.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | undefined;
    authorized: unknown;
  }
}

/** The hook of a route that runs before the body is read. */
export type AccessCheck = (route: AnyRoute) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Creates the hook that authenticates the caller, applies the rate limit and runs the guard of the route, in this order. */
export function createAccessCheck(deps: HttpDeps, onUse: (actor: Actor) => void): AccessCheck {
  // An async function, so that a guard that throws rejects like one that returns a rejected promise.
  const authorize = async (route: AnyRoute, request: FastifyRequest, actor: Actor): Promise<unknown> =>
    route.guard(deps, actor, request.params as PathParams);
  const checks: Checks = { hasOwner: createOwnerCheck(deps), checkSession: createSessionCheck(deps) };
  return (route) => async (request, reply) => {
    route.preflight?.(deps, request);
    deps.store.refreshSnapshot();
    if (route.isPublic === true) {
      deps.csrfGuard(request, false);
      return;
    }
    const actor = await identify(deps, route, request, checks);
    request.actor = actor;
    onUse(actor);
    deps.responses.admit(toOwner(actor));
    const rateLimit = checkRateLimit(deps, route, actor, reply);
    const authorizing = runFor(toOwner(actor), () => authorize(route, request, actor));
    request.authorized = rateLimit === undefined ? await authorizing : await resolveInOrder(rateLimit, authorizing);
    rejectEncodedBody(request.headers["content-encoding"]);
  };
}

type Checks = { readonly hasOwner: () => Promise<boolean>; readonly checkSession: SessionCheck };

/** Authenticates by API key if the request has one, otherwise by the session cookie. */
async function identify(deps: HttpDeps, route: AnyRoute, request: FastifyRequest, { hasOwner, checkSession }: Checks): Promise<Actor> {
  const key = readApiKey(request.headers);
  const token = key === undefined && route.isKeysOnly !== true && route.isLenient !== true ? deps.sessionCookie.read(request) : undefined;
  if (token !== undefined) {
    deps.csrfGuard(request, route.form !== undefined);
    const member = await checkSession(request, token);
    if (member === null) throw notLoggedIn();
    return member;
  }
  if (key === undefined && route.isMembersOnly === true) throw notLoggedIn((await hasOwner()) ? "not_logged_in" : "owner_missing");
  return authenticate(deps, key);
}

const notLoggedIn = (code: "not_logged_in" | "owner_missing" = "not_logged_in"): AppError =>
  new AppError(code, "You are not logged in, or your session has ended. Log in again.");

/** Awaits both in parallel. If both fail, throws the error of the first. */
async function resolveInOrder<T>(first: Promise<void>, second: Promise<T>): Promise<T> {
  const [limited, authorized] = await Promise.allSettled([first, second]);
  if (limited.status === "rejected") throw limited.reason;
  if (authorized.status === "rejected") throw authorized.reason;
  return authorized.value;
}

/** Returns a promise only if nodes share their counters: awaiting a settled value costs one turn of the event loop. */
function checkRateLimit(deps: HttpDeps, route: AnyRoute, actor: Actor, reply: FastifyReply): Promise<void> | undefined {
  const policy = route.rateLimit ?? "default";
  const result = policy === "ask" ? countAsk(deps, actor) : countRequest(deps, actor);
  if (result === null) return undefined;
  if (result instanceof Promise) return result.then((counted) => applyRateLimit(counted, policy, reply));
  applyRateLimit(result, policy, reply);
  return undefined;
}

function applyRateLimit(result: RateLimitResult, policy: Policy, reply: FastifyReply): void {
  setHeaders(reply, rateLimitHeaders(policy, result));
  requireWithinLimit(result);
}
