import type { Citation } from "../answer/extractive.ts";
import { splitSentences } from "../text/sentences.ts";
import type { Span } from "../text/spans.ts";
import { createQuoteFinder } from "./find-quote.ts";
import { type MarkerItem, readMarker } from "./marker.ts";
import type { Source } from "./prompt.ts";

/** What stands behind a sentence that no quote supports. */
export const UNSUPPORTED = " [unsupported]";

/** Most citations of an answer; with an eleventh it ends. */
const MAX_CITATIONS = 10;
/** Quotes looked for in vain before no more are: each costs a walk through its tile, and who invents so many has no others. */
const MAX_MISSES = 40;
/** A longer marker is none. */
const MAX_MARKER_LENGTH = 1_000;
/** So much of the next sentence must be there before the one before it is known to have ended. */
const LOOKAHEAD = 24;
/** Longer sentences, in UTF-16 code units, are read in parts. */
const LONGEST = 2_000;
/** Stands in the text where a marker stood; white space to whoever splits sentences. */
const PLACE = "\v";

export type Reading = {
  /** In the order of their numbers in the text. */
  readonly citations: readonly Citation[];
  /** The model said that the sources do not hold the answer. */
  readonly isNotHeld: boolean;
  /** It was ended because it had more citations than an answer may have. */
  readonly isCut: boolean;
};

/** Reads an answer as it comes; `push` and `end` give what may be shown so far, in whole sentences. */
export type CitationReader = { push(piece: string): string; end(): string; readonly reading: Reading };

/**
 * Turns a model's words into an answer: every marker whose quote stands in the tile of its source becomes `[k]`, k being its place
 * among the citations; every other marker is left out, and a sentence without any is marked as unsupported. Sentences before the
 * first supported one are held back, so that an answer without any support shows nothing.
 */
export function createCitationReader(sources: readonly Source[]): CitationReader {
  const citations: Citation[] = [];
  const finders = new Map<number, (quote: string) => Citation | null>();
  /** What each place in `text` stands for: numbers of citations, or "over" for one too many. */
  let marks: (readonly number[] | "over")[] = [];
  let raw = "";
  let text = "";
  let held = "";
  let misses = 0;
  let isSkipping = false;
  let isNotHeld = false;
  let isCut = false;

  const numberOf = (citation: Citation): number => {
    const at = citations.findIndex(
      (other) => other.tileId === citation.tileId && other.start === citation.start && other.end === citation.end,
    );
    if (at >= 0) return at + 1;
    if (citations.length >= MAX_CITATIONS) return 0;
    return citations.push(citation);
  };

  const check = (items: readonly MarkerItem[]): readonly number[] | "over" => {
    const found = items.flatMap(({ source: number, quote }) => {
      const source = sources[number - 1];
      if (source === undefined || misses >= MAX_MISSES) return [];
      let find = finders.get(number);
      if (find === undefined) finders.set(number, (find = createFinder(source)));
      const citation = find(quote);
      if (citation === null) misses++;
      return citation === null ? [] : [numberOf(citation)];
    });
    const kept = found.filter((number) => number > 0);
    return kept.length === 0 && found.length > 0 ? "over" : [...new Set(kept)];
  };

  /** Whether bare numbers in brackets can't be taken for those of sources or citations. */
  const isYear = (brackets: string): boolean =>
    [...brackets.matchAll(/\d+/g)].some(([number]) => Number(number) > Math.max(sources.length, MAX_CITATIONS));

  /** Moves what is known of `raw` into `text`; at the end what is still open is dropped. */
  const readRaw = (isEnd: boolean): void => {
    let at = 0;
    while (at < raw.length) {
      if (isSkipping) {
        const end = /[\]\n]/.exec(raw.slice(at));
        if (end === null) {
          at = raw.length;
          break;
        }
        isSkipping = false;
        at += end.index + 1;
        continue;
      }
      const open = raw.indexOf("[", at);
      if (open < 0) {
        text += raw.slice(at);
        at = raw.length;
        break;
      }
      text += raw.slice(at, open);
      at = open;
      const marker = readMarker(raw, open);
      if (marker.kind === "marker" && marker.items.length === 0 && isYear(raw.slice(open, marker.end))) {
        text += raw.slice(open, marker.end);
        at = marker.end;
      } else if (marker.kind === "marker" && marker.end - open <= MAX_MARKER_LENGTH) {
        marks.push(check(marker.items));
        text += PLACE;
        at = marker.end;
      } else if (marker.kind === "text") {
        text += "[";
        at++;
      } else if (marker.kind === "marker" || raw.length - open > MAX_MARKER_LENGTH) {
        marks.push([]);
        text += PLACE;
        isSkipping = true;
        at = Math.min(raw.length, open + MAX_MARKER_LENGTH);
      } else {
        if (isEnd) at = raw.length;
        break;
      }
    }
    raw = raw.slice(at);
  };

  /** Gives the sentences that are known to have ended. */
  const take = (isEnd: boolean): string => {
    if (isCut) return "";
    if (!isEnd && text.length < LONGEST && !MAY_END.test(text)) return "";
    const spans = mergeParts(text, splitSentences(text));
    let out = "";
    let done = 0;
    for (const [at, span] of spans.entries()) {
      const next = spans[at + 1];
      if (!isEnd && (next === undefined || text.length - next.start < LOOKAHEAD)) break;
      const until = next?.start ?? text.length;
      const before = at === 0 ? takePlaces(text.slice(0, span.start)) : "";
      const isHead = next !== undefined && DELIMITER_ROW.test(text.slice(next.start, Math.min(next.end, next.start + LOOKAHEAD)));
      out += before + takeSentence(text.slice(span.start, span.end), text.slice(span.end, until), isHead);
      done = until;
      if (isCut) break;
    }
    text = isCut ? "" : text.slice(done);
    return out;
  };

  /** White space before the first sentence; markers there belong to none. */
  const takePlaces = (blank: string): string => {
    marks = marks.slice(countPlaces(blank));
    return blank.replaceAll(PLACE, "");
  };

  /** `isHead`: the body is the head of a table, which claims nothing. */
  const takeSentence = (body: string, after: string, isHead: boolean): string => {
    const own = marks.slice(0, countPlaces(body) + countPlaces(after));
    marks = marks.slice(own.length);
    const isSupported = own.some((mark) => mark !== "over" && mark.length > 0);
    if (!isSupported && own.includes("over")) {
      isCut = true;
      return "";
    }
    const blank = after.replaceAll(/(?<![ \t])[ \t]*(?:\v[ \t]*)+/g, " ").replaceAll(/(?<! ) +\n/g, "\n");
    const numbers = own.map((mark) => (mark === "over" ? [] : mark));
    const inner = numbers.slice(0, countPlaces(body));
    let words = appendToRow(renderMarks(body, inner), renderNumbers(numbers.slice(inner.length).flat(), new Set(inner.flat())));
    if (NOT_HELD.test(words)) {
      isNotHeld = true;
      words = words.replace(NOT_HELD, "");
    }
    const says = /[\p{L}\p{N}]/u.test(words);
    const shown = (isSupported || !says || isHead ? words : appendToRow(words, UNSUPPORTED)) + blank;
    if (citations.length === 0) {
      held += shown;
      return "";
    }
    const all = held + shown;
    held = "";
    return all;
  };

  return {
    push(piece) {
      raw += piece.replaceAll(/[\v\f\r]/g, " ");
      readRaw(false);
      return take(false);
    },
    end() {
      readRaw(true);
      return take(true).trimEnd();
    },
    get reading() {
      return { citations, isNotHeld, isCut };
    },
  };
}

