import type { FastifyReply } from "fastify";
import type { IdempotentOutcome } from "#domain/core/idempotency.ts";
import { expandResponse } from "../request/stored-response.ts";
import { formatEtag } from "./etag.ts";

/** A response body that is serialised already. */
export class RawJson {
  readonly body: string | Buffer;
  constructor(body: string | Buffer) {
    this.body = body;
  }
}

/** The version of a new resource, whose first response is what a repeated call gets. */
const FIRST_VERSION = 1;

/** Responds to the creation of a resource that has versions, with its `ETag`. */
export function sendCreatedVersion<T extends { readonly version: number }>(
  reply: FastifyReply,
  outcome: IdempotentOutcome<T>,
  render: (value: T) => string,
): RawJson {
  reply.header("ETag", formatEtag(outcome.replayed ? FIRST_VERSION : outcome.value.version));
  return sendCreated(reply, outcome, render);
}

/** Responds to a creation; a repeated call gets the first response again. */
export function sendCreated<T>(reply: FastifyReply, outcome: IdempotentOutcome<T>, render: (value: T) => string): RawJson {
  if (!outcome.replayed) return new RawJson(render(outcome.value));
  const body = expandResponse(outcome.body, reply.request.body);
  reply.header("Idempotency-Replayed", "true");
  return new RawJson(body);
}
