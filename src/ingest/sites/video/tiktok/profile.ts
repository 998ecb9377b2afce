import { getValue, getNumber, keepValidCounts, getString, omitEmpty } from "../../../read/json-access.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseScriptJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { privateError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { SCRIPT_ID, SERVICE } from "./page-data.ts";

/** Throws for an account's status: 10222 is private, 10202 and 10221 are deleted. */
function throwAccountError(detail: unknown): void {
  const status = getNumber(detail, "statusCode") ?? 0;
  if (status === 10222) throw privateError("This account");
  if (status === 10202 || status === 10221) throw notFoundError("This account");
}

const profilePage: ContentSource = {
  name: "page",
  run: async (context) => {
    const { head, resource, text } = await fetchHead(context, { service: SERVICE, url: context.url });
    const detail = getValue(parseScriptJson(text, SCRIPT_ID), "__DEFAULT_SCOPE__", "webapp.user-detail");
    throwAccountError(detail);
    const found = resultFromHead(head, resource.url);
    const name = getString(detail, "userInfo", "user", "nickname");
    // The default title before the page's script runs.
    const title = name ?? (/^TikTok - Make Your Day$/i.test(found.title ?? "") ? null : found.title) ?? null;
    const words = getString(detail, "userInfo", "user", "signature") ?? found.text ?? null;
    if (title === null && words === null) throw sourceChangedError(SERVICE);
    const count = (key: string): number | null =>
      getNumber(detail, "userInfo", "statsV2", key) ?? getNumber(detail, "userInfo", "stats", key);
    const stats = keepValidCounts({ followers: count("followerCount"), likes: count("heartCount"), videos: count("videoCount") });
    return { title, text: words, metadata: { ...found.metadata, ...omitEmpty({ author: name, stats }), siteName: SERVICE } };
  },
};

/** Reads accounts, live streams and playlists: only the title and description of the page. */
export const profileReader: SiteReader = {
  name: "profile",
  subtypes: ["LIVE", "PROFILE", "PLAYLIST"],
  missing: { code: "thin_content", message: "TikTok shows only part of this page. Add the links of the videos that you need." },
  sources: [profilePage],
};
