import { toIsoDate } from "../../../clean/dates.ts";
import { decodeEntities, htmlToText } from "../../../read/markup/html-text.ts";
import { omitEmpty, getString } from "../../../read/json-access.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { listJsonLdEntries, resultFromEntries, SERVICE } from "./linked-data.ts";
import { loadPage, MAX_CHARACTERS, readTags, resultFromTags } from "./load-page.ts";

const articlePage: ContentSource = {
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
function readDescription(jsonLd: readonly unknown[]): PartialResult | null {
  const entry = listJsonLdEntries(jsonLd).find((one) =>
    /^(?:Person|Organization|JobPosting|Course|Event)$/.test(getString(one, "@type") ?? ""),
  );
  const written = getString(entry, "description")?.slice(0, MAX_CHARACTERS) ?? null;
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

const otherPage: ContentSource = {
  name: "page",
  run: async (context): Promise<PartialResult> => {
    const loaded = await loadPage(context, context.url);
    const linkedData = readDescription(loaded.head.jsonLd);
    const tags = linkedData?.isComplete ? readTags(loaded) : resultFromTags(loaded);
    const isLonger = (linkedData?.text?.length ?? 0) > (tags.text?.length ?? 0);
    return {
      title: linkedData?.title ?? tags.title ?? null,
      text: isLonger ? (linkedData?.text ?? null) : (tags.text ?? null),
      metadata: { ...tags.metadata, ...linkedData?.metadata },
      isComplete: isLonger && linkedData?.isComplete === true,
    };
  },
};

/** Reads people, companies, jobs and events: the content that a page shows without a login. */
export const pageReader: SiteReader = {
  name: "page",
  missing: {
    code: "login_wall",
    message: "LinkedIn shows the whole page only to people who are logged in. Paste the text you need by hand.",
  },
  sources: [otherPage],
};
