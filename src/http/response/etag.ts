import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";

/** Returns the entity tag of a version, for `If-Match`. */
export const formatEtag = (version: number): string => `"${version}"`;

const TAG_LENGTH = 22;

/** Returns the entity tag of a representation without a version: a digest of its bytes. */
export const contentEtag = (content: string | Uint8Array): string => `"${hash("sha256", content, "base64url").slice(0, TAG_LENGTH)}"`;

/** Whether `If-None-Match` has this entity tag or `*`, so that 304 can be sent. */
export const matchesIfNoneMatch = (etag: string, header = ""): boolean => includesEtag(etag, header) || header.trim() === "*";

/** Whether `If-None-Match` has this entity tag, not counting `*`, for resources that may not exist. */
export const includesEtag = (etag: string, header = ""): boolean =>
  header.split(",").some((part) => part.trim().replace(/^W\//, "") === etag);

/** Returns the version that `If-Match` requires; undefined without the header or for `*`. */
export function readIfMatch(request: FastifyRequest): number | undefined {
  const header = request.headers["if-match"];
  if (header === undefined || header.trim() === "*") return undefined;
  const match = /^"(\d{1,15})"$/.exec(header.trim());
  if (match === null)
    throw new AppError("precondition_failed", "If-Match does not name a version of this resource. Read it again for its ETag.");
  return Number(match[1]);
}
