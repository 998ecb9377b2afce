import { decodeEntities } from "../../read/markup/html-text.ts";
import type { Cue } from "./transcript.ts";
import { getValue, getArray, getNumber } from "../../read/json-access.ts";

/** The times of a cue. Hours are optional; the fraction follows a point (WebVTT) or a comma (SubRip). */
const TIMING = /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/;

function toMilliseconds(hours: string | undefined, minutes = "0", seconds = "0", fraction = "0"): number {
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(fraction.padEnd(3, "0"));
}

/** Parses WebVTT (W3C) or SubRip. Blocks without a time (headers, notes, styles) are skipped. */
export function readTimedText(file: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of file
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n+/)) {
    const lines = block.split("\n");
    const index = lines.findIndex((line) => TIMING.test(line));
    const time = TIMING.exec(lines[index] ?? "");
    if (time === null) continue;
    const [, h1, m1, s1, f1, h2, m2, s2, f2] = time;
    const text = decodeEntities(
      lines
        .slice(index + 1)
        .join(" ")
        .replace(/<[^<>]{0,200}>/g, "")
        .replace(/\{\\[^}]{0,80}\}/g, ""),
    );
    cues.push({ startMs: toMilliseconds(h1, m1, s1, f1), endMs: toMilliseconds(h2, m2, s2, f2), text });
  }
  return cues;
}

/** Parses YouTube's `json3`: events with start and duration in milliseconds and their text in segments. */
export function readJson3(response: unknown): Cue[] {
  const cues: Cue[] = [];
  for (const event of getArray(response, "events")) {
    const start = getNumber(event, "tStartMs");
    const text = getArray(event, "segs")
      .map((segment) => getValue(segment, "utf8"))
      .filter((part) => typeof part === "string")
      .join("");
    if (start === null || text.trim() === "") continue;
    cues.push({ startMs: start, endMs: start + (getNumber(event, "dDurationMs") ?? 0), text });
  }
  return cues;
}

const OPENING = /<(text|p)\b([^<>]{0,1000})>/g;

/** Parses YouTube's XML formats: `srv1` (`text`, in seconds) and `srv3` (`p`, in milliseconds). End tags may be missing. */
export function readTimedXml(file: string): Cue[] {
  const cues: Cue[] = [];
  const openings = [...file.matchAll(OPENING)];
  openings.forEach((opening, index) => {
    const [whole, name, attributes = ""] = opening;
    const value = (key: string): number => Number(new RegExp(`\\b${key}="([\\d.]+)"`).exec(attributes)?.[1] ?? "NaN");
    const [start, length] = name === "text" ? [value("start") * 1_000, value("dur") * 1_000] : [value("t"), value("d")];
    if (!Number.isFinite(start)) return;
    const inner = file.slice(opening.index + whole.length, openings[index + 1]?.index ?? file.length);
    const close = inner.indexOf(`</${name}>`);
    // The text is escaped twice: as XML and as HTML.
    const text = decodeEntities(decodeEntities((close < 0 ? inner : inner.slice(0, close)).replace(/<[^<>]*>/g, "")));
    cues.push({ startMs: start, endMs: start + (Number.isFinite(length) ? length : 0), text });
  });
  return cues;
}

/** Parses captions of any known format, detected from the content. */
export function readCaptions(file: string): Cue[] {
  const start = file.trimStart();
  if (start.startsWith("{")) {
    try {
      return readJson3(JSON.parse(start));
    } catch {
      return [];
    }
  }
  return start.startsWith("<") ? readTimedXml(start) : readTimedText(file);
}
