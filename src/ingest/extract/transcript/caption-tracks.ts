import { IngestError } from "#domain/content/job.ts";
import type { TileWarning } from "#domain/content/tile.ts";
import { omitEmpty } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import { readCaptions } from "./captions.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchText } from "../fetch/request.ts";
import type { Cue } from "./transcript.ts";

/** A file of captions that a service names. */
export type CaptionTrack = {
  readonly url: string;
  readonly language: string | null;
  /** A machine heard it. */
  readonly isAutomatic?: boolean;
  /** A machine translated it. */
  readonly isTranslated?: boolean;
};

const NO_CAPTIONS: TileWarning = {
  code: "no_transcript",
  message: "This video has no captions. Paste its text, or configure speech to text.",
};

/** Told where there are captions, or might be, and none of them could be read. */
export const CAPTIONS_UNAVAILABLE: TileWarning = {
  code: "no_transcript",
  message: "The captions of this video could not be had. Retry later, or paste its text.",
};

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_ATTEMPTED = 3;

const baseOf = (language: string | null): string => languageTag(language)?.toLowerCase().split("-", 1)[0] ?? "";

/** A language as BCP 47 writes it (`eng-US` becomes `en-US`); null where it is none. */
export function languageTag(written: string | null): string | null {
  try {
    return written === null ? null : (Intl.getCanonicalLocales(written.replaceAll("_", "-"))[0] ?? null);
  } catch {
    return null;
  }
}

/**
 * The best tracks first: in the operator's languages, else untranslated before translated, by people before by machines, and in
 * the language that is spoken before English before the others.
 */
function rankTracks(tracks: readonly CaptionTrack[], languages: readonly string[], spoken: string | null): CaptionTrack[] {
  const heard = tracks.find(({ isAutomatic, isTranslated }) => isAutomatic && !isTranslated)?.language ?? null;
  const preferred = [baseOf(spoken ?? heard), "en"].filter((language) => language !== "");
  const placeIn = (list: readonly string[], { language }: CaptionTrack): number => {
    const place = list.indexOf(baseOf(language));
    return place < 0 ? list.length : place;
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

/** Captions are WebVTT, SubRip or JSON; an answer that begins as a page is none. */
const readFile = (file: string): readonly Cue[] => (file.trimStart().startsWith("<") ? [] : readCaptions(file));

type Captions = {
  readonly service: string;
  readonly tracks: readonly CaptionTrack[];
  /** The language spoken, where the service tells it. */
  readonly spoken?: string | null;
  readonly read?: (file: string) => readonly Cue[];
};

/**
 * Adds the words of the best track that holds any. Without a track the finding is whole, and says that there are no captions; where
 * none of the tracks can be read it stays thin, with what stood in the way.
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
