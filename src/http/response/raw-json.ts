import type { FastifyReply } from "fastify";
import type { IdempotentOutcome } from "#domain/core/idempotency.ts";
import { expandResponse } from "../request/stored-response.ts";

/** A response body that is serialised already. */
export class RawJson {
  readonly body: string | Buffer;
  constructor(body: string | Buffer) {
    this.body = body;
  }
}

/** Responds to a creation; a repeated call gets the first response again. */
export function sendCreated<T>(reply: FastifyReply, outcome: IdempotentOutcome<T>, render: (value: T) => string): RawJson {
  if (!outcome.replayed) return new RawJson(render(outcome.value));
  const body = expandResponse(outcome.body, reply.request.body);
  reply.header("Idempotency-Replayed", "true");
  return new RawJson(body);
}
