import type { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { decodeEntities, htmlToText } from "../../../read/markup/html-text.ts";
import { omitEmpty, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchPage } from "../../../extract/fetch/request.ts";
import { loginWall, sourceChanged } from "../../../extract/sources/errors.ts";
import { isTruncatedText, buildTitle } from "../../../extract/posts/post-text.ts";
import { entriesOf, resultFromEntries, SERVICE } from "./linked-data.ts";

/** LinkedIn's own status for those it takes for machines. */
const mapError = (status: number): IngestError | null => (status === 999 || status === 401 || status === 403 ? loginWall(SERVICE) : null);

const COMMENTARY = ["main-feed-activity-card__commentary", "attributed-text-segment-list__content"];
const MAX_WORDS = 200_000;

/** The words of the element that carries the mark; null where there is none. */
function wordsAt(html: string, mark: string): string | null {
  const place = html.indexOf(mark);
  const start = place < 0 ? -1 : html.lastIndexOf("<", place);
  const name = start < 0 ? null : (/^<([a-z]{1,20})\b/i.exec(html.slice(start, start + 24))?.[1] ?? null);
  const open = html.indexOf(">", place);
  if (name === null || open < 0) return null;
  const end = html.indexOf(`</${name}`, open);
  const inner = html.slice(open + 1, Math.min(end < 0 ? html.length : end, open + MAX_WORDS));
  // Lines end where the source ends them, unless it marks their ends.
  return htmlToText(/<br\b/i.test(inner) ? inner : inner.trim().replaceAll("\n", "<br>")) || null;
}

const commentaryOf = (html: string): string | null => COMMENTARY.map((mark) => wordsAt(html, mark)).find((words) => words !== null) ?? null;

type Seen = { readonly html: string; readonly head: Awaited<ReturnType<ExtractContext["reader"]["head"]>>; readonly address: string };

async function see(context: ExtractContext, url: string | URL): Promise<Seen> {
  const { text, resource } = await fetchPage(context, { service: SERVICE, url, acceptLanguage: "en", mapError });
  // A page to sign up stands in place of what only members see.
  if (/\/(?:signup|authwall|checkpoint)(?:[/?]|$)/.test(new URL(resource.url).pathname)) throw loginWall(SERVICE);
  const head = await context.reader.head({ html: text, url: resource.url }, context.signal);
  return { html: text, head, address: resource.url };
}

/** What the head's tags tell of the page; throws where they are those of a page to log in. */
function resultFromTags(seen: Seen): PartialResult {
  const { meta } = seen.head;
  const title = meta["og:title"] ?? "";
  if (
    (title === "" && !meta["og:description"]) ||
    /^(?:(?:sign up|log ?in|sign in|join linkedin)(?:$|,| [|•-]| or | to )|linkedin(?:: log in or sign up| login.*)?$)/i.test(title)
  )
    throw loginWall(SERVICE);
  return tagsOf(seen);
}

/** What the head's tags tell, with the author as titles name him. */
function tagsOf({ head, address }: Seen): PartialResult {
  const title = head.meta["og:title"] ?? "";
  const found = resultFromHead(head, address);
  const author = /^(.{1,200}?) on LinkedIn(?::|$)/.exec(head.title ?? "")?.[1] ?? /\| ([^|]{1,200})$/.exec(title)?.[1]?.trim() ?? null;
  return { ...found, metadata: { ...found.metadata, ...omitEmpty({ siteName: SERVICE, author: author === SERVICE ? null : author }) } };
}

/** The words of a post's page: its linked data, else the element that shows them, else what its tags begin with. */
async function readPostPage(context: ExtractContext): Promise<PartialResult> {
  const seen = await see(context, context.url);
  const told = resultFromEntries(seen.head.jsonLd);
  const words = commentaryOf(seen.html);
  const tags = told === null && words === null ? resultFromTags(seen) : tagsOf(seen);
  const metadata = { ...tags.metadata, ...told?.metadata, siteName: SERVICE };
  if (told?.isComplete) return { ...told, metadata };
  const text = words ?? told?.text ?? tags.text ?? null;
  return { title: buildTitle(metadata.author ?? null, SERVICE, text ?? tags.title ?? ""), text, metadata, isComplete: words !== null };
}

const KINDS: Readonly<Record<string, string>> = { activity: "activity", share: "share", ugcpost: "ugcPost", grouppost: "groupPost" };

/** The thing's name in LinkedIn's own terms, from either form of address. */
function urnOf({ url, kind }: ExtractContext): string {
  let path = url.pathname;
  try {
    path = decodeURIComponent(path);
  } catch {
    // Left as it is: the number is known without it.
  }
  const written = /(activity|share|ugcpost|grouppost)[-:](?:\d{1,25}-)?\d/i.exec(path)?.[1]?.toLowerCase() ?? "activity";
  return `urn:li:${KINDS[written] ?? "activity"}:${kind.id ?? ""}`;
}

/** The post as other sites show it. */
const embed: Source = {
  name: "embed",
  run: async (context, partial): Promise<PartialResult> => {
    const seen = await see(context, `https://www.linkedin.com/embed/feed/update/${urnOf(context)}`);
    const words = commentaryOf(seen.html);
    const told = resultFromEntries(seen.head.jsonLd);
    if (words === null && !told?.text) throw sourceChanged(SERVICE);
    const author = told?.metadata?.author ?? wordsAt(seen.html, "feed-actor-name") ?? partial.metadata?.author ?? null;
    const text = words ?? told?.text ?? null;
    return {
      title: buildTitle(author, SERVICE, text ?? ""),
      text,
      metadata: { ...told?.metadata, ...omitEmpty({ author, siteName: SERVICE }) },
      isComplete: words !== null && !isTruncatedText(words),
    };
  },
};

/**
 * A page may show only the beginning of a post: that is kept aside until the embed could not be had either, since what one step
 * found goes before what the next finds.
 */
function createPostSources(): readonly Source[] {
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

/** A post, by its page's linked data or words, else as it is embedded elsewhere. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["POST"],
  missing: { code: "truncated", message: "LinkedIn shows only the beginning of this post here. Paste the rest by hand." },
  sources: createPostSources,
};

const articlePage: Source = {
  name: "article",
  run: async (context): Promise<PartialResult> => {
    const seen = await see(context, context.url);
    const told = resultFromEntries(seen.head.jsonLd);
    const tags = told === null ? resultFromTags(seen) : resultFromHead(seen.head, seen.address);
    const metadata = { ...tags.metadata, ...told?.metadata, siteName: SERVICE };
    if (told?.isComplete) return { ...told, metadata };
    const page = await context.reader.clean({ html: seen.html, url: seen.address }, context.signal);
    const isThin = page.text.trim() === "" || page.warnings.length > 0;
    return {
      title: told?.title ?? tags.title ?? page.title,
      text: isThin ? (tags.text ?? page.text) : page.text,
      metadata: {
        ...metadata,
        ...omitEmpty({ author: metadata.author ?? page.author, publishedAt: metadata.publishedAt ?? page.publishedAt }),
      },
      isComplete: !isThin,
    };
  },
};

export const articleReader: SiteReader = {
  name: "article",
  subtypes: ["ARTICLE"],
  missing: { code: "truncated", message: "LinkedIn shows only the beginning of this article here. Paste the rest by hand." },
  sources: [articlePage],
};

/** What a page's linked data says of a person, a company, a job, a course or an event; a job's words are HTML, escaped. */
function describe(jsonLd: readonly unknown[]): PartialResult | null {
  const entry = entriesOf(jsonLd).find((one) => /^(?:Person|Organization|JobPosting|Course|Event)$/.test(getString(one, "@type") ?? ""));
  const written = getString(entry, "description")?.slice(0, MAX_WORDS) ?? null;
  if (written === null) return null;
  const isJob = getString(entry, "@type") === "JobPosting";
  return {
    title: isJob ? getString(entry, "title") : null,
    text: htmlToText(isJob ? decodeEntities(written) : written) || null,
    metadata: omitEmpty({
      author: isJob ? getString(entry, "hiringOrganization", "name") : null,
      publishedAt: toIsoDate(getString(entry, "datePosted")),
    }),
    isComplete: isJob,
  };
}

const otherPage: Source = {
  name: "page",
  run: async (context): Promise<PartialResult> => {
    const seen = await see(context, context.url);
    const told = describe(seen.head.jsonLd);
    const tags = told?.isComplete ? tagsOf(seen) : resultFromTags(seen);
    const isMore = (told?.text?.length ?? 0) > (tags.text?.length ?? 0);
    return {
      title: told?.title ?? tags.title ?? null,
      text: isMore ? (told?.text ?? null) : (tags.text ?? null),
      metadata: { ...tags.metadata, ...told?.metadata },
      isComplete: isMore && told?.isComplete === true,
    };
  },
};

/** A person, a company, a job, an event: what the page shows to people who are not logged in. */
export const pageReader: SiteReader = {
  name: "page",
  missing: {
    code: "login_wall",
    message: "LinkedIn shows the whole page only to people who are logged in. Paste the text you need by hand.",
  },
  sources: [otherPage],
};
