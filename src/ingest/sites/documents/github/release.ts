import { toIsoDate } from "../../../clean/dates.ts";
import { omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchCleanPage } from "../../../extract/fetch/clean-page.ts";
import { fetchApi, ORIGIN, splitPath, getRepository, SERVICE } from "./api.ts";

const MAX_RELEASES = 30;

const getName = (release: unknown): string | null => getString(release, "name") ?? getString(release, "tag_name");

function resultFromRelease(release: unknown, context: ExtractContext): PartialResult {
  const login = getString(release, "author", "login");
  const repository = context.kind.id?.split("/").slice(0, 2).join("/") ?? "";
  const name = getName(release);
  return {
    title: name === null ? null : `${repository} ${name}`,
    text: simplifyMarkdown(getString(release, "body") ?? "") || name,
    metadata: omitEmpty({
      siteName: SERVICE,
      author: login,
      authorUrl: login && `${ORIGIN}/${login}`,
      publishedAt: toIsoDate(getString(release, "published_at") ?? getString(release, "created_at")),
      canonicalUrl: getString(release, "html_url"),
      stats: keepValidCounts({
        downloads: getArray(release, "assets").reduce((sum: number, asset) => sum + (getNumber(asset, "download_count") ?? 0), 0),
      }),
    }),
    isComplete: true,
  };
}

/** Lists the latest releases, each below its name and date. */
function resultFromReleases(releases: readonly unknown[], context: ExtractContext): PartialResult {
  const repository = context.kind.id?.split("/").slice(0, 2).join("/") ?? "";
  const parts = releases.map((release) => {
    const day = toIsoDate(getString(release, "published_at") ?? getString(release, "created_at"))?.slice(0, 10);
    return [`## ${getName(release) ?? ""}`, day, simplifyMarkdown(getString(release, "body") ?? "")].filter(Boolean).join("\n\n");
  });
  return {
    title: `${repository} releases`,
    text: parts.join("\n\n"),
    metadata: omitEmpty({
      siteName: SERVICE,
      author: repository.split("/")[0],
      publishedAt: toIsoDate(getString(releases[0], "published_at")),
    }),
    warnings: releases.length < MAX_RELEASES ? [] : [{ code: "truncated", message: `Only the latest ${MAX_RELEASES} releases were kept.` }],
    isComplete: releases.length > 0,
  };
}

const api: ContentSource = {
  name: "API",
  setting: "GITHUB_TOKEN",
  run: async (context) => {
    const [, , , which, ...tag] = splitPath(context.url);
    const path = `/repos/${getRepository(context)}/releases`;
    if (which === "tag" && tag.length > 0) {
      return resultFromRelease(await fetchApi(context, { path: `${path}/tags/${tag.join("%2F")}`, what: "This release" }), context);
    }
    if (which === "latest") return resultFromRelease(await fetchApi(context, { path: `${path}/latest`, what: "This release" }), context);
    const response = await fetchApi(context, { path: `${path}?per_page=${MAX_RELEASES}`, what: "This repository" });
    return resultFromReleases(Array.isArray(response) ? response : [], context);
  },
};

const page: ContentSource = {
  name: "page",
  run: (context) => fetchCleanPage(context, { service: SERVICE, url: `${ORIGIN}${context.url.pathname}` }),
};

/** The notes of one release, or of the latest ones. */
export const releaseReader: SiteReader = {
  name: "release",
  subtypes: ["RELEASE"],
  missing: { code: "thin_content", message: "The notes of this release could not be read. Retry later, or configure a GitHub token." },
  sources: [api, page],
};
