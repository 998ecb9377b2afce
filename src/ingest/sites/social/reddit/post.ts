import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { loginWallError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { throwForStatus } from "../../../extract/fetch/status.ts";
import { oauth } from "./api.ts";
import { atom, listing } from "./feed.ts";
import { ORIGIN, getPostIds, mapError, SERVICE } from "./reddit.ts";

/** Share links contain a token; the post's id is only in the address that they redirect to. */
const SHARED = /^\/(?:r|u|user)\/[\w-]+\/s\/\w+/;

const share: ContentSource = {
  name: "share link",
  run: async (context) => {
    if (!SHARED.test(context.url.pathname)) return null;
    // Only the target's address is needed, so an error status is accepted.
    const resource = await context.fetcher.fetch({ url: context.url.href, maxBytes: 16_384, signal: context.signal });
    const target = new URL(resource.url);
    if (SHARED.test(target.pathname)) {
      if (resource.status === 404) throw notFoundError("This post");
      throwForStatus(resource, context.now());
      throw sourceChangedError(SERVICE);
    }
    const kind = context.detectKind(target);
    if (kind.type !== "REDDIT" || kind.id === undefined) throw loginWallError(SERVICE);
    return { handOffTo: target, kind };
  },
};

/** Skips the source for a share link that could not be followed. */
const skipForShareLinks = (source: ContentSource): ContentSource => ({
  ...source,
  run: async (context, partial, errors) => (SHARED.test(context.url.pathname) ? null : source.run(context, partial, errors)),
});

const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context) => {
    const { post, comment } = getPostIds(context);
    const path = /^\/(?:r|u|user)\/[\w-]+\/comments\//.test(context.url.pathname) ? context.url.pathname : `/comments/${post}/`;
    const address = `${ORIGIN}${comment === null ? path : context.url.pathname}`;
    const { html: _, ...found } = await fetchOembed(context, { service: SERVICE, endpoint: `${ORIGIN}/oembed`, mapError }, address);
    return { ...found, metadata: { ...found.metadata, siteName: SERVICE } };
  },
};

/** A post with its comments, or one comment within it. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["POST", "COMMENT"],
  missing: { code: "truncated", message: "Only the title of this post could be read. Retry later, or paste its text." },
  sources: [share, ...[oauth, atom, oembed].map(skipForShareLinks)],
};

/** A subreddit or a user: the latest posts. */
export const listingReader: SiteReader = {
  name: "listing",
  subtypes: ["SUBREDDIT", "USER"],
  missing: { code: "truncated", message: "No posts could be read. Add them one by one." },
  sources: [listing],
};
