import { omitEmpty } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { sourceChangedError } from "../../../extract/sources/errors.ts";
import { isTruncatedText, buildTitle } from "../../../extract/posts/post-text.ts";
import { resultFromEntries, SERVICE } from "./linked-data.ts";
import { decodeSafely } from "../../../extract/fetch/urls.ts";
import { findCommentary, findElementText, loadPage, readTags, resultFromTags } from "./load-page.ts";

/** Reads a post from JSON-LD, otherwise from the element with its text, otherwise from the tags in the head. */
async function readPostPage(context: ExtractContext): Promise<PartialResult> {
  const loaded = await loadPage(context, context.url);
  const linkedData = resultFromEntries(loaded.head.jsonLd);
  const words = findCommentary(loaded.html);
  const tags = linkedData === null && words === null ? resultFromTags(loaded) : readTags(loaded);
  const metadata = { ...tags.metadata, ...linkedData?.metadata, siteName: SERVICE };
  if (linkedData?.isComplete) return { ...linkedData, metadata };
  const text = words ?? linkedData?.text ?? tags.text ?? null;
  return { title: buildTitle(metadata.author ?? null, SERVICE, text ?? tags.title ?? ""), text, metadata, isComplete: words !== null };
}

const KINDS: Readonly<Record<string, string>> = { activity: "activity", share: "share", ugcpost: "ugcPost", grouppost: "groupPost" };

/** Builds the post's URN from either form of address. */
function buildUrn({ url, kind }: ExtractContext): string {
  const path = decodeSafely(url.pathname);
  const written = /(activity|share|ugcpost|grouppost)[-:](?:\d{1,25}-)?\d/i.exec(path)?.[1]?.toLowerCase() ?? "activity";
  return `urn:li:${KINDS[written] ?? "activity"}:${kind.id ?? ""}`;
}

/** The page of a post for embedding in other sites. */
const embed: ContentSource = {
  name: "embed",
  run: async (context, partial): Promise<PartialResult> => {
    const loaded = await loadPage(context, `https://www.linkedin.com/embed/feed/update/${buildUrn(context)}`);
    const words = findCommentary(loaded.html);
    const linkedData = resultFromEntries(loaded.head.jsonLd);
    if (words === null && !linkedData?.text) throw sourceChangedError(SERVICE);
    const author = linkedData?.metadata?.author ?? findElementText(loaded.html, "feed-actor-name") ?? partial.metadata?.author ?? null;
    const text = words ?? linkedData?.text ?? null;
    return {
      title: buildTitle(author, SERVICE, text ?? ""),
      text,
      metadata: { ...linkedData?.metadata, ...omitEmpty({ author, siteName: SERVICE }) },
      isComplete: words !== null && !isTruncatedText(words),
    };
  },
};

/**
 * Creates the sources of a post. A page may have only the start of it, which is used only if the embed fails too: `runSources` prefers
 * the text of earlier sources.
 */
function createPostSources(): readonly ContentSource[] {
  let beginning: PartialResult | null = null;
  return [
    {
      name: "page",
      run: async (context) => {
        const found = await readPostPage(context);
        if (found.isComplete) return found;
        beginning = found;
        return { metadata: found.metadata ?? {} };
      },
    },
    embed,
    { name: "beginning", run: (_context, partial) => Promise.resolve(partial.text ? null : beginning) },
  ];
}

/** A post, from its page's JSON-LD or text, otherwise from its embed. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["POST"],
  missing: { code: "truncated", message: "LinkedIn shows only the beginning of this post here. Paste the rest by hand." },
  sources: createPostSources,
};
