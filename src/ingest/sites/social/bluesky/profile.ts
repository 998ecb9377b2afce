import { IngestError } from "#domain/content/job.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { sourceChanged } from "../../../extract/sources/errors.ts";
import { getUrl, joinParagraphs } from "../../../extract/posts/post-text.ts";
import { callNetwork, profileAddress, assertVisible, SERVICE } from "./network.ts";
import { blueskyPage } from "./post.ts";
import { nameOf, textOfPost } from "./post-text.ts";

const POSTS = 30;

/** The account's latest posts without reposts. */
async function postsOf(context: ExtractContext, actor: string): Promise<string[]> {
  const response = await callNetwork(
    context,
    "app.bsky.feed.getAuthorFeed",
    { actor, limit: String(POSTS), filter: "posts_no_replies" },
    "This account",
  );
  return getArray(response, "feed")
    .slice(0, POSTS)
    .filter((item) => getValue(item, "reason") === undefined)
    .map((item) => textOfPost(getValue(item, "post")));
}

const profile: Source = {
  name: "profile",
  run: async (context) => {
    const actor = (context.kind.id ?? "").replace(/^@/, "");
    const response = await callNetwork(context, "app.bsky.actor.getProfile", { actor }, "This account");
    const author = nameOf(response);
    const did = getString(response, "did");
    if (author === null || did === null) throw sourceChanged(SERVICE);
    assertVisible(response);
    const address = profileAddress(getString(response, "handle") ?? did);
    const found = {
      title: author,
      metadata: omitEmpty({
        author,
        authorUrl: address,
        siteName: SERVICE,
        thumbnailUrl: getUrl(response, "avatar"),
        canonicalUrl: address,
        stats: validCounts({ followers: getNumber(response, "followersCount"), posts: getNumber(response, "postsCount") }),
      }),
    };
    const posts = await postsOf(context, did).catch((error: unknown) => {
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
