import { hash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Revisions } from "#domain/core/board.ts";
import { includesEtag } from "../response/etag.ts";

/** Which part of a board a listing shows. */
export type ListedPart = "zones" | "content";

/** May be kept by the caller alone, who asks each time whether it still holds. */
export const LISTING_CACHE_CONTROL = "private, no-cache";

/**
 * Begins each tag of this process. A board that was restored from a backup counts its revisions from an earlier number, so that one
 * number could stand for two contents; the process was started anew since.
 */
const EPOCH = randomBytes(6).toString("base64url");

/** A listing by the key that it is cached under, which says all that was asked, and by the part of the board that it shows. */
export type TaggedListing = { readonly key: string; readonly part: ListedPart };

const HASH_LENGTH = 12;

const opaqueTag = ({ key, part }: TaggedListing, revisions: Revisions): string =>
  `"${EPOCH}${hash("sha256", key, "base64url").slice(0, HASH_LENGTH)}${revisions[part]}"`;

/** The weak entity tag of a listing: it is the same as long as nothing that the listing could show has changed, and no other listing's. */
export const listingTag = (listing: TaggedListing, revisions: Revisions): string => `W/${opaqueTag(listing, revisions)}`;

/**
 * Sets `ETag` and `Cache-Control` of a listing. True when the caller knows this state of it (`If-None-Match`): then 304 was sent, and
 * nothing needs to be read. The query has to be checked before, so that what is refused is refused to everybody.
 */
export function sendNotModified(request: FastifyRequest, reply: FastifyReply, listing: TaggedListing, revisions: Revisions): boolean {
  reply.header("Cache-Control", LISTING_CACHE_CONTROL).header("ETag", listingTag(listing, revisions));
  if (!includesEtag(opaqueTag(listing, revisions), request.headers["if-none-match"])) return false;
  void reply.code(304).send();
  return true;
}
