import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchText } from "../../../extract/fetch/request.ts";
import { simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchCleanPage } from "../../../extract/fetch/clean-page.ts";
import { fetchApi, fetchRawFile, isAbsent, ORIGIN, splitPath, getRepository, SERVICE } from "./api.ts";

const WHAT = "This repository";

/** Parses branch and folder of a `/tree/…` link. The first segment counts as the branch, although its name may contain a slash. */
function parseTree(url: URL): { readonly ref: string; readonly folder: string } | null {
  const [, , word, ref, ...folder] = splitPath(url);
  return word === "tree" && ref !== undefined ? { ref, folder: folder.join("/") } : null;
}

/** Fetches the README of the link's folder, otherwise that of the repository. Returns null if there is none. */
async function fetchReadme(context: ExtractContext): Promise<string | null> {
  const base = `/repos/${getRepository(context)}/readme`;
  const tree = parseTree(context.url);
  const paths = tree === null ? [base] : [`${base}${tree.folder === "" ? "" : `/${tree.folder}`}?ref=${tree.ref}`, base];
  for (const path of paths) {
    try {
      return simplifyMarkdown((await fetchRawFile(context, { path, what: WHAT })).text);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  return null;
}

const NO_README = { code: "thin_content", message: "This repository has no README; only its description was kept." };

const api: ContentSource = {
  name: "API",
  setting: "GITHUB_TOKEN",
  run: async (context) => {
    const about = await fetchApi(context, { path: `/repos/${getRepository(context)}`, what: WHAT });
    const description = getString(about, "description");
    const topics = getArray(about, "topics").filter((topic) => typeof topic === "string");
    const introduction = [description, topics.length === 0 ? null : topics.map((topic) => `#${topic}`).join(" ")]
      .filter(Boolean)
      .join("\n\n");
    const result = {
      title: getString(about, "full_name") ?? getString(about, "name"),
      metadata: omitEmpty({
        siteName: SERVICE,
        author: getString(about, "owner", "login"),
        authorUrl:
          getString(about, "owner", "html_url") ??
          (getString(about, "owner", "login") && `${ORIGIN}/${getString(about, "owner", "login")}`),
        publishedAt: toIsoDate(getString(about, "created_at")),
        thumbnailUrl: getString(about, "owner", "avatar_url"),
        canonicalUrl: getString(about, "html_url"),
        stats: keepValidCounts({
          stars: getNumber(about, "stargazers_count"),
          forks: getNumber(about, "forks_count"),
          issues: getNumber(about, "open_issues_count"),
          watchers: getNumber(about, "subscribers_count"),
        }),
      }),
    };
    try {
      const readme = await fetchReadme(context);
      const text = [introduction, readme].filter(Boolean).join("\n\n");
      return { ...result, text, isComplete: true, ...(readme ? {} : { warnings: [NO_README] }) };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      return { ...result, text: introduction, error };
    }
  },
};

/** The README's raw address does not count against the API's rate limit. */
const rawReadme: ContentSource = {
  name: "README file",
  run: async (context, partial) => {
    const url = `https://raw.githubusercontent.com/${getRepository(context)}/HEAD/README.md`;
    const { text } = await fetchText(context, { service: SERVICE, url });
    return {
      title: partial.title ?? context.kind.id ?? null,
      text: [partial.text, simplifyMarkdown(text)].filter(Boolean).join("\n\n"),
      metadata: { siteName: SERVICE, author: context.kind.id?.split("/")[0] ?? "" },
      isComplete: true,
    };
  },
};

const page: ContentSource = {
  name: "page",
  run: (context) => fetchCleanPage(context, { service: SERVICE, url: `${ORIGIN}/${getRepository(context)}` }),
};

/** A repository: its description, topics and README. */
export const repositoryReader: SiteReader = {
  name: "repository",
  subtypes: ["REPO"],
  missing: { code: "thin_content", message: "The README of this repository could not be read. Retry later, or configure a GitHub token." },
  sources: [api, rawReadme, page],
};
