import type { IngestError } from "#domain/content/job.ts";
import type { TileMetadata, TileWarning } from "#domain/content/tile.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { readCaptions } from "../../../extract/transcript/captions.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../../../read/json-access.ts";
import {
  ageRestrictedError,
  captchaError,
  privateError,
  loginWallError,
  membersOnlyError,
  notFoundError,
  notStartedError,
  regionLockedError,
  sourceChangedError,
} from "../../../extract/sources/errors.ts";
import { withCaptions } from "../../../extract/transcript/caption-tracks.ts";
import { hasTracks, getSpokenLanguage, listTracks } from "./tracks.ts";

export const SERVICE = "YouTube";
export const ORIGIN = "https://www.youtube.com";

/** Maps the displayed message to the reason why a video can't be played; the status is not specific. */
const REASONS: readonly (readonly [RegExp, (what: string) => IngestError])[] = [
  [/private/i, privateError],
  [/(?:confirm|verify) your age|age.restricted|inappropriate for some users/i, ageRestrictedError],
  [/not a (?:ro)?bot|unusual traffic/i, () => captchaError(SERVICE)],
  [/(?:country|region|location)/i, regionLockedError],
  [/member|join this channel/i, membersOnlyError],
  [/offline|premieres? (?:in|will)|begin|scheduled|waiting for|starts? in/i, notStartedError],
  [/unavailable|removed|deleted|terminated|does(?:n.t| not) exist|not available|closed (?:their|its) account|copyright/i, notFoundError],
];

/** Throws the player's reason where the video can't be played. */
function assertPlayable(response: unknown): void {
  const status = getString(response, "playabilityStatus", "status");
  if (status === "OK") return;
  if (status === null) throw sourceChangedError(SERVICE);
  const message = [
    getString(response, "playabilityStatus", "reason"),
    ...getArray(response, "playabilityStatus", "messages"),
    getString(response, "playabilityStatus", "errorScreen", "playerErrorMessageRenderer", "subreason", "simpleText"),
    ...getArray(response, "playabilityStatus", "errorScreen", "playerErrorMessageRenderer", "subreason", "runs").map((run) =>
      getValue(run, "text"),
    ),
  ]
    .filter((part) => typeof part === "string")
    .join(" ");
  const reason = REASONS.find(([words]) => words.test(message))?.[1];
  if (reason) throw reason("This video");
  if (status === "LOGIN_REQUIRED") throw loginWallError(SERVICE);
  if (status === "LIVE_STREAM_OFFLINE") throw notStartedError("This stream");
  if (status === "AGE_VERIFICATION_REQUIRED" || status === "CONTENT_CHECK_REQUIRED") throw ageRestrictedError("This video");
  if (status === "ERROR") throw notFoundError("This video");
  throw sourceChangedError(SERVICE);
}

function toMetadata(response: unknown): TileMetadata {
  const details = getValue(response, "videoDetails");
  const format = getValue(response, "microformat", "playerMicroformatRenderer");
  const thumbnails = getArray(details, "thumbnail", "thumbnails").toSorted(
    (a, b) => (getNumber(b, "width") ?? 0) - (getNumber(a, "width") ?? 0),
  );
  const channel = getString(details, "channelId");
  const seconds = getNumber(details, "lengthSeconds");
  const id = getString(details, "videoId");
  return omitEmpty({
    author: getString(details, "author"),
    authorUrl:
      getString(format, "ownerProfileUrl")?.replace(/^http:/, "https:") ?? (channel === null ? null : `${ORIGIN}/channel/${channel}`),
    siteName: SERVICE,
    publishedAt: toIsoDate(getString(format, "publishDate") ?? getString(format, "uploadDate")),
    durationSeconds: seconds !== null && seconds > 0 ? seconds : null,
    thumbnailUrl: getString(thumbnails[0], "url"),
    canonicalUrl: id === null ? null : `${ORIGIN}/watch?v=${id}`,
    stats: keepValidCounts({ views: getNumber(details, "viewCount") }),
  });
}

const STILL_LIVE: TileWarning = {
  code: "no_transcript",
  message: "This stream is still live. Retry when it is over to read its captions.",
};

/**
 * Reads a player response (`youtubei/v1/player`, or the one in a watch page): details and captions. Throws `IngestError` where the video
 * can't be played; an incomplete result means that the listed caption tracks are empty.
 */
export async function resultFromPlayer(context: ExtractContext, response: unknown): Promise<PartialResult> {
  assertPlayable(response);
  const title = getString(response, "videoDetails", "title");
  if (title === null) throw sourceChangedError(SERVICE);
  const found: PartialResult = { title, text: getString(response, "videoDetails", "shortDescription"), metadata: toMetadata(response) };
  const tracks = listTracks(response);
  if (tracks.length === 0 && hasTracks(response)) return found;
  if (tracks.length === 0 && getValue(response, "videoDetails", "isLive") === true)
    return { ...found, warnings: [STILL_LIVE], isComplete: true };
  return withCaptions(context, found, { service: SERVICE, tracks, spoken: getSpokenLanguage(response), read: readCaptions });
}
