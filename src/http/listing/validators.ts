import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Revisions } from "#domain/core/board.ts";
import { isKnownTag } from "../answer/answers.ts";

/** Which part of a board a listing shows. */
export type ListedPart = "zones" | "content";

/** May be kept by the caller alone, who asks each time whether it still holds. */
export const LISTING_CACHE_CONTROL = "private, no-cache";

/**
 * Begins each tag of this process. A board that was restored from a backup counts its revisions from an earlier number, so that one
 * number could stand for two contents; the process was started anew since.
 */
const EPOCH = randomBytes(6).toString("base64url");

const opaqueTag = (part: ListedPart, revisions: Revisions): string => `"${EPOCH}${revisions[part]}"`;

/** The weak entity tag of a listing: it is the same as long as nothing that the listing could show has changed. */
export const listingTag = (part: ListedPart, revisions: Revisions): string => `W/${opaqueTag(part, revisions)}`;

/**
 * Sets `ETag` and `Cache-Control` of a listing. True when the caller knows this state of it (`If-None-Match`): then 304 was sent, and
 * nothing needs to be read.
 */
export function sendUnchanged(request: FastifyRequest, reply: FastifyReply, part: ListedPart, revisions: Revisions): boolean {
  reply.header("Cache-Control", LISTING_CACHE_CONTROL).header("ETag", listingTag(part, revisions));
  if (!isKnownTag(opaqueTag(part, revisions), request.headers["if-none-match"])) return false;
  void reply.code(304).send();
  return true;
}
