import { getValue, getArray, getNumber, getString } from "../../../read/json-access.ts";
import type { CaptionTrack } from "../../../extract/transcript/caption-tracks.ts";

const LIST = ["captions", "playerCaptionsTracklistRenderer"] as const;
/** Tracks for the browser's own player: outside of it they return 200 with an empty body. */
const EMPTY_HERE = /[?&]exp=(?:xpe|xpv)\b/;

/** The usable caption tracks of a player response, requested in the format with times in milliseconds. */
export function tracksOf(response: unknown): CaptionTrack[] {
  return getArray(response, ...LIST, "captionTracks").flatMap((entry): CaptionTrack[] => {
    const url = URL.parse(getString(entry, "baseUrl") ?? "", "https://www.youtube.com");
    if (url === null || EMPTY_HERE.test(url.search)) return [];
    url.searchParams.set("fmt", "json3");
    const isAutomatic = getValue(entry, "kind") === "asr" || (getString(entry, "vssId") ?? "").startsWith("a.");
    return [{ url: url.href, language: getString(entry, "languageCode"), isAutomatic }];
  });
}

/** The language of the default audio track; null where it is not stated. */
export function spokenLanguage(response: unknown): string | null {
  const sound = getNumber(response, ...LIST, "defaultAudioTrackIndex") ?? 0;
  const chosen = getNumber(response, ...LIST, "audioTracks", sound, "defaultCaptionTrackIndex");
  return chosen === null ? null : getString(response, ...LIST, "captionTracks", chosen, "languageCode");
}

/** Whether the response lists any track, usable or not. */
export const hasTracks = (response: unknown): boolean => getArray(response, ...LIST, "captionTracks").length > 0;
