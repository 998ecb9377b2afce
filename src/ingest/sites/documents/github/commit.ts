import { isoDate } from "../../../clean/dates.ts";
import { known, listAt, numberAt, statsOf, textAt } from "../../../read/tree.ts";
import type { Chain, Step } from "../../../extract/sources.ts";
import { findingOfWholePage } from "../../../extract/fetch/clean-page.ts";
import { askApi, ORIGIN, pathParts, repositoryOf, SERVICE } from "./api.ts";

/** A commit of more files is told with the first of them; the API lists 300 at once. */
const MAX_FILES = 300;

const writeFile = (file: unknown): string | null => {
  const name = textAt(file, "filename");
  return name === null ? null : `- ${name} (+${numberAt(file, "additions") ?? 0} −${numberAt(file, "deletions") ?? 0})`;
};

const api: Step = {
  name: "API",
  take: async (context) => {
    const sha = pathParts(context.url)[3]?.replace(/\W.*$/s, "") ?? "";
    const answer = await askApi(context, { path: `/repos/${repositoryOf(context)}/commits/${sha}`, what: "This commit" });
    const message = textAt(answer, "commit", "message");
    const files = listAt(answer, "files")
      .slice(0, MAX_FILES)
      .flatMap((file) => writeFile(file) ?? []);
    const login = textAt(answer, "author", "login");
    return {
      title: message?.split("\n", 1)[0] ?? null,
      text: [message, files.join("\n")].filter(Boolean).join("\n\n"),
      metadata: known({
        siteName: SERVICE,
        author: login ?? textAt(answer, "commit", "author", "name"),
        authorUrl: login && `${ORIGIN}/${login}`,
        publishedAt: isoDate(textAt(answer, "commit", "author", "date")),
        canonicalUrl: textAt(answer, "html_url"),
        stats: statsOf({
          additions: numberAt(answer, "stats", "additions"),
          deletions: numberAt(answer, "stats", "deletions"),
          files: files.length,
        }),
      }),
      isWhole: message !== null,
    };
  },
};

const page: Step = {
  name: "page",
  take: (context) => findingOfWholePage(context, { service: SERVICE, url: `${ORIGIN}/${pathParts(context.url).slice(0, 4).join("/")}` }),
};

/** A commit: its message and the files it changes. */
export const commit: Chain = {
  missing: { code: "thin_content", message: "The message of this commit could not be had. Retry later, or configure a GitHub token." },
  steps: [api, page],
};
