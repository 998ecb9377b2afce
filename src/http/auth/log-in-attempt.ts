import type { FastifyRequest } from "fastify";
import { isUnavailable } from "#domain/core/errors/error.ts";
import type { AttemptOrigin } from "#service/people/log-in-throttle.ts";
import type { HttpDeps } from "../route.ts";
import { getNetwork } from "./network.ts";

/**
 * Runs `work`, which logs a member in by password or link. Throws `rate_limited` with the time to wait after too many failed
 * attempts for this account or from this network. `email` is null for links, which have a token instead of an account.
 */
export function runLogInAttempt<T extends object>(
  deps: HttpDeps,
  request: FastifyRequest,
  email: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const device = email === null ? null : deps.deviceCookie.read(request, email);
  return runThrottled(deps, { email, network: getNetwork(request.ip), device }, work);
}

/** Runs `work` like `runLogInAttempt`, for attempts that are not counted by the network and browser of the request. */
export async function runThrottled<T extends object | void>(deps: HttpDeps, origin: AttemptOrigin, work: () => Promise<T>): Promise<T> {
  const attempt = await deps.logInThrottle.begin(origin);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // The server was too busy to check the password, so this does not count as an attempt.
    if (isUnavailable(error)) await deps.logInThrottle.forget(attempt, null);
    throw error;
  }
  await deps.logInThrottle.forget(attempt, readMemberEmail(result));
  return result;
}

/** Returns the e-mail address of the member who logged in; null if the result has none. */
function readMemberEmail(result: object | void): string | null {
  const member: unknown = result !== undefined && result !== null && "member" in result ? result.member : null;
  return typeof member === "object" && member !== null && "email" in member && typeof member.email === "string" ? member.email : null;
}
