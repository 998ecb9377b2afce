import { IngestError } from "#domain/content/job.ts";
import type { TileWarning } from "#domain/content/tile.ts";
import { normaliseLanguageTag } from "../../clean/text.ts";
import { omitEmpty } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import { readCaptions } from "./captions.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchText } from "../fetch/request.ts";
import type { Cue } from "./transcript.ts";

/** A caption file that a service offers. */
export type CaptionTrack = {
  readonly url: string;
  readonly language: string | null;
  /** Created by speech recognition. */
  readonly isAutomatic?: boolean;
  /** Created by machine translation. */
  readonly isTranslated?: boolean;
};

const NO_CAPTIONS: TileWarning = {
  code: "no_transcript",
  message: "This video has no captions. Paste its text, or configure speech to text.",
};

/** Used where captions exist, or may exist, and none could be read. */
export const CAPTIONS_UNAVAILABLE: TileWarning = {
  code: "no_transcript",
  message: "The captions of this video could not be read. Retry later, or paste its text.",
};

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_TRACKS_TRIED = 3;

/** Returns a language without its region: `en` of `en-US`. */
const getBaseLanguage = (language: string | null): string => normaliseLanguageTag(language)?.toLowerCase().split("-", 1)[0] ?? "";

/**
 * Orders tracks by these criteria: the operator's languages, originals before translations, human before automatic captions. Last, the
 * spoken language precedes English, and English precedes others.
 */
function rankTracks(tracks: readonly CaptionTrack[], languages: readonly string[], spoken: string | null): CaptionTrack[] {
  const recognised = tracks.find(({ isAutomatic, isTranslated }) => isAutomatic && !isTranslated)?.language ?? null;
  const preferred = [getBaseLanguage(spoken ?? recognised), "en"].filter((language) => language !== "");
  const rankLanguage = (list: readonly string[], { language }: CaptionTrack): number => {
    const index = list.indexOf(getBaseLanguage(language));
    return index < 0 ? list.length : index;
  };
  const wanted = languages.map(getBaseLanguage);
  const rankTrack = (track: CaptionTrack): readonly [number, number, number, number] => [
    rankLanguage(wanted, track),
    track.isTranslated ? 1 : 0,
    track.isAutomatic ? 1 : 0,
    rankLanguage(preferred, track),
  ];
  return tracks.toSorted((a, b) => {
    const right = rankTrack(b);
    return rankTrack(a).reduce((order, value, index) => order || value - (right[index] as number), 0);
  });
}

/** Captions are WebVTT, SubRip or JSON; a response that starts like HTML is an error page. */
const readFile = (file: string): readonly Cue[] => (file.trimStart().startsWith("<") ? [] : readCaptions(file));

type Captions = {
  readonly service: string;
  readonly tracks: readonly CaptionTrack[];
  /** The spoken language, where the service states it. */
  readonly spoken?: string | null;
  readonly read?: (file: string) => readonly Cue[];
};

/**
 * Adds the cues of the best track that has any. Without tracks the result is complete, with a warning. Where no track can be read it
 * stays incomplete, with the first error.
 */
export async function withCaptions(context: ExtractContext, found: PartialResult, captions: Captions): Promise<PartialResult> {
  const { service, tracks, spoken = null, read = readFile } = captions;
  if (tracks.length === 0) return { ...found, warnings: [NO_CAPTIONS], isComplete: true };
  let firstError: IngestError | undefined;
  for (const { url, language } of rankTracks(tracks, context.settings.transcriptLanguages, spoken).slice(0, MAX_TRACKS_TRIED)) {
    try {
      const cues = read((await fetchText(context, { service, url, maxBytes: MAX_BYTES })).text);
      if (cues.length === 0) continue;
      return {
        ...found,
        cues,
        metadata: { ...found.metadata, ...omitEmpty({ language: normaliseLanguageTag(language) }) },
        isComplete: true,
      };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      firstError ??= error;
    }
  }
  return { ...found, warnings: [CAPTIONS_UNAVAILABLE], ...(firstError === undefined ? {} : { error: firstError }) };
}
