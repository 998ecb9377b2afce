import { IngestError } from "#domain/content/job.ts";
import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { normaliseLanguageTag } from "../../../clean/text.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { readCaptions } from "../../../extract/transcript/captions.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import type { Cue } from "../../../extract/transcript/transcript.ts";
import { ageRestrictedError } from "../../../extract/sources/errors.ts";
import { type CaptionTrack, withCaptions } from "../../../extract/transcript/caption-tracks.ts";
import { ORIGIN, SERVICE } from "./page-data.ts";

/** Parses `creator_caption` files: JSON with times in milliseconds. */
function readUtterances(file: string): readonly Cue[] {
  try {
    return getArray(JSON.parse(file), "utterances").flatMap((one) => {
      const [startMs, text] = [getNumber(one, "start_time"), getString(one, "text")];
      return startMs === null || text === null ? [] : [{ startMs, endMs: getNumber(one, "end_time") ?? startMs, text }];
    });
  } catch {
    return [];
  }
}

const readFile = (file: string): readonly Cue[] => {
  const start = file.trimStart();
  if (start.startsWith("{")) return readUtterances(start);
  return start.startsWith("<") ? [] : readCaptions(file);
};

/** `Source` is `ASR` for speech recognition and `MT` for machine translation; others are the author's captions. */
const listTracks = (item: unknown): CaptionTrack[] =>
  getArray(item, "video", "subtitleInfos").flatMap((entry) => {
    const url = URL.parse(getString(entry, "Url") ?? "", ORIGIN);
    if (url === null) return [];
    const source = getString(entry, "Source");
    const language = getString(entry, "LanguageCodeName");
    return [{ url: url.href, language, isAutomatic: source === "ASR" || source === "MT", isTranslated: source === "MT" }];
  });

function toMetadata(item: unknown, isPhoto: boolean): TileMetadata {
  const handle = getString(item, "author", "uniqueId");
  const id = getString(item, "id");
  const seconds = getNumber(item, "video", "duration");
  const count = (name: string): number | null => getNumber(item, "statsV2", name) ?? getNumber(item, "stats", name);
  const picture = getString(item, "imagePost", "images", 0, "imageURL", "urlList", 0);
  return omitEmpty({
    author: getString(item, "author", "nickname") ?? handle,
    authorUrl: handle === null ? null : `${ORIGIN}/@${encodeURIComponent(handle)}`,
    siteName: SERVICE,
    publishedAt: toIsoDate(String(getNumber(item, "createTime") ?? "")),
    durationSeconds: !isPhoto && seconds !== null && seconds > 0 ? seconds : null,
    thumbnailUrl: picture ?? getString(item, "video", "cover") ?? getString(item, "video", "originCover"),
    language: normaliseLanguageTag(getString(item, "textLanguage")),
    canonicalUrl: handle === null || id === null ? null : `${ORIGIN}/@${encodeURIComponent(handle)}/${isPhoto ? "photo" : "video"}/${id}`,
    stats: keepValidCounts({
      views: count("playCount"),
      likes: count("diggCount"),
      comments: count("commentCount"),
      shares: count("shareCount"),
      saves: count("collectCount"),
    }),
  });
}

export /** Returns the content of a post from the page's data, with its captions. Throws `IngestError` if it has neither text nor captions. */
async function resultFromItem(context: ExtractContext, item: unknown): Promise<PartialResult> {
  const isPhoto = getValue(item, "imagePost") !== undefined;
  const text = [getString(item, "imagePost", "title"), getString(item, "desc")].filter((part) => part !== null).join("\n\n");
  const found: PartialResult = { title: text.split("\n", 1)[0] ?? null, text, metadata: toMetadata(item, isPhoto) };
  if (isPhoto && text !== "") return { ...found, isComplete: true };
  if (!isPhoto && getValue(item, "video") === undefined && getValue(item, "isContentClassified") === true)
    throw ageRestrictedError("This post");
  const tracks = isPhoto ? [] : listTracks(item);
  if (text === "" && tracks.length === 0)
    throw new IngestError("no_text", "This post has neither a description nor captions. Paste its text, or configure speech to text.", {
      stage: "extract",
    });
  return withCaptions(context, found, { service: SERVICE, tracks, read: readFile });
}
