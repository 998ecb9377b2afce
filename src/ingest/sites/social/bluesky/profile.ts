import { IngestError } from "#domain/content/job.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import { chain, type Step } from "../../../extract/sources.ts";
import { sourceChanged } from "../../../extract/errors.ts";
import { addressAt, paragraphs } from "../../../extract/posts/post-text.ts";
import { callNetwork, profileAddress, refuseHidden, SERVICE } from "./network.ts";
import { bskyPage } from "./post.ts";
import { nameOf, postWords } from "./words.ts";

const POSTS = 30;

/** The account's latest posts; what it passed on of others is left out. */
async function postsOf(context: ExtractContext, actor: string): Promise<string[]> {
  const answer = await callNetwork(
    context,
    "app.bsky.feed.getAuthorFeed",
    { actor, limit: String(POSTS), filter: "posts_no_replies" },
    "This account",
  );
  return getArray(answer, "feed")
    .slice(0, POSTS)
    .filter((item) => getValue(item, "reason") === undefined)
    .map((item) => postWords(getValue(item, "post")));
}

const profile: Step = {
  name: "profile",
  take: async (context) => {
    const actor = (context.kind.id ?? "").replace(/^@/, "");
    const answer = await callNetwork(context, "app.bsky.actor.getProfile", { actor }, "This account");
    const author = nameOf(answer);
    const did = getString(answer, "did");
    if (author === null || did === null) throw sourceChanged(SERVICE);
    refuseHidden(answer);
    const address = profileAddress(getString(answer, "handle") ?? did);
    const found = {
      title: author,
      metadata: omitEmpty({
        author,
        authorUrl: address,
        siteName: SERVICE,
        thumbnailUrl: addressAt(answer, "avatar"),
        canonicalUrl: address,
        stats: validCounts({ followers: getNumber(answer, "followersCount"), posts: getNumber(answer, "postsCount") }),
      }),
    };
    const posts = await postsOf(context, did).catch((error: unknown) => {
      if (error instanceof IngestError) return null;
      throw error;
    });
    return { ...found, text: paragraphs([getString(answer, "description"), ...(posts ?? [])]), isWhole: posts !== null };
  },
};

/** An account: what it says of itself, and its latest posts. */
export const blueskyProfile: Extractor = {
  name: "bluesky-profile",
  accepts: ({ type, subtype, id }) => type === "BLUESKY" && subtype === "PROFILE" && id !== undefined,
  extract: chain({
    missing: { code: "truncated", message: "Only what this account says of itself could be had. Add its posts one by one." },
    steps: [profile, bskyPage],
  }),
};
