import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";

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

/**
 * Returns the version that `If-Match` requires; undefined without the header or for `*`. Tags that can't be one of this API are left out of
 * a list (RFC 9110, section 13.1.1).
 */
export function readIfMatch(request: FastifyRequest): number | undefined {
  const header = request.headers["if-match"];
  if (header === undefined || header.trim() === "*") return undefined;
  const [version, ...others] = new Set(header.split(",").flatMap((tag) => /^"(\d{1,15})"$/.exec(tag.trim())?.[1] ?? []));
  if (version === undefined)
    throw new AppError("precondition_failed", "If-Match does not name a version of this resource. Read it again for its ETag.");
  if (others.length > 0)
    throw new AppError(
      "precondition_failed",
      "If-Match names several versions of this resource. Name the one that the change is based on.",
    );
  return Number(version);
}
