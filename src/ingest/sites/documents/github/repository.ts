import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { Chain, Step } from "../../../extract/sources.ts";
import { ask } from "../../../extract/fetch/request.ts";
import { lightMarkdown } from "../../../extract/markdown.ts";
import { findingOfWholePage } from "../../../extract/fetch/clean-page.ts";
import { askApi, askRaw, isAbsent, ORIGIN, pathParts, repositoryOf, SERVICE } from "./api.ts";

const WHAT = "This repository";

/** The branch and folder of a `/tree/…` link; a branch with a slash in its name can't be told from a folder. */
function treeOf(url: URL): { readonly ref: string; readonly folder: string } | null {
  const [, , word, ref, ...folder] = pathParts(url);
  return word === "tree" && ref !== undefined ? { ref, folder: folder.join("/") } : null;
}

/** The README of the link's folder, else the repository's own; null where there is none. */
async function readmeOf(context: ExtractContext): Promise<string | null> {
  const base = `/repos/${repositoryOf(context)}/readme`;
  const tree = treeOf(context.url);
  const paths = tree === null ? [base] : [`${base}${tree.folder === "" ? "" : `/${tree.folder}`}?ref=${tree.ref}`, base];
  for (const path of paths) {
    try {
      return lightMarkdown((await askRaw(context, { path, what: WHAT })).text);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  return null;
}

const NO_README = { code: "thin_content", message: "This repository has no README; only its description was kept." };

const api: Step = {
  name: "API",
  take: async (context) => {
    const about = await askApi(context, { path: `/repos/${repositoryOf(context)}`, what: WHAT });
    const description = getString(about, "description");
    const topics = getArray(about, "topics").filter((topic) => typeof topic === "string");
    const said = [description, topics.length === 0 ? null : topics.map((topic) => `#${topic}`).join(" ")].filter(Boolean).join("\n\n");
    const finding = {
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
        stats: validCounts({
          stars: getNumber(about, "stargazers_count"),
          forks: getNumber(about, "forks_count"),
          issues: getNumber(about, "open_issues_count"),
          watchers: getNumber(about, "subscribers_count"),
        }),
      }),
    };
    try {
      const readme = await readmeOf(context);
      const text = [said, readme].filter(Boolean).join("\n\n");
      return { ...finding, text, isWhole: true, ...(readme ? {} : { warnings: [NO_README] }) };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      return { ...finding, text: said, trouble: error };
    }
  },
};

/** The README by the address of its file, which no limit of the API counts. */
const rawReadme: Step = {
  name: "README file",
  take: async (context, soFar) => {
    const url = `https://raw.githubusercontent.com/${repositoryOf(context)}/HEAD/README.md`;
    const { text } = await ask(context, { service: SERVICE, url });
    return {
      title: soFar.title ?? context.kind.id ?? null,
      text: [soFar.text, lightMarkdown(text)].filter(Boolean).join("\n\n"),
      metadata: { siteName: SERVICE, author: context.kind.id?.split("/")[0] ?? "" },
      isWhole: true,
    };
  },
};

const page: Step = {
  name: "page",
  take: (context) => findingOfWholePage(context, { service: SERVICE, url: `${ORIGIN}/${repositoryOf(context)}` }),
};

/** A repository: its description, topics and README. */
export const repository: Chain = {
  missing: { code: "thin_content", message: "The README of this repository could not be had. Retry later, or configure a GitHub token." },
  steps: [api, rawReadme, page],
};
