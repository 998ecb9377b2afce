import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, validCounts, getString } from "../../../read/json-access.ts";
import type { Chain, Step } from "../../../extract/sources.ts";
import { findingOfWholePage } from "../../../extract/fetch/clean-page.ts";
import { askApi, ORIGIN, pathParts, repositoryOf, SERVICE } from "./api.ts";

/** A commit of more files is told with the first of them; the API lists 300 at once. */
const MAX_FILES = 300;

const writeFile = (file: unknown): string | null => {
  const name = getString(file, "filename");
  return name === null ? null : `- ${name} (+${getNumber(file, "additions") ?? 0} −${getNumber(file, "deletions") ?? 0})`;
};

const api: Step = {
  name: "API",
  take: async (context) => {
    const sha = pathParts(context.url)[3]?.replace(/\W.*$/s, "") ?? "";
    const answer = await askApi(context, { path: `/repos/${repositoryOf(context)}/commits/${sha}`, what: "This commit" });
    const message = getString(answer, "commit", "message");
    const files = getArray(answer, "files")
      .slice(0, MAX_FILES)
      .flatMap((file) => writeFile(file) ?? []);
    const login = getString(answer, "author", "login");
    return {
      title: message?.split("\n", 1)[0] ?? null,
      text: [message, files.join("\n")].filter(Boolean).join("\n\n"),
      metadata: omitEmpty({
        siteName: SERVICE,
        author: login ?? getString(answer, "commit", "author", "name"),
        authorUrl: login && `${ORIGIN}/${login}`,
        publishedAt: toIsoDate(getString(answer, "commit", "author", "date")),
        canonicalUrl: getString(answer, "html_url"),
        stats: validCounts({
          additions: getNumber(answer, "stats", "additions"),
          deletions: getNumber(answer, "stats", "deletions"),
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
