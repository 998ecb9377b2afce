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
import { decodeSafely } from "../../../extract/fetch/urls.ts";

/** LinkedIn's own status (999) for suspected bots. */
const mapError = (status: number): IngestError | null => (status === 999 || status === 401 || status === 403 ? loginWall(SERVICE) : null);

const COMMENTARY = ["main-feed-activity-card__commentary", "attributed-text-segment-list__content"];
const MAX_WORDS = 200_000;

/** The text of the element with that class; null where there is none. */
function textOfElement(html: string, mark: string): string | null {
  const index = html.indexOf(mark);
  const start = index < 0 ? -1 : html.lastIndexOf("<", index);
  const name = start < 0 ? null : (/^<([a-z]{1,20})\b/i.exec(html.slice(start, start + 24))?.[1] ?? null);
  const open = html.indexOf(">", index);
  if (name === null || open < 0) return null;
  const end = html.indexOf(`</${name}`, open);
  const inner = html.slice(open + 1, Math.min(end < 0 ? html.length : end, open + MAX_WORDS));
  // Line breaks in the source count unless there are `br` tags.
  return htmlToText(/<br\b/i.test(inner) ? inner : inner.trim().replaceAll("\n", "<br>")) || null;
}

const commentaryOf = (html: string): string | null =>
  COMMENTARY.map((mark) => textOfElement(html, mark)).find((words) => words !== null) ?? null;

type LoadedPage = { readonly html: string; readonly head: Awaited<ReturnType<ExtractContext["reader"]["head"]>>; readonly address: string };

async function loadPage(context: ExtractContext, url: string | URL): Promise<LoadedPage> {
  const { text, resource } = await fetchPage(context, { service: SERVICE, url, acceptLanguage: "en", mapError });
  // A sign-up page replaces members-only content.
  if (/\/(?:signup|authwall|checkpoint)(?:[/?]|$)/.test(new URL(resource.url).pathname)) throw loginWall(SERVICE);
  const head = await context.reader.head({ html: text, url: resource.url }, context.signal);
  return { html: text, head, address: resource.url };
}

/** Reads the head's tags; throws for those of a login page. */
function resultFromTags(loaded: LoadedPage): PartialResult {
  const { meta } = loaded.head;
  const title = meta["og:title"] ?? "";
  if (
    (title === "" && !meta["og:description"]) ||
    /^(?:(?:sign up|log ?in|sign in|join linkedin)(?:$|,| [|•-]| or | to )|linkedin(?:: log in or sign up| login.*)?$)/i.test(title)
  )
    throw loginWall(SERVICE);
  return tagsOf(loaded);
}

/** Reads the head's tags, with the author from the title. */
function tagsOf({ head, address }: LoadedPage): PartialResult {
  const title = head.meta["og:title"] ?? "";
  const found = resultFromHead(head, address);
  const author = /^(.{1,200}?) on LinkedIn(?::|$)/.exec(head.title ?? "")?.[1] ?? /\| ([^|]{1,200})$/.exec(title)?.[1]?.trim() ?? null;
  return { ...found, metadata: { ...found.metadata, ...omitEmpty({ siteName: SERVICE, author: author === SERVICE ? null : author }) } };
}

/** A post's text from JSON-LD, otherwise from the element that shows it, otherwise from the head's tags. */
async function readPostPage(context: ExtractContext): Promise<PartialResult> {
  const loaded = await loadPage(context, context.url);
  const linkedData = resultFromEntries(loaded.head.jsonLd);
  const words = commentaryOf(loaded.html);
  const tags = linkedData === null && words === null ? resultFromTags(loaded) : tagsOf(loaded);
  const metadata = { ...tags.metadata, ...linkedData?.metadata, siteName: SERVICE };
  if (linkedData?.isComplete) return { ...linkedData, metadata };
  const text = words ?? linkedData?.text ?? tags.text ?? null;
  return { title: buildTitle(metadata.author ?? null, SERVICE, text ?? tags.title ?? ""), text, metadata, isComplete: words !== null };
}

const KINDS: Readonly<Record<string, string>> = { activity: "activity", share: "share", ugcpost: "ugcPost", grouppost: "groupPost" };

/** The post's URN, from either form of address. */
function urnOf({ url, kind }: ExtractContext): string {
  const path = decodeSafely(url.pathname);
  const written = /(activity|share|ugcpost|grouppost)[-:](?:\d{1,25}-)?\d/i.exec(path)?.[1]?.toLowerCase() ?? "activity";
  return `urn:li:${KINDS[written] ?? "activity"}:${kind.id ?? ""}`;
}

/** The post as other sites embed it. */
const embed: Source = {
  name: "embed",
  run: async (context, partial): Promise<PartialResult> => {
    const loaded = await loadPage(context, `https://www.linkedin.com/embed/feed/update/${urnOf(context)}`);
    const words = commentaryOf(loaded.html);
    const linkedData = resultFromEntries(loaded.head.jsonLd);
    if (words === null && !linkedData?.text) throw sourceChanged(SERVICE);
    const author = linkedData?.metadata?.author ?? textOfElement(loaded.html, "feed-actor-name") ?? partial.metadata?.author ?? null;
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
 * A page may show only the start of a post. It is kept aside until the embed has failed too, because earlier results take precedence
 * over later ones.
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

/** A post, from its page's JSON-LD or text, otherwise from its embed. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["POST"],
  missing: { code: "truncated", message: "LinkedIn shows only the beginning of this post here. Paste the rest by hand." },
  sources: createPostSources,
};

const articlePage: Source = {
  name: "article",
  run: async (context): Promise<PartialResult> => {
    const loaded = await loadPage(context, context.url);
    const linkedData = resultFromEntries(loaded.head.jsonLd);
    const tags = linkedData === null ? resultFromTags(loaded) : resultFromHead(loaded.head, loaded.address);
    const metadata = { ...tags.metadata, ...linkedData?.metadata, siteName: SERVICE };
    if (linkedData?.isComplete) return { ...linkedData, metadata };
    const page = await context.reader.clean({ html: loaded.html, url: loaded.address }, context.signal);
    const isThin = page.text.trim() === "" || page.warnings.length > 0;
    return {
      title: linkedData?.title ?? tags.title ?? page.title,
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

/** Reads JSON-LD of a person, company, job, course or event; a job's description is escaped HTML. */
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
    const loaded = await loadPage(context, context.url);
    const linkedData = describe(loaded.head.jsonLd);
    const tags = linkedData?.isComplete ? tagsOf(loaded) : resultFromTags(loaded);
    const isLonger = (linkedData?.text?.length ?? 0) > (tags.text?.length ?? 0);
    return {
      title: linkedData?.title ?? tags.title ?? null,
      text: isLonger ? (linkedData?.text ?? null) : (tags.text ?? null),
      metadata: { ...tags.metadata, ...linkedData?.metadata },
      isComplete: isLonger && linkedData?.isComplete === true,
    };
  },
};

/** A person, company, job or event: what its page shows without a login. */
export const pageReader: SiteReader = {
  name: "page",
  missing: {
    code: "login_wall",
    message: "LinkedIn shows the whole page only to people who are logged in. Paste the text you need by hand.",
  },
  sources: [otherPage],
};
