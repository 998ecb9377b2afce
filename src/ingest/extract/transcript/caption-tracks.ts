import { IngestError } from "#domain/content/job.ts";
import type { TileWarning } from "#domain/content/tile.ts";
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
const MAX_ATTEMPTED = 3;

const baseOf = (language: string | null): string => languageTag(language)?.toLowerCase().split("-", 1)[0] ?? "";

/** Normalises a language tag to BCP 47 (`eng-US` becomes `en-US`); null where it is invalid. */
export function languageTag(written: string | null): string | null {
  try {
    return written === null ? null : (Intl.getCanonicalLocales(written.replaceAll("_", "-"))[0] ?? null);
  } catch {
    return null;
  }
}

/**
 * Orders tracks: the operator's languages first, then original before translated, human before automatic, and the spoken language before
 * English before others.
 */
function rankTracks(tracks: readonly CaptionTrack[], languages: readonly string[], spoken: string | null): CaptionTrack[] {
  const recognised = tracks.find(({ isAutomatic, isTranslated }) => isAutomatic && !isTranslated)?.language ?? null;
  const preferred = [baseOf(spoken ?? recognised), "en"].filter((language) => language !== "");
  const placeIn = (list: readonly string[], { language }: CaptionTrack): number => {
    const index = list.indexOf(baseOf(language));
    return index < 0 ? list.length : index;
  };
  const wanted = languages.map(baseOf);
  const severityRank = (track: CaptionTrack): readonly [number, number, number, number] => [
    placeIn(wanted, track),
    track.isTranslated ? 1 : 0,
    track.isAutomatic ? 1 : 0,
    placeIn(preferred, track),
  ];
  return tracks.toSorted((a, b) => {
    const right = severityRank(b);
    return severityRank(a).reduce((order, value, index) => order || value - (right[index] as number), 0);
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
  for (const { url, language } of rankTracks(tracks, context.settings.transcriptLanguages, spoken).slice(0, MAX_ATTEMPTED)) {
    try {
      const cues = read((await fetchText(context, { service, url, maxBytes: MAX_BYTES })).text);
      if (cues.length === 0) continue;
      return { ...found, cues, metadata: { ...found.metadata, ...omitEmpty({ language: languageTag(language) }) }, isComplete: true };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      firstError ??= error;
    }
  }
  return { ...found, warnings: [CAPTIONS_UNAVAILABLE], ...(firstError === undefined ? {} : { error: firstError }) };
}
