import type { IngestError } from "#domain/content/job.ts";
import type { TileMetadata, TileWarning } from "#domain/content/tile.ts";
import { isoDate } from "../../../clean/dates.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { readCaptions } from "../../../extract/transcript/captions.ts";
import { at, known, listAt, numberAt, statsOf, textAt } from "../../../read/tree.ts";
import {
  ageRestricted,
  captcha,
  isPrivate,
  loginWall,
  membersOnly,
  notFound,
  notStarted,
  regionLocked,
  sourceChanged,
} from "../../../extract/sources/errors.ts";
import { withCaptions } from "../../../extract/transcript/caption-tracks.ts";
import { hasTracks, spokenLanguage, tracksOf } from "./tracks.ts";

export const SERVICE = "YouTube";
export const ORIGIN = "https://www.youtube.com";

/** Why the player does not play, by the words it shows; the status alone tells little. */
const REASONS: readonly (readonly [RegExp, (what: string) => IngestError])[] = [
  [/private/i, isPrivate],
  [/(?:confirm|verify) your age|age.restricted|inappropriate for some users/i, ageRestricted],
  [/not a (?:ro)?bot|unusual traffic/i, () => captcha(SERVICE)],
  [/(?:country|region|location)/i, regionLocked],
  [/member|join this channel/i, membersOnly],
  [/offline|premieres? (?:in|will)|begin|scheduled|waiting for|starts? in/i, notStarted],
  [/unavailable|removed|deleted|terminated|does(?:n.t| not) exist|not available|closed (?:their|its) account|copyright/i, notFound],
];

/** Throws what the answer of the player says stands in the way; passes where the video can be played. */
function assertPlayable(response: unknown): void {
  const status = textAt(response, "playabilityStatus", "status");
  if (status === "OK") return;
  if (status === null) throw sourceChanged(SERVICE);
  const said = [
    textAt(response, "playabilityStatus", "reason"),
    ...listAt(response, "playabilityStatus", "messages"),
    textAt(response, "playabilityStatus", "errorScreen", "playerErrorMessageRenderer", "subreason", "simpleText"),
    ...listAt(response, "playabilityStatus", "errorScreen", "playerErrorMessageRenderer", "subreason", "runs").map((run) =>
      at(run, "text"),
    ),
  ]
    .filter((part) => typeof part === "string")
    .join(" ");
  const reason = REASONS.find(([words]) => words.test(said))?.[1];
  if (reason) throw reason("This video");
  if (status === "LOGIN_REQUIRED") throw loginWall(SERVICE);
  if (status === "LIVE_STREAM_OFFLINE") throw notStarted("This stream");
  if (status === "AGE_VERIFICATION_REQUIRED" || status === "CONTENT_CHECK_REQUIRED") throw ageRestricted("This video");
  if (status === "ERROR") throw notFound("This video");
  throw sourceChanged(SERVICE);
}

function metadataOf(response: unknown): TileMetadata {
  const details = at(response, "videoDetails");
  const format = at(response, "microformat", "playerMicroformatRenderer");
  const thumbnails = listAt(details, "thumbnail", "thumbnails").toSorted(
    (a, b) => (numberAt(b, "width") ?? 0) - (numberAt(a, "width") ?? 0),
  );
  const channel = textAt(details, "channelId");
  const seconds = numberAt(details, "lengthSeconds");
  const id = textAt(details, "videoId");
  return known({
    author: textAt(details, "author"),
    authorUrl: textAt(format, "ownerProfileUrl")?.replace(/^http:/, "https:") ?? (channel === null ? null : `${ORIGIN}/channel/${channel}`),
    siteName: SERVICE,
    publishedAt: isoDate(textAt(format, "publishDate") ?? textAt(format, "uploadDate")),
    durationSeconds: seconds !== null && seconds > 0 ? seconds : null,
    thumbnailUrl: textAt(thumbnails[0], "url"),
    canonicalUrl: id === null ? null : `${ORIGIN}/watch?v=${id}`,
    stats: statsOf({ views: numberAt(details, "viewCount") }),
  });
}

const STILL_LIVE: TileWarning = {
  code: "no_transcript",
  message: "This stream is still live. Retry when it is over, to have its words.",
};

/**
 * What an answer of the player (`youtubei/v1/player`, or the one a watch page carries) tells: its details, and the words of its
 * captions. Throws `IngestError` where it can't be played; a finding that is not whole means that the tracks it named hold nothing.
 */
export async function resultFromPlayer(context: ExtractContext, response: unknown): Promise<PartialResult> {
  assertPlayable(response);
  const title = textAt(response, "videoDetails", "title");
  if (title === null) throw sourceChanged(SERVICE);
  const found: PartialResult = { title, text: textAt(response, "videoDetails", "shortDescription"), metadata: metadataOf(response) };
  const tracks = tracksOf(response);
  if (tracks.length === 0 && hasTracks(response)) return found;
  if (tracks.length === 0 && at(response, "videoDetails", "isLive") === true) return { ...found, warnings: [STILL_LIVE], isComplete: true };
  return withCaptions(context, found, { service: SERVICE, tracks, spoken: spokenLanguage(response), read: readCaptions });
}
