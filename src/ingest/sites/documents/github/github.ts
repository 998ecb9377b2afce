import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import { chain, type Chain, type Step } from "../../../extract/sources.ts";
import { ask } from "../../../extract/fetch/request.ts";
import { lightMarkdown } from "../../../extract/markdown.ts";
import { findingOfWholePage } from "../../../extract/fetch/clean-page.ts";
import { gone, pathParts, SERVICE } from "./api.ts";
import { commit } from "./commit.ts";
import { file } from "./file.ts";
import { gist } from "./gist.ts";
import { issue } from "./issue.ts";
import { release } from "./release.ts";
import { repository } from "./repository.ts";

/** The source of a wiki's page, which stands beside it as Markdown. */
const wikiSource: Step = {
  name: "wiki file",
  take: async (context) => {
    const [owner, name, , page = "Home"] = pathParts(context.url);
    const url = `https://raw.githubusercontent.com/wiki/${owner}/${name}/${page}.md`;
    const { text } = await ask(context, { service: SERVICE, url });
    let title = page.replaceAll("-", " ");
    try {
      title = decodeURIComponent(title);
    } catch {
      // A name that is no escaped text stays as it is written.
    }
    return { title, text: lightMarkdown(text), metadata: { siteName: SERVICE, author: owner ?? "" }, isWhole: true };
  },
};

const page: Step = {
  name: "page",
  take: (context) =>
    findingOfWholePage(context, {
      service: SERVICE,
      url: context.url,
      refusal: (status) => (status === 404 ? gone("This page") : null),
    }),
};

const THIN = { code: "thin_content", message: "Only a part of this page could be read. Open it and paste the text you need." };

const CHAINS: Readonly<Record<string, Chain>> = {
  REPO: repository,
  GIST: gist,
  ISSUE: issue,
  PULL: issue,
  RELEASE: release,
  COMMIT: commit,
  FILE: file,
  WIKI: { missing: THIN, steps: [wikiSource, page] },
  DISCUSSION: { missing: THIN, steps: [page] },
  USER: { missing: THIN, steps: [page] },
};

const chainOf = ({ kind }: ExtractContext): Chain => CHAINS[kind.subtype ?? ""] ?? { missing: THIN, steps: [page] };

/** Repositories, gists, issues, pull requests, releases, commits, files, wikis, discussions and people on GitHub. */
export const github: Extractor = {
  name: "github",
  accepts: ({ type, id }) => type === "GITHUB" && id !== undefined,
  extract: (context) => chain(chainOf(context))(context),
};
