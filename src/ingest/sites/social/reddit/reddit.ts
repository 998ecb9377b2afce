import type { IngestError } from "#domain/content/job.ts";
import { getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { captchaError, privateError, loginWallError, membersOnlyError, notFoundError } from "../../../extract/sources/errors.ts";
import { encodePathPart } from "../../../extract/posts/post-text.ts";

export const SERVICE = "Reddit";
export const ORIGIN = "https://www.reddit.com";

/** Returns the post's id, and the comment's id if the link leads to a comment. */
export function getPostIds({ kind, url }: ExtractContext): { readonly post: string; readonly comment: string | null } {
  const post = kind.id ?? "";
  const comment = kind.subtype === "COMMENT" ? (/\/comments\/\w+\/[^/]*\/(\w+)\/?$/.exec(url.pathname)?.[1] ?? null) : null;
  return { post, comment };
}

/** Errors by the `reason` in Reddit's JSON for status 403 and 404: why a subreddit is closed. */
const REASONS: Readonly<Record<string, () => IngestError>> = {
  private: () => privateError("This subreddit"),
  quarantined: () => loginWallError(SERVICE),
  gated: () => loginWallError(SERVICE),
  banned: () => notFoundError("This subreddit"),
  gold_only: () => membersOnlyError("This subreddit"),
  gold_restricted: () => membersOnlyError("This subreddit"),
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
  return /blocked by network security|whoa there, pardner|network policy/i.test(start) ? captchaError(SERVICE) : null;
}

/** Whether a text is the placeholder for one that its author or a moderator removed. */
export const isRemovedText = (text: string | null): boolean => /^\[\s*(?:removed|deleted)(?: by \w+)?\s*\]$/i.test(text?.trim() ?? "");

export const TEXT_REMOVED = {
  code: "truncated",
  message: "The text of this post was deleted or removed; only its title and its comments were kept.",
};
export const buildUserAddress = (name: string): string => `${ORIGIN}/user/${encodePathPart(name)}`;
