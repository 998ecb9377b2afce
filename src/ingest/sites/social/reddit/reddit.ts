import type { IngestError } from "#domain/content/job.ts";
import { getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { captcha, isPrivate, loginWall, membersOnly, notFound } from "../../../extract/sources/errors.ts";
import { encodePathPart } from "../../../extract/posts/post-text.ts";

export const SERVICE = "Reddit";
export const ORIGIN = "https://www.reddit.com";

/** The post's id, and the comment's where the link leads to one. */
export function postIdsOf({ kind, url }: ExtractContext): { readonly post: string; readonly comment: string | null } {
  const post = kind.id ?? "";
  const comment = kind.subtype === "COMMENT" ? (/\/comments\/\w+\/[^/]*\/(\w+)\/?$/.exec(url.pathname)?.[1] ?? null) : null;
  return { post, comment };
}

/** Reasons why a subreddit is closed: `reason` in Reddit's JSON for 403 and 404. */
const REASONS: Readonly<Record<string, () => IngestError>> = {
  private: () => isPrivate("This subreddit"),
  quarantined: () => loginWall(SERVICE),
  gated: () => loginWall(SERVICE),
  banned: () => notFound("This subreddit"),
  gold_only: () => membersOnly("This subreddit"),
  gold_restricted: () => membersOnly("This subreddit"),
};

/** Maps an error response; null leaves it to the status. */
export function mapError(status: number, text: string): IngestError | null {
  if (status !== 403 && status !== 404) return null;
  const start = text.slice(0, 20_000);
  try {
    const reason = getString(JSON.parse(start), "reason") ?? "";
    if (Object.hasOwn(REASONS, reason)) return REASONS[reason]?.() ?? null;
  } catch {
    // It is a page, not JSON.
  }
  return /blocked by network security|whoa there, pardner|network policy/i.test(start) ? captcha(SERVICE) : null;
}

/** Placeholders for text that its author or a moderator removed. */
export const isGone = (text: string | null): boolean => /^\[\s*(?:removed|deleted)(?: by \w+)?\s*\]$/i.test(text?.trim() ?? "");

export const WORDS_GONE = {
  code: "truncated",
  message: "The text of this post was deleted or removed; only its title and its comments were kept.",
};
export const userAddress = (name: string): string => `${ORIGIN}/user/${encodePathPart(name)}`;
