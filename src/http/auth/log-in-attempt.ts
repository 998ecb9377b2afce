import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";
import { networkOf } from "#domain/settings/network.ts";
import type { Attempter } from "#service/people/log-in-throttle.ts";
import type { HttpDeps } from "../route.ts";

/**
 * Runs `work`, which lets somebody in by a password or a link, unless this account or this network has failed too often lately: then it
 * throws `rate_limited` with the time to wait. `email` is null where a link's token takes the place of an account.
 */
export function attempt<T extends object>(
  deps: HttpDeps,
  request: FastifyRequest,
  email: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const device = email === null ? null : deps.deviceCookie.read(request, email);
  return runAttempt(deps, { email, network: networkOf(request.ip), device }, work);
}

/** The same for an attempter that is no mere request. */
export async function runAttempt<T extends object | void>(deps: HttpDeps, attempter: Attempter, work: () => Promise<T>): Promise<T> {
  const begun = await deps.logInThrottle.begin(attempter);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // Nothing was tried where the server had no time for it.
    if (error instanceof AppError && error.code === "unavailable") await deps.logInThrottle.settle(begun, null);
    throw error;
  }
  await deps.logInThrottle.settle(begun, emailOf(result));
  return result;
}

/** Whoever got in; null for an answer that lets nobody in. */
function emailOf(result: object | void): string | null {
  const member: unknown = result !== undefined && result !== null && "member" in result ? result.member : null;
  return typeof member === "object" && member !== null && "email" in member && typeof member.email === "string" ? member.email : null;
}
