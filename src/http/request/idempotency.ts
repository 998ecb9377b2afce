import type { FastifyRequest } from "fastify";
import { type Actor, actorId } from "#domain/core/access.ts";
import { invalid } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { digestBytes } from "./body/body-digest.ts";
import { compactResponse } from "./stored-response.ts";

const LIFETIME_MS = 24 * 3_600_000;
const MAX_KEY_LENGTH = 255;

/** Returns the idempotency record of a request; undefined without an Idempotency-Key. `present` returns the body that a repeated call gets. */
export function readIdempotencyKey<T>(
  request: FastifyRequest,
  actor: Actor,
  now: number,
  present: (created: T) => object | null,
): IdempotencyRecord<T> | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || actor.kind === "operator") return undefined;
  if (typeof key !== "string" || key.trim() === "" || key.length > MAX_KEY_LENGTH) {
    throw invalid(`Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} characters.`);
  }
  const { hash, texts } = request.bodyDigest ?? digestBytes("");
  return {
    businessId: actor.businessId,
    apiKeyId: actorId(actor),
    path: getPath(request),
    key,
    requestHash: hash,
    expiresAt: now + LIFETIME_MS,
    render(created) {
      const response = present(created);
      return response === null ? null : compactResponse(response, texts);
    },
  };
}

/** Returns the stored response of a creation that returned a secret: only the id. */
export const presentIdOnly = ({ id }: { readonly id: string }) => ({ id });

const getPath = (request: FastifyRequest): string => request.url.split("?", 1)[0] as string;
