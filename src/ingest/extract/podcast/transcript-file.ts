import { decodeEntities } from "../../read/markup/html-text.ts";
import type { FeedItem } from "../../read/feed/feed.ts";
import { getArray, getNumber, getString } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import { readTimedText } from "../transcript/captions.ts";
import { fetchText } from "../fetch/request.ts";
import type { Cue } from "../transcript/transcript.ts";

type Listed = FeedItem["transcripts"][number];

type ReadTranscript = { readonly cues: readonly Cue[]; readonly text: string; readonly language: string | null };

/** Preferred formats first: those with timestamps before those without. */
const FORMS: readonly RegExp[] = [/json/, /vtt/, /srt|subrip/, /html/, /plain/];
const MAX_BYTES = 8 * 1024 * 1024;
/** A file that fails is followed by the next. */
const MAX_ATTEMPTED = 4;

const formOf = ({ type, url }: Listed): number => {
  const index = FORMS.findIndex((form) => form.test((type ?? "").toLowerCase()));
  if (index >= 0) return index;
  const byName = FORMS.findIndex((form) => form.test(/\.(\w{2,5})(?:[?#]|$)/.exec(url.toLowerCase())?.[1] ?? ""));
  return byName < 0 ? FORMS.length : byName;
};

const baseOf = (language: string | null): string => (language ?? "").toLowerCase().split(/[-_]/, 1)[0] ?? "";

/** Orders files by language (the operator's, then the feed's, then others), and within a language by format. */
function orderTranscripts(listed: readonly Listed[], wanted: readonly string[], spoken: string | null): Listed[] {
  const languages = [...wanted, ...(spoken === null ? [] : [spoken])].map(baseOf);
  const severityRank = ({ language }: Listed): number => {
    const index = languages.indexOf(baseOf(language ?? spoken));
    return index < 0 ? languages.length : index;
  };
  return listed.toSorted((a, b) => severityRank(a) - severityRank(b) || formOf(a) - formOf(b));
}

/** Reads the podcast namespace's JSON (`startTime`, `endTime` in seconds, `body`, `speaker`); a speaker is named where it changes. */
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

/** WebVTT names the speaker in a tag; where it changes, the name is written before the text. */
const nameSpeakers = (file: string): string => {
  let speaker = "";
  return file.replace(/<v(?:\.[\w.-]{1,80})?\s([^<>\n]{1,120})>/g, (_tag, name: string) => {
    if (name.trim() === speaker) return "";
    speaker = name.trim();
    return `${speaker}: `;
  });
};

async function read(context: ExtractContext, file: string, url: string): Promise<Omit<ReadTranscript, "language">> {
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

/** Returns the first transcript with any text; null where none has. Throws the last error where none could be fetched. */
export async function fetchTranscript(
  context: ExtractContext,
  listed: readonly Listed[],
  spoken: string | null,
  base: string,
): Promise<ReadTranscript | null> {
  let lastError: unknown = null;
  for (const one of orderTranscripts(listed, context.settings.transcriptLanguages, spoken).slice(0, MAX_ATTEMPTED)) {
    const url = URL.parse(one.url, base);
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    try {
      const response = await fetchText(context, { service: url.host, url, maxBytes: MAX_BYTES, accept: `${one.type ?? "*/*"},*/*;q=0.5` });
      const found = await read(context, response.text, response.resource.url);
      if (found.cues.length > 0 || found.text !== "") return { ...found, language: one.language };
    } catch (error) {
      if (context.signal.aborted) throw error;
      lastError = error;
    }
  }
  if (lastError !== null) throw lastError;
  return null;
}
