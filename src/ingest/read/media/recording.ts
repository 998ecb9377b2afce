import type { TileWarning } from "#domain/content/tile.ts";
import { type IAudioMetadata, type IChapter, parseBuffer } from "music-metadata";
import { toIsoDate } from "../../clean/dates.ts";
import { unreadableError } from "../errors.ts";
import type { ParsedDocument, TimedLine } from "../format.ts";
import { getValue, omitEmpty, getArray, getNumber, keepValidCounts, getString } from "../json-access.ts";
import { formatTimestamp } from "../timestamps.ts";

const MAX_LINES = 10_000;
const MAX_CHAPTERS = 1_000;
const MAX_SECONDS = 10_000_000;
const MAX_LINE_MS = 30_000;

const noTranscriptWarning = (what: string): TileWarning => ({
  code: "no_transcript",
  message: `The speech in this ${what} was not transcribed. Paste its text, or configure speech to text.`,
});

/** Reads the tags up to the end of the file or to the first damaged part. Returns null if there are none. */
async function readTags(bytes: Uint8Array): Promise<unknown> {
  const partial: { metadata: IAudioMetadata | null } = { metadata: null };
  const observer = ({ metadata }: { readonly metadata: IAudioMetadata }): void => void (partial.metadata = metadata);
  try {
    return await parseBuffer(bytes, undefined, { duration: false, skipCovers: true, includeChapters: true, observer });
  } catch {
    // Large files are truncated before they are read, so an error at the end is normal.
    return partial.metadata;
  }
}

/** Reads the duration in seconds from the movie header (ISO/IEC 14496-12, 8.2.2), for videos without sound. Returns null if there is none. */
function readMovieDuration(bytes: Uint8Array): number | null {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = body.toString("latin1", 4, 8) === "ftyp" ? body.indexOf("mvhd", 0, "latin1") : -1;
  if (at < 0 || at + 36 > body.length) return null;
  const isLong = body[at + 4] === 1;
  const scale = body.readUInt32BE(at + (isLong ? 24 : 16));
  const length = isLong ? Number(body.readBigUInt64BE(at + 28)) : body.readUInt32BE(at + 20);
  return scale === 0 || length === 0xffffffff ? null : length / scale;
}

/** Returns the width and height of a video as `stats`. */
function getVideoSize(format: unknown): Readonly<Record<string, number>> | undefined {
  const track = getArray(format, "trackInfo").find((each) => (getNumber(each, "video", "pixelWidth") ?? 0) > 0);
  return keepValidCounts({ width: getNumber(track, "video", "pixelWidth"), height: getNumber(track, "video", "pixelHeight") });
}

/** Whether the duration was estimated from the number of bytes, as in Ogg, WAV and MP3 without a Xing header. */
function isDurationFromBytes(format: unknown, bytes: Uint8Array): boolean {
  const container = getString(format, "container") ?? "";
  if (/ogg|wave?$/i.test(container)) return true;
  if (!/^(?:mpeg|adts)/i.test(container)) return false;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return !["Xing", "Info\0\0\0", "VBRI"].some((sign) => head.includes(sign, 0, "latin1"));
}

function formatChapter(chapter: unknown): string | null {
  const title = getString(chapter, "title" satisfies keyof IChapter);
  const start = (getNumber(chapter, "start") ?? 0) / (getNumber(chapter, "timeScale") || 1_000);
  return title === null ? null : `${formatTimestamp(start)} ${title.slice(0, 500)}`;
}

/** Reads lyrics with times (ID3v2.3, 4.10 SYLT; LRC). Each line ends when the next one begins. */
function readTimedLines(common: unknown): TimedLine[] {
  const lyrics = getArray(common, "lyrics").find((each) =>
    getArray(each, "syncText").some((line) => getNumber(line, "timestamp") !== null),
  );
  const lines = getArray(lyrics, "syncText")
    .slice(0, MAX_LINES)
    .map((line) => ({ startMs: getNumber(line, "timestamp"), text: getString(line, "text") }))
    .filter((line): line is { startMs: number; text: string } => line.startMs !== null && line.startMs >= 0 && line.text !== null)
    .toSorted((a, b) => a.startMs - b.startMs);
  return lines.map(({ startMs, text }, index) => ({
    startMs,
    endMs: Math.min(lines[index + 1]?.startMs ?? Infinity, startMs + MAX_LINE_MS),
    text,
  }));
}

const getTexts = (value: unknown, name: string): string[] =>
  [getValue(value, name)]
    .flat()
    .slice(0, 100)
    .map((each) => (typeof each === "string" ? each.trim() : (getString(each, "text") ?? "")))
    .filter((each) => each !== "");

/** Whether a comment was written by a program for its own use. */
const isProgramComment = (text: string): boolean =>
  /^(?:[0-9A-F]{8}\s?){4,}/.test(text) || /^(?:lavf|lavc|lame|itunes)\s?[\d.]/i.test(text);

/**
 * Reads the metadata of a recording, with its description, chapters and lyrics as text: ID3 2.4, MP4 (ISO/IEC 14496-12), Ogg (RFC 3533),
 * FLAC (RFC 9639), WAV, AIFF, ASF, Matroska (RFC 9559). The beginning of the file is enough. Throws `unreadable_file` for other files.
 */
export async function readRecording(bytes: Uint8Array, kind: "audio" | "video"): Promise<ParsedDocument> {
  const tags = await readTags(bytes);
  const common = getValue(tags, "common");
  const format = getValue(tags, "format");
  if (getString(format, "container") === null && getString(common, "title") === null) throw unreadableError();
  const lines = readTimedLines(common);
  const description = [...getTexts(common, "longDescription"), ...getTexts(common, "description"), ...getTexts(common, "comment")];
  const chapters = getArray(format, "chapters").slice(0, MAX_CHAPTERS).map(formatChapter);
  const untimedLyrics = lines.length > 0 ? [] : getTexts(common, "lyrics");
  const blocks = [
    ...description.filter((text) => !isProgramComment(text)),
    chapters.filter((line) => line !== null).join("\n"),
    ...untimedLyrics,
  ].filter((block) => block !== "");
  const seconds = Math.round(getNumber(format, "duration") ?? readMovieDuration(bytes) ?? 0);
  return {
    title: getString(common, "title"),
    text: [...new Set(blocks)].join("\n\n"),
    metadata: omitEmpty({
      author: getString(common, "artist") ?? getString(common, "albumartist"),
      siteName: getString(common, "album"),
      publishedAt: toIsoDate(getString(common, "releasedate") ?? getString(common, "date")),
      durationSeconds: seconds > 0 && seconds < MAX_SECONDS ? seconds : null,
      language: getString(common, "language")?.slice(0, 35) ?? null,
      stats: getVideoSize(format),
    }),
    warnings: lines.length > 0 || untimedLyrics.length > 0 ? [] : [noTranscriptWarning(kind === "audio" ? "recording" : "video")],
    ...(lines.length > 0 ? { lines } : {}),
    ...(isDurationFromBytes(format, bytes) ? { isDurationFromBytes: true } : {}),
  };
}
