import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import { AppError, notFound } from "#domain/core/errors/error.ts";
import { runFor } from "#runtime/turns/current-owner.ts";
import { andThen } from "#runtime/wait.ts";
import { authenticate } from "#service/access.ts";
import { createOwnerCheck } from "#service/people/first-run-setup.ts";
import { requireMemberActor } from "#service/people/sessions.ts";
import { type RateLimitResult, requireWithinLimit } from "#service/rate-limit.ts";
import { toOwner } from "#service/work-queue.ts";
import { rejectEncodedBody } from "../request/body/body-parsers.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import type { AnyRoute, HttpDeps, PathParams } from "../route.ts";
import { type Policy, setRateLimitHeaders, countAsk, countRequest } from "./rate-limit.ts";
import { readApiKey } from "./api-key.ts";
import { type InboundCheck, type SessionCheck, createInboundCheck, createSessionCheck } from "./token-checks.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | undefined;
    authorized: unknown;
  }
}

/** The hook of a route that runs before the body is read. What follows it runs for the caller, as in `runFor`. */
export type AccessCheck = (route: AnyRoute) => (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * Creates the hook that authenticates the caller, applies the rate limit and runs the guard of the route. If nodes share their counters, the
 * guard runs while the call is counted, and the error of the limit comes first. Where nothing waits, there is no promise: each costs a part of a short call.
 */
export function createAccessCheck(deps: HttpDeps, onUse: (actor: Actor) => void): AccessCheck {
  const checks: Checks = {
    hasOwner: createOwnerCheck(deps),
    checkSession: createSessionCheck(deps),
    checkSender: createInboundCheck(deps),
  };

  function identify(route: AnyRoute, request: FastifyRequest): Actor | undefined | Promise<Actor> {
    route.preflight?.(deps, request);
    deps.store.refreshSnapshot();
    if (route.hasToken === true) return authenticateByPath(request, checks);
    if (route.isPublic !== true) return authenticateRequest(deps, route, request, checks);
    deps.csrfGuard(request, false);
    return undefined;
  }

  function authorize(route: AnyRoute, request: FastifyRequest, reply: FastifyReply, actor: Actor): unknown {
    onUse(actor);
    deps.responses.admit(toOwner(actor));
    const rateLimit = checkRateLimit(deps, route, actor, reply);
    const guard = (): unknown => {
      if (route.isMembersOnly === true) requireMemberActor(actor);
      return route.guard(deps, actor, request.params as PathParams);
    };
    // An async function, so that a guard that throws rejects like one that returns a rejected promise.
    const authorized = rateLimit === undefined ? guard() : resolveInOrder(rateLimit, (async () => guard())());
    return andThen(authorized, (proof) => {
      request.authorized = proof;
      rejectEncodedBody(request.headers["content-encoding"]);
    });
  }

  return (route) => (request, reply, done) =>
    attempt(
      () => identify(route, request),
      (actor) => {
        request.actor = actor;
        runFor(ownerOfRequest(request), () => {
          if (actor === undefined) done();
          else
            attempt(
              () => authorize(route, request, reply, actor),
              () => done(),
              done,
            );
        });
      },
      done,
    );
}

/** Calls `next` with the result of `work`, or `fail` with its error: at once, unless there is a promise to wait for. */
function attempt<T>(work: () => T | Promise<T>, next: (value: T) => void, fail: (error: Error) => void): void {
  let result: T | Promise<T>;
  try {
    result = work();
  } catch (error) {
    return fail(error as Error);
  }
  if (result instanceof Promise) result.then(next, fail);
  else next(result);
}

type Checks = { readonly hasOwner: () => Promise<boolean>; readonly checkSession: SessionCheck; readonly checkSender: InboundCheck };

/** The parameter of paths that have the token of an inbound address. */
export const TOKEN_PARAMETER = "token";

async function authenticateByPath(request: FastifyRequest, { checkSender }: Checks): Promise<Actor> {
  const sender = await checkSender(request, (request.params as PathParams)[TOKEN_PARAMETER] ?? "");
  if (sender === null) throw notFound("Inbound address");
  return sender;
}

/** Authenticates by API key if the request has one, otherwise by the session cookie. */
function authenticateRequest(deps: HttpDeps, route: AnyRoute, request: FastifyRequest, checks: Checks): Actor | Promise<Actor> {
  const key = readApiKey(request.headers);
  const token = key === undefined && route.isKeysOnly !== true && route.isLenient !== true ? deps.sessionCookie.read(request) : undefined;
  if (token !== undefined || (key === undefined && route.isMembersOnly === true))
    return authenticateMember(deps, route, request, token, checks);
  return authenticate(deps, key);
}

async function authenticateMember(
  deps: HttpDeps,
  route: AnyRoute,
  request: FastifyRequest,
  token: string | undefined,
  { hasOwner, checkSession }: Checks,
): Promise<Actor> {
  if (token === undefined) throw notLoggedIn((await hasOwner()) ? "not_logged_in" : "owner_missing");
  deps.csrfGuard(request, route.form !== undefined);
  const member = await checkSession(request, token);
  if (member === null) throw notLoggedIn();
  return member;
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
  setRateLimitHeaders(reply, policy, result);
  requireWithinLimit(result);
}
