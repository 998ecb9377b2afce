import { IngestError } from "#domain/content/job.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { sourceChangedError } from "../../../extract/sources/errors.ts";
import { getUrl, joinParagraphs } from "../../../extract/posts/post-text.ts";
import { callNetwork, buildProfileAddress, assertVisible, SERVICE } from "./network.ts";
import { blueskyPage } from "./post.ts";
import { getName, formatPost } from "./post-text.ts";

const MAX_POSTS = 30;

/** Fetches the account's latest posts without reposts. */
async function fetchPosts(context: ExtractContext, actor: string): Promise<string[]> {
  const response = await callNetwork(
    context,
    "app.bsky.feed.getAuthorFeed",
    { actor, limit: String(MAX_POSTS), filter: "posts_no_replies" },
    "This account",
  );
  return getArray(response, "feed")
    .slice(0, MAX_POSTS)
    .filter((item) => getValue(item, "reason") === undefined)
    .map((item) => formatPost(getValue(item, "post")));
}

const profile: ContentSource = {
  name: "profile",
  run: async (context) => {
    const actor = (context.kind.id ?? "").replace(/^@/, "");
    const response = await callNetwork(context, "app.bsky.actor.getProfile", { actor }, "This account");
    const author = getName(response);
    const did = getString(response, "did");
    if (author === null || did === null) throw sourceChangedError(SERVICE);
    assertVisible(response);
    const address = buildProfileAddress(getString(response, "handle") ?? did);
    const found = {
      title: author,
      metadata: omitEmpty({
        author,
        authorUrl: address,
        siteName: SERVICE,
        thumbnailUrl: getUrl(response, "avatar"),
        canonicalUrl: address,
        stats: keepValidCounts({ followers: getNumber(response, "followersCount"), posts: getNumber(response, "postsCount") }),
      }),
    };
    const posts = await fetchPosts(context, did).catch((error: unknown) => {
      if (error instanceof IngestError) return null;
      throw error;
    });
    return { ...found, text: joinParagraphs([getString(response, "description"), ...(posts ?? [])]), isComplete: posts !== null };
  },
};

/** An account: its description and latest posts. */
export const profileReader: SiteReader = {
  name: "profile",
  subtypes: ["PROFILE"],
  missing: { code: "truncated", message: "Only the description of this account could be read. Add its posts one by one." },
  sources: [profile, blueskyPage],
};
