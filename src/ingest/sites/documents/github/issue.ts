import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchCleanPage } from "../../../extract/fetch/clean-page.ts";
import { fetchApi, ORIGIN, splitPath, getRepository, SERVICE } from "./api.ts";

const MAX_COMMENTS = 100;

/** Formats a comment below a heading with its author and date. */
function formatComment(comment: unknown): string | null {
  const body = simplifyMarkdown(getString(comment, "body") ?? "");
  if (body === "") return null;
  const head = [getString(comment, "user", "login"), toIsoDate(getString(comment, "created_at"))?.slice(0, 10)].filter(Boolean).join(" · ");
  return head === "" ? body : `## ${head}\n\n${body}`;
}

const api: ContentSource = {
  name: "API",
  setting: "GITHUB_TOKEN",
  run: async (context) => {
    const number = splitPath(context.url)[3] ?? "";
    const what = context.kind.subtype === "PULL" ? "This pull request" : "This issue";
    const path = `/repos/${getRepository(context)}/issues/${number}`;
    const issue = await fetchApi(context, { path, what });
    const count = getNumber(issue, "comments") ?? 0;
    const login = getString(issue, "user", "login");
    const body = simplifyMarkdown(getString(issue, "body") ?? "");
    const labels = getArray(issue, "labels").flatMap((label) => getString(label, "name") ?? []);
    const state = getValue(issue, "pull_request", "merged_at") ? "merged" : getString(issue, "state");
    const about = [state, ...labels].filter(Boolean).join(" · ");
    const result = {
      title: getString(issue, "title"),
      text: [about, body].filter(Boolean).join("\n\n"),
      metadata: omitEmpty({
        siteName: SERVICE,
        author: login,
        authorUrl: getString(issue, "user", "html_url") ?? (login && `${ORIGIN}/${login}`),
        publishedAt: toIsoDate(getString(issue, "created_at")),
        canonicalUrl: getString(issue, "html_url"),
        stats: keepValidCounts({ comments: count, likes: getNumber(issue, "reactions", "+1") }),
      }),
    };
    if (count === 0) return { ...result, isComplete: true };
    try {
      const response = await fetchApi(context, { path: `${path}/comments?per_page=${MAX_COMMENTS}`, what });
      const comments = (Array.isArray(response) ? (response as unknown[]) : []).flatMap((one) => formatComment(one) ?? []);
      const truncated = { code: "truncated", message: `Only the first ${MAX_COMMENTS} of ${count} comments were kept.` };
      const text = [result.text, ...comments].filter(Boolean).join("\n\n");
      return { ...result, text, warnings: count > MAX_COMMENTS ? [truncated] : [], isComplete: true };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      return { ...result, error };
    }
  },
};

const page: ContentSource = {
  name: "page",
  run: (context, partial) =>
    partial.text
      ? Promise.resolve(null)
      : fetchCleanPage(context, { service: SERVICE, url: `${ORIGIN}/${splitPath(context.url).slice(0, 4).join("/")}` }),
};

/** An issue or pull request with its first comments, their authors and dates. */
export const issueReader: SiteReader = {
  name: "issue or pull request",
  subtypes: ["ISSUE", "PULL"],
  missing: { code: "thin_content", message: "The comments could not be read. Retry later, or configure a GitHub token." },
  sources: [api, page],
};
