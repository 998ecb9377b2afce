import { at, listAt, numberAt, textAt } from "../../../read/tree.ts";
import type { CaptionTrack } from "../../../extract/transcript/caption-tracks.ts";

const LIST = ["captions", "playerCaptionsTracklistRenderer"] as const;
/** Tracks made for a browser's own player: they answer 200 with nothing in it. */
const EMPTY_HERE = /[?&]exp=(?:xpe|xpv)\b/;

/** The caption tracks that an answer of the player names and that hold something here; asked for in the form with times in milliseconds. */
export function tracksOf(response: unknown): CaptionTrack[] {
  return listAt(response, ...LIST, "captionTracks").flatMap((entry): CaptionTrack[] => {
    const url = URL.parse(textAt(entry, "baseUrl") ?? "", "https://www.youtube.com");
    if (url === null || EMPTY_HERE.test(url.search)) return [];
    url.searchParams.set("fmt", "json3");
    const isAutomatic = at(entry, "kind") === "asr" || (textAt(entry, "vssId") ?? "").startsWith("a.");
    return [{ url: url.href, language: textAt(entry, "languageCode"), isAutomatic }];
  });
}

/** The language of the sound's own default track; null where it is not told. */
export function spokenLanguage(response: unknown): string | null {
  const sound = numberAt(response, ...LIST, "defaultAudioTrackIndex") ?? 0;
  const chosen = numberAt(response, ...LIST, "audioTracks", sound, "defaultCaptionTrackIndex");
  return chosen === null ? null : textAt(response, ...LIST, "captionTracks", chosen, "languageCode");
}

/** Whether the answer names any track, usable or not. */
export const hasTracks = (response: unknown): boolean => listAt(response, ...LIST, "captionTracks").length > 0;
