import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { sourceChangedError } from "../../../extract/sources/errors.ts";
import { API, createErrorMapper, ORIGIN, SERVICE, toText } from "./api.ts";

const MAX_VIDEOS = 100;

async function listVideos(context: ExtractContext, id: string): Promise<{ lines: readonly string[]; hasMore: boolean }> {
  const url = `${API}/playlist/${id}/videos?fields=title,owner.screenname&limit=${MAX_VIDEOS}`;
  const response = await fetchJson(context, { service: SERVICE, url });
  const lines = getArray(response, "list").flatMap((video) => {
    const title = getString(video, "title");
    return title === null ? [] : [[title, getString(video, "owner.screenname")].filter((part) => part !== null).join(" · ")];
  });
  return { lines: lines.slice(0, MAX_VIDEOS), hasMore: getValue(response, "has_more") === true };
}

const playlistApi: ContentSource = {
  name: "API",
  run: async (context) => {
    const id = context.kind.id ?? "";
    const url = `${API}/playlist/${id}?fields=name,description,owner.screenname,videos_total`;
    const response = await fetchJson(context, { service: SERVICE, url, mapError: createErrorMapper("This playlist") });
    const title = getString(response, "name");
    if (title === null) throw sourceChangedError(SERVICE);
    const { lines, hasMore } = await listVideos(context, id);
    const list = lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
    return {
      title,
      text: [toText(getString(response, "description")), list].filter((part) => part !== null && part !== "").join("\n\n"),
      metadata: omitEmpty({
        author: getString(response, "owner.screenname"),
        siteName: SERVICE,
        canonicalUrl: `${ORIGIN}/playlist/${id}`,
        stats: keepValidCounts({ videos: getNumber(response, "videos_total") ?? lines.length }),
      }),
      ...(hasMore ? { warnings: [{ code: "truncated", message: `Only the first ${MAX_VIDEOS} videos of the playlist are listed.` }] } : {}),
      isComplete: true,
    };
  },
};

/** A playlist becomes a tile that lists its videos. */
export const playlistReader: SiteReader = {
  name: "playlist",
  subtypes: ["PLAYLIST"],
  missing: { code: "thin_content", message: "The videos of this playlist could not be listed. Add the links of those that you need." },
  sources: [playlistApi],
};
