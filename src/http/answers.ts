import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#domain/error.ts";
import type { OnceOutcome } from "#domain/store.ts";
import { RawJson } from "./call.ts";

/** Answers a creation: the first answer again where it was replayed. */
export function sendOnce<T>(reply: FastifyReply, outcome: OnceOutcome<T>, render: (value: T) => string): RawJson {
  if (!outcome.replayed) return new RawJson(render(outcome.value));
  reply.header("Idempotency-Replayed", "true");
  return new RawJson(outcome.body);
}

/** The entity tag of a version, for `If-Match`. */
export const etagOf = (version: number): string => `"${version}"`;

/** The version that `If-Match` demands; undefined without the header or for `*`. */
export function ifMatchOf(request: FastifyRequest): number | undefined {
  const header = request.headers["if-match"];
  if (header === undefined || header.trim() === "*") return undefined;
  const match = /^"(\d{1,15})"$/.exec(header.trim());
  if (match === null)
    throw new AppError("precondition_failed", "If-Match does not name a version of this resource. Read it again for its ETag.");
  return Number(match[1]);
}
