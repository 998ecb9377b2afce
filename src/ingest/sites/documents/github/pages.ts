import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import { runSources, type SourceList, type Source } from "../../../extract/sources/run-sources.ts";
import { fetchText } from "../../../extract/fetch/request.ts";
import { simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchCleanPage } from "../../../extract/fetch/clean-page.ts";
import { goneError, pathParts, SERVICE } from "./api.ts";
import { commit } from "./commit.ts";
import { file } from "./file.ts";
import { gist } from "./gist.ts";
import { issue } from "./issue.ts";
import { release } from "./release.ts";
import { repository } from "./repository.ts";

/** The source of a wiki's page, which stands beside it as Markdown. */
const wikiSource: Source = {
  name: "wiki file",
  run: async (context) => {
    const [owner, name, , page = "Home"] = pathParts(context.url);
    const url = `https://raw.githubusercontent.com/wiki/${owner}/${name}/${page}.md`;
    const { text } = await fetchText(context, { service: SERVICE, url });
    let title = page.replaceAll("-", " ");
    try {
      title = decodeURIComponent(title);
    } catch {
      // A name that is no escaped text stays as it is written.
    }
    return { title, text: simplifyMarkdown(text), metadata: { siteName: SERVICE, author: owner ?? "" }, isComplete: true };
  },
};

const page: Source = {
  name: "page",
  run: (context) =>
    fetchCleanPage(context, {
      service: SERVICE,
      url: context.url,
      mapError: (status) => (status === 404 ? goneError("This page") : null),
    }),
};

const THIN = { code: "thin_content", message: "Only a part of this page could be read. Open it and paste the text you need." };

const SOURCE_LISTS: Readonly<Record<string, SourceList>> = {
  REPO: repository,
  GIST: gist,
  ISSUE: issue,
  PULL: issue,
  RELEASE: release,
  COMMIT: commit,
  FILE: file,
  WIKI: { missing: THIN, sources: [wikiSource, page] },
  DISCUSSION: { missing: THIN, sources: [page] },
  USER: { missing: THIN, sources: [page] },
};

const sourceListOf = ({ kind }: ExtractContext): SourceList => SOURCE_LISTS[kind.subtype ?? ""] ?? { missing: THIN, sources: [page] };

/** Repositories, gists, issues, pull requests, releases, commits, files, wikis, discussions and people on GitHub. */
export const github: Extractor = {
  name: "github",
  accepts: ({ type, id }) => type === "GITHUB" && id !== undefined,
  extract: (context) => runSources(sourceListOf(context))(context),
};
