import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchCleanPage } from "../../../extract/fetch/clean-page.ts";
import { fetchApi, ORIGIN, splitPath, getRepository, SERVICE } from "./api.ts";

/** The API lists up to 300 files of a commit at once. */
const MAX_FILES = 300;

const formatFile = (file: unknown): string | null => {
  const name = getString(file, "filename");
  return name === null ? null : `- ${name} (+${getNumber(file, "additions") ?? 0} −${getNumber(file, "deletions") ?? 0})`;
};

const api: ContentSource = {
  name: "API",
  setting: "GITHUB_TOKEN",
  run: async (context) => {
    const sha = splitPath(context.url)[3]?.replace(/\W.*$/s, "") ?? "";
    const response = await fetchApi(context, { path: `/repos/${getRepository(context)}/commits/${sha}`, what: "This commit" });
    const message = getString(response, "commit", "message");
    const files = getArray(response, "files")
      .slice(0, MAX_FILES)
      .flatMap((file) => formatFile(file) ?? []);
    const login = getString(response, "author", "login");
    return {
      title: message?.split("\n", 1)[0] ?? null,
      text: [message, files.join("\n")].filter(Boolean).join("\n\n"),
      metadata: omitEmpty({
        siteName: SERVICE,
        author: login ?? getString(response, "commit", "author", "name"),
        authorUrl: login && `${ORIGIN}/${login}`,
        publishedAt: toIsoDate(getString(response, "commit", "author", "date")),
        canonicalUrl: getString(response, "html_url"),
        stats: keepValidCounts({
          additions: getNumber(response, "stats", "additions"),
          deletions: getNumber(response, "stats", "deletions"),
          files: files.length,
        }),
      }),
      isComplete: message !== null,
    };
  },
};

const page: ContentSource = {
  name: "page",
  run: (context) => fetchCleanPage(context, { service: SERVICE, url: `${ORIGIN}/${splitPath(context.url).slice(0, 4).join("/")}` }),
};

/** A commit: its message and the files it changes. */
export const commitReader: SiteReader = {
  name: "commit",
  subtypes: ["COMMIT"],
  missing: { code: "thin_content", message: "The message of this commit could not be read. Retry later, or configure a GitHub token." },
  sources: [api, page],
};
