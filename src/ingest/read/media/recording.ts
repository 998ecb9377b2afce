import type { TileWarning } from "#domain/content/tile.ts";
import { type IAudioMetadata, type IChapter, parseBuffer } from "music-metadata";
import { toIsoDate } from "../../clean/dates.ts";
import { unreadableError } from "../errors.ts";
import type { ParsedDocument, TimedLine } from "../format.ts";
import { getValue, omitEmpty, getArray, getNumber, validCounts, getString } from "../json-access.ts";

const MAX_LINES = 10_000;
const MAX_CHAPTERS = 1_000;
const MAX_SECONDS = 10_000_000;
const MAX_LINE_MS = 30_000;

const noTranscript = (what: string): TileWarning => ({
  code: "no_transcript",
  message: `The speech in this ${what} was not transcribed. Paste its text, or configure speech to text.`,
});

/** Reads the tags up to the end of the file or to the first damage. Returns null if there are none. */
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

/** The duration from the movie header (ISO/IEC 14496-12, 8.2.2), for videos without sound; null if there is none. */
function movieSeconds(bytes: Uint8Array): number | null {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = body.toString("latin1", 4, 8) === "ftyp" ? body.indexOf("mvhd", 0, "latin1") : -1;
  if (at < 0 || at + 36 > body.length) return null;
  const isLong = body[at + 4] === 1;
  const scale = body.readUInt32BE(at + (isLong ? 24 : 16));
  const length = isLong ? Number(body.readBigUInt64BE(at + 28)) : body.readUInt32BE(at + 20);
  return scale === 0 || length === 0xffffffff ? null : length / scale;
}

/** The size of a video's picture, as `stats`. */
function videoSize(format: unknown): Readonly<Record<string, number>> | undefined {
  const track = getArray(format, "trackInfo").find((each) => (getNumber(each, "video", "pixelWidth") ?? 0) > 0);
  return validCounts({ width: getNumber(track, "video", "pixelWidth"), height: getNumber(track, "video", "pixelHeight") });
}

/** Whether the duration was estimated from the number of bytes, as in Ogg, WAV and MP3 without a Xing header. */
function isDurationFromBytes(format: unknown, bytes: Uint8Array): boolean {
  const container = getString(format, "container") ?? "";
  if (/ogg|wave?$/i.test(container)) return true;
  if (!/^(?:mpeg|adts)/i.test(container)) return false;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return !["Xing", "Info\0\0\0", "VBRI"].some((sign) => head.includes(sign, 0, "latin1"));
}

const formatTime = (seconds: number): string => {
  const pad = (value: number): string => String(value).padStart(2, "0");
  const whole = Math.max(0, Math.floor(seconds));
  return whole < 3_600
    ? `${Math.floor(whole / 60)}:${pad(whole % 60)}`
    : `${Math.floor(whole / 3_600)}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
};

function chapterLine(chapter: unknown): string | null {
  const title = getString(chapter, "title" satisfies keyof IChapter);
  const start = (getNumber(chapter, "start") ?? 0) / (getNumber(chapter, "timeScale") || 1_000);
  return title === null ? null : `${formatTime(start)} ${title.slice(0, 500)}`;
}

/** Lyrics with times (ID3v2.3, 4.10 SYLT; LRC). Each line ends where the next one begins. */
function timedLines(common: unknown): TimedLine[] {
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

const textsAt = (value: unknown, name: string): string[] =>
  [getValue(value, name)]
    .flat()
    .slice(0, 100)
    .map((each) => (typeof each === "string" ? each.trim() : (getString(each, "text") ?? "")))
    .filter((each) => each !== "");

/** Comments that programs write for their own use. */
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
  const lines = timedLines(common);
  const description = [...textsAt(common, "longDescription"), ...textsAt(common, "description"), ...textsAt(common, "comment")];
  const chapters = getArray(format, "chapters").slice(0, MAX_CHAPTERS).map(chapterLine);
  const untimedLyrics = lines.length > 0 ? [] : textsAt(common, "lyrics");
  const blocks = [
    ...description.filter((text) => !isProgramComment(text)),
    chapters.filter((line) => line !== null).join("\n"),
    ...untimedLyrics,
  ].filter((block) => block !== "");
  const seconds = Math.round(getNumber(format, "duration") ?? movieSeconds(bytes) ?? 0);
  return {
    title: getString(common, "title"),
    text: [...new Set(blocks)].join("\n\n"),
    metadata: omitEmpty({
      author: getString(common, "artist") ?? getString(common, "albumartist"),
      siteName: getString(common, "album"),
      publishedAt: toIsoDate(getString(common, "releasedate") ?? getString(common, "date")),
      durationSeconds: seconds > 0 && seconds < MAX_SECONDS ? seconds : null,
      language: getString(common, "language")?.slice(0, 35) ?? null,
      stats: videoSize(format),
    }),
    warnings: lines.length > 0 || untimedLyrics.length > 0 ? [] : [noTranscript(kind === "audio" ? "recording" : "video")],
    ...(lines.length > 0 ? { lines } : {}),
    ...(isDurationFromBytes(format, bytes) ? { isDurationFromBytes: true } : {}),
  };
}