/** Looks in the passage that was given first, then in the whole of its tile. */
function createFinder({ tileId, title, type, sourceUrl, text, start, tileText }: Source): (quote: string) => Citation | null {
  const inPassage = createQuoteFinder(text);
  const inTile = text.length === tileText.length ? () => null : createQuoteFinder(tileText);
  return (quote) => {
    const near = inPassage(quote);
    const span = near === null ? inTile(quote) : { start: near.start + start, end: near.end + start };
    return span === null ? null : { tileId, title, type, sourceUrl, quote: tileText.slice(span.start, span.end), ...span };
  };
}

/** `NOT_IN_SOURCES`, also as a model may have escaped or spaced it. */
const NOT_HELD = /\bNOT[ _\\]{1,3}IN[ _\\]{1,3}SOURCES\b/;

/** The line below the head of a Markdown table, as far as it is there. */
const DELIMITER_ROW = /^\|[\s|:-]*-[\s|:-]*$/;

/** Adds a mark behind a sentence; inside the last cell of a table's row, since behind the row it would end the table. */
function appendToRow(words: string, mark: string): string {
  const row = words.trimEnd();
  const end = mark === "" || !row.endsWith("|") ? -1 : row.slice(0, -1).trimEnd().length;
  return end < 1 ? words + mark : `${words.slice(0, end)}${mark} |`;
}

const countPlaces = (text: string): number => text.split(PLACE).length - 1;

/** Without any of these no sentence has ended. */
const MAY_END = /[.!?…。！？।॥؟۔\u104b\u0589\u1362\u17d4｡\n\u2028\u2029]/;
const SENTENCE_END = /[.!?…。！？।॥؟۔]["'”’»)\]」』）]*\s*$/;

/** Sentences are cut where they are very long; the parts are one sentence to whoever looks for its citation. */
function mergeParts(text: string, spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    const isPart =
      last !== undefined &&
      span.end - last.start <= LONGEST &&
      !text.slice(last.end, span.start).includes("\n") &&
      !SENTENCE_END.test(text.slice(last.start, last.end));
    if (isPart) merged[merged.length - 1] = { start: last.start, end: span.end };
    else merged.push(span);
  }
  return merged;
}

/** The body with ` [k]` where its markers stood; where one was left out, words are not joined. */
function renderMarks(body: string, numbers: readonly (readonly number[])[]): string {
  const parts = body.split(PLACE);
  const seen = new Set<number>();
  let out = parts[0] ?? "";
  for (const [at, part] of parts.slice(1).entries()) {
    const shown = renderNumbers(numbers[at] ?? [], seen);
    if (shown !== "") out = out.trimEnd() + shown;
    const isGlued = /\S$/.test(out) && /^[^\s.,;:!?)\]}"'”’»。，、；：！？]/.test(part);
    if (shown === "" && /^[.,;:!?)\]}]/.test(part)) out = out.trimEnd();
    const isDoubled = /\s$/.test(out) && /^[ \t]/.test(part);
    out += (isGlued ? " " : "") + (isDoubled ? part.trimStart() : part);
  }
  return out;
}

function renderNumbers(numbers: readonly number[], seen: Set<number>): string {
  let out = "";
  for (const number of numbers) {
    if (seen.has(number)) continue;
    seen.add(number);
    out += ` [${number}]`;
  }
  return out;
}
