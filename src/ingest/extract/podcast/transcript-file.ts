import { decodeEntities } from "../../read/markup/html-text.ts";
import type { FeedItem } from "../../read/feed/feed.ts";
import { getArray, getNumber, getString } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import { readTimedText } from "../transcript/captions.ts";
import { fetchText } from "../fetch/request.ts";
import type { Cue } from "../transcript/transcript.ts";

type TranscriptFile = FeedItem["transcripts"][number];

type ReadTranscript = { readonly cues: readonly Cue[]; readonly text: string; readonly language: string | null };

/** Preferred formats first: those with timestamps before those without. */
const FORMATS: readonly RegExp[] = [/json/, /vtt/, /srt|subrip/, /html/, /plain/];
const MAX_BYTES = 8 * 1024 * 1024;
/** If a file can't be fetched or is empty, the next one is tried. */
const MAX_FILES_TRIED = 4;

/** Ranks a file by its format: 0 is the preferred one. The media type decides, then the extension. */
const rankFormat = ({ type, url }: TranscriptFile): number => {
  const index = FORMATS.findIndex((format) => format.test((type ?? "").toLowerCase()));
  if (index >= 0) return index;
  const byName = FORMATS.findIndex((format) => format.test(/\.(\w{2,5})(?:[?#]|$)/.exec(url.toLowerCase())?.[1] ?? ""));
  return byName < 0 ? FORMATS.length : byName;
};

/** Returns a language without its region: `en` of `en-US`. */
const getBaseLanguage = (language: string | null): string => (language ?? "").toLowerCase().split(/[-_]/, 1)[0] ?? "";

/** Orders files by language (the operator's, then the feed's, then others), and within a language by format. */
function orderTranscripts(files: readonly TranscriptFile[], wanted: readonly string[], spoken: string | null): TranscriptFile[] {
  const languages = [...wanted, ...(spoken === null ? [] : [spoken])].map(getBaseLanguage);
  const rankLanguage = ({ language }: TranscriptFile): number => {
    const index = languages.indexOf(getBaseLanguage(language ?? spoken));
    return index < 0 ? languages.length : index;
  };
  return files.toSorted((a, b) => rankLanguage(a) - rankLanguage(b) || rankFormat(a) - rankFormat(b));
}

/** Reads the podcast namespace's JSON (`startTime`, `endTime` in seconds, `body`, `speaker`). The speaker's name is added where it changes. */
function readSegments(response: unknown): Cue[] {
  const cues: Cue[] = [];
  let speaker: string | null = null;
  for (const segment of getArray(response, "segments")) {
    const body = getString(segment, "body") ?? getString(segment, "text");
    const start = getNumber(segment, "startTime") ?? getNumber(segment, "start");
    if (body === null || start === null || start < 0) continue;
    const end = getNumber(segment, "endTime") ?? getNumber(segment, "end") ?? start;
    const name = getString(segment, "speaker");
    const isNew = name !== null && name !== speaker;
    if (isNew) speaker = name;
    cues.push({ startMs: start * 1_000, endMs: Math.max(start, end) * 1_000, text: isNew ? `${name}: ${body}` : body });
  }
  return cues;
}

/** Replaces WebVTT's voice tags: the speaker's name is written before the text where it changes. */
const nameSpeakers = (file: string): string => {
  let speaker = "";
  return file.replace(/<v(?:\.[\w.-]{1,80})?\s([^<>\n]{1,120})>/g, (_tag, name: string) => {
    if (name.trim() === speaker) return "";
    speaker = name.trim();
    return `${speaker}: `;
  });
};

/** Reads a file in any of the formats, detected from its content. */
async function readTranscript(context: ExtractContext, file: string, url: string): Promise<Omit<ReadTranscript, "language">> {
  const start = file.replace(/^\uFEFF/, "").trimStart();
  if (start.startsWith("{")) {
    try {
      return { cues: readSegments(JSON.parse(start)), text: "" };
    } catch {
      return { cues: [], text: "" };
    }
  }
  if (start.startsWith("WEBVTT") || /-->/.test(start.slice(0, 2_000))) return { cues: readTimedText(nameSpeakers(start)), text: "" };
  if (start.startsWith("<") || /<(?:p|br|cite|time|div)\b/i.test(start.slice(0, 2_000))) {
    const page = await context.reader.clean({ html: start, url }, context.signal);
    return { cues: [], text: page.text };
  }
  return { cues: [], text: decodeEntities(start).replace(/\r\n?/g, "\n").trim() };
}

/** Returns the first transcript with text, or null if all are empty. Throws the last error if a file could not be fetched. */
export async function fetchTranscript(
  context: ExtractContext,
  files: readonly TranscriptFile[],
  spoken: string | null,
  base: string,
): Promise<ReadTranscript | null> {
  let lastError: unknown = null;
  for (const file of orderTranscripts(files, context.settings.transcriptLanguages, spoken).slice(0, MAX_FILES_TRIED)) {
    const url = URL.parse(file.url, base);
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    try {
      const response = await fetchText(context, { service: url.host, url, maxBytes: MAX_BYTES, accept: `${file.type ?? "*/*"},*/*;q=0.5` });
      const found = await readTranscript(context, response.text, response.resource.url);
      if (found.cues.length > 0 || found.text !== "") return { ...found, language: file.language };
    } catch (error) {
      if (context.signal.aborted) throw error;
      lastError = error;
    }
  }
  if (lastError !== null) throw lastError;
  return null;
}
