import { getValue, getArray, getNumber, getString } from "../../../read/json-access.ts";
import type { CaptionTrack } from "../../../extract/transcript/caption-tracks.ts";

const LIST = ["captions", "playerCaptionsTracklistRenderer"] as const;
/** Tracks that only the web player can load; other clients get status 200 with an empty body. */
const WEB_PLAYER_ONLY = /[?&]exp=(?:xpe|xpv)\b/;

/** Lists the usable caption tracks of a player response. Their addresses request the format with times in milliseconds. */
export function listTracks(response: unknown): CaptionTrack[] {
  return getArray(response, ...LIST, "captionTracks").flatMap((entry): CaptionTrack[] => {
    const url = URL.parse(getString(entry, "baseUrl") ?? "", "https://www.youtube.com");
    if (url === null || WEB_PLAYER_ONLY.test(url.search)) return [];
    url.searchParams.set("fmt", "json3");
    const isAutomatic = getValue(entry, "kind") === "asr" || (getString(entry, "vssId") ?? "").startsWith("a.");
    return [{ url: url.href, language: getString(entry, "languageCode"), isAutomatic }];
  });
}

/** Returns the language of the default audio track, or null if it is unknown. */
export function getSpokenLanguage(response: unknown): string | null {
  const sound = getNumber(response, ...LIST, "defaultAudioTrackIndex") ?? 0;
  const chosen = getNumber(response, ...LIST, "audioTracks", sound, "defaultCaptionTrackIndex");
  return chosen === null ? null : getString(response, ...LIST, "captionTracks", chosen, "languageCode");
}

/** Whether the response lists any track, usable or not. */
export const hasTracks = (response: unknown): boolean => getArray(response, ...LIST, "captionTracks").length > 0;
