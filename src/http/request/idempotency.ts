import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";
import { invalid } from "#domain/core/error.ts";
import type { Once } from "#domain/core/once.ts";

const LIFE_MS = 24 * 3_600_000;
const MAX_CHARACTERS = 255;

/** What the request's Idempotency-Key asks for; undefined without one. `render` gives the body that a replay answers. */
export function readIdempotencyKey<T>(
  request: FastifyRequest,
  actor: Actor,
  now: number,
  render: (created: T) => string | null,
): Once<T> | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || actor.kind === "operator") return undefined;
  if (typeof key !== "string" || key.trim() === "" || key.length > MAX_CHARACTERS) {
    throw invalid(`Idempotency-Key must be 1 to ${MAX_CHARACTERS} characters.`);
  }
  return {
    businessId: actor.businessId,
    apiKeyId: actorId(actor),
    path: pathOf(request),
    key,
    requestHash: createHash("sha256")
      .update(request.rawBody ?? "")
      .digest("hex"),
    expiresAt: now + LIFE_MS,
    render,
  };
}

/** What is remembered of a creation whose answer showed a secret: that it was made. */
export const renderIdOnly = ({ id }: { readonly id: string }): string => JSON.stringify({ id });

const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0] as string;
