import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchText } from "../../../extract/fetch/request.ts";
import { fenceCode } from "../../../extract/markdown.ts";
import { fetchCleanPage } from "../../../extract/fetch/clean-page.ts";
import { fetchApi, SERVICE } from "./api.ts";

const MAX_FILES = 300;
const RAW_HOST = /^https:\/\/gist\.githubusercontent\.com\//;
const TRUNCATED = { code: "truncated", message: "Some files of the gist could only be read in part." };

/** Returns a file's text. The API truncates it at one megabyte; the rest is fetched from its raw address. */
async function fetchContent(context: ExtractContext, file: unknown): Promise<{ readonly text: string; readonly isTruncated: boolean }> {
  const text = getValue(file, "content");
  const start = typeof text === "string" ? text : "";
  const raw = getString(file, "raw_url");
  if (getValue(file, "truncated") !== true && start !== "") return { text: start, isTruncated: false };
  if (raw === null || !RAW_HOST.test(raw)) return { text: start, isTruncated: getValue(file, "truncated") === true };
  try {
    const response = await fetchText(context, { service: SERVICE, url: raw });
    return { text: response.text, isTruncated: response.resource.truncated };
  } catch (error) {
    if (context.signal.aborted) throw error;
    return { text: start, isTruncated: true };
  }
}

const isProse = (name: string): boolean => /\.(?:md|markdown|txt|rst)$/i.test(name);

const api: ContentSource = {
  name: "API",
  setting: "GITHUB_TOKEN",
  run: async (context) => {
    const gist = await fetchApi(context, { path: `/gists/${context.kind.id ?? ""}`, what: "This gist" });
    const files = Object.values(Object(getValue(gist, "files")) as object).slice(0, MAX_FILES);
    const parts: string[] = [];
    let isTruncated = getValue(gist, "truncated") === true;
    for (const file of files) {
      const name = getString(file, "filename") ?? "";
      const content = await fetchContent(context, file);
      isTruncated ||= content.isTruncated;
      if (content.text.trim() === "") continue;
      const body = isProse(name)
        ? content.text.trim()
        : fenceCode(content.text, (getString(file, "language") ?? "").toLowerCase().replace(/\s+/g, "-"));
      parts.push(name === "" ? body : `## ${name}\n\n${body}`);
    }
    const description = getString(gist, "description");
    const login = getString(gist, "owner", "login");
    return {
      title: description ?? getString(files[0], "filename"),
      text: [description, ...parts].filter(Boolean).join("\n\n"),
      metadata: omitEmpty({
        siteName: SERVICE,
        author: login,
        authorUrl: login && `https://gist.github.com/${login}`,
        publishedAt: toIsoDate(getString(gist, "created_at")),
        thumbnailUrl: getString(gist, "owner", "avatar_url"),
        canonicalUrl: getString(gist, "html_url"),
        stats: keepValidCounts({ files: files.length, comments: getNumber(gist, "comments") }),
      }),
      warnings: isTruncated ? [TRUNCATED] : [],
      isComplete: parts.length > 0,
    };
  },
};

const page: ContentSource = {
  name: "page",
  run: (context) => fetchCleanPage(context, { service: SERVICE, url: `https://gist.github.com/${context.kind.id ?? ""}` }),
};

/** A gist: its description and all its files. */
export const gistReader: SiteReader = {
  name: "gist",
  subtypes: ["GIST"],
  missing: { code: "thin_content", message: "The files of this gist could not be read. Retry later, or configure a GitHub token." },
  sources: [api, page],
};
