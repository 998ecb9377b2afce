import { hash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Revisions } from "#domain/core/board.ts";
import { includesEtag } from "../response/etag.ts";
import type { RawJson } from "../response/raw-json.ts";
import { ReusableJson } from "../response/reusable-json.ts";

/** Which part of a board a listing shows. */
export type ListedPart = "zones" | "content";

/** Only the client may cache the listing, and must revalidate it each time. */
export const LISTING_CACHE_CONTROL = "private, no-cache";

/**
 * The prefix of all tags of this process. After a backup is restored, a revision number can refer to different content; the process has
 * been restarted since.
 */
const EPOCH = randomBytes(6).toString("base64url");

/** Identifies a listing by its cache key, which contains the whole query, and the part of the board that it shows. */
export type TaggedListing = { readonly key: string; readonly part: ListedPart; readonly cached: RawJson | undefined };

const HASH_LENGTH = 12;

const digestKey = (key: string): string => hash("sha256", key, "base64url").slice(0, HASH_LENGTH);

/** Returns the entity tag of a listing. It is unique to the listing, and changes whenever its content may have changed. */
function createTag({ key, part, cached }: TaggedListing, revisions: Revisions): string {
  const digest = cached instanceof ReusableJson ? (cached.keyDigest ??= digestKey(key)) : digestKey(key);
  return `"${EPOCH}${digest}${revisions[part]}"`;
}

/**
 * Sets a weak `ETag` and `Cache-Control` of a listing. Returns true if 304 was sent, because the client has this version (`If-None-Match`).
 * Validate the query first, so that errors do not depend on this header.
 */
export function sendIfUnchanged(request: FastifyRequest, reply: FastifyReply, listing: TaggedListing, revisions: Revisions): boolean {
  const tag = createTag(listing, revisions);
  reply.header("Cache-Control", LISTING_CACHE_CONTROL).header("ETag", `W/${tag}`);
  const known = request.headers["if-none-match"];
  if (known === undefined || !includesEtag(tag, known)) return false;
  void reply.code(304).send();
  return true;
}
