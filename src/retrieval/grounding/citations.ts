import { agreesWithQuotes } from "./facts/facts.ts";
import type { Citation } from "../answer/extractive.ts";
import { splitSentences } from "../text/sentences.ts";
import type { Span } from "../text/spans.ts";
import { VerifiedCitations, type CitationMark } from "./verified-citations.ts";
import { MarkerScanner } from "./marker-scanner.ts";
import type { NumberedSource } from "./prompt.ts";
import { appendMark, countPlaceholders, PLACEHOLDER, renderMarks, renderNumbers, UNSUPPORTED } from "./render.ts";

/** Characters of the next sentence that must have arrived before a sentence counts as complete. */
const LOOKAHEAD = 24;
/** Longer sentences, in UTF-16 code units, are processed in parts. */
const MAX_SENTENCE_LENGTH = 2_000;

export type CitationResult = {
  /** In the order of their numbers in the text. */
  readonly citations: readonly Citation[];
  /** The model said that the sources do not contain the answer. */
  readonly isNotInSources: boolean;
  /** The answer was ended because it had more citations than an answer may have. */
  readonly isTruncated: boolean;
};

/**
 * Verifies the citations of a streamed answer. Every marker whose quote occurs in its source's tile becomes `[k]`, the number of
 * the citation; other markers are removed. Sentences without any, and those whose figures, dates or names are not those of their quotes,
 * are marked as unsupported. Sentences before the first supported one are held back, so that an answer without any support shows
 * nothing.
 */
export class CitationReader {
  readonly #citations: VerifiedCitations;
  readonly #scanner: MarkerScanner;
  readonly #question: string;
  /** Text that is not shown yet, with a placeholder for each of `#marks`. */
  #text = "";
  #marks: CitationMark[] = [];
  /** Sentences before the first supported one. */
  #held = "";
  #hasSupport = false;
  #isNotInSources = false;
  #isTruncated = false;

  /** Figures and names of the `question` need no quote. */
  constructor(sources: readonly NumberedSource[], question = "") {
    this.#question = question;
    this.#citations = new VerifiedCitations(sources);
    this.#scanner = new MarkerScanner(this.#citations);
  }

  /** Reads the next chunk, and returns the sentences that can be shown now. */
  push(chunk: string): string {
    return this.#read(chunk.replaceAll(/[\v\f\r]/g, " "), false);
  }

  /** Returns the rest at the end of the answer. */
  end(): string {
    return this.#read("", true).trimEnd();
  }

  get result(): CitationResult {
    const citations = this.#hasSupport ? this.#citations.citations : [];
    return { citations, isNotInSources: this.#isNotInSources, isTruncated: this.#isTruncated };
  }

  #read(chunk: string, isEnd: boolean): string {
    const { text, marks } = this.#scanner.read(chunk, isEnd);
    this.#text += text;
    this.#marks.push(...marks);
    return this.#takeSentences(isEnd);
  }

  #takeSentences(isEnd: boolean): string {
    const text = this.#text;
    if (this.#isTruncated) return "";
    if (!isEnd && text.length < MAX_SENTENCE_LENGTH && !POSSIBLE_END.test(text)) return "";
    const spans = mergeParts(text, splitSentences(text));
    let out = "";
    let done = 0;
    for (const [at, span] of spans.entries()) {
      const next = spans[at + 1];
      if (!isEnd && (next === undefined || text.length - next.start < LOOKAHEAD)) break;
      const until = next?.start ?? text.length;
      const before = at === 0 ? this.#takeBlank(text.slice(0, span.start)) : "";
      const isHeader = next !== undefined && DELIMITER_ROW.test(text.slice(next.start, Math.min(next.end, next.start + LOOKAHEAD)));
      out += before + this.#takeSentence(text.slice(span.start, span.end), text.slice(span.end, until), isHeader);
      done = until;
      if (this.#isTruncated) break;
    }
    this.#text = this.#isTruncated ? "" : text.slice(done);
    return out;
  }

  /** Takes white space before the first sentence; markers in it belong to no sentence. */
  #takeBlank(blank: string): string {
    this.#marks = this.#marks.slice(countPlaceholders(blank));
    return blank.replaceAll(PLACEHOLDER, "");
  }

  /** `isHeader`: the sentence is the header of a table, which needs no support. */
  #takeSentence(body: string, after: string, isHeader: boolean): string {
    const own = this.#marks.slice(0, countPlaceholders(body) + countPlaceholders(after));
    this.#marks = this.#marks.slice(own.length);
    const cited = own.flatMap((mark) => (mark === "over" ? [] : mark));
    if (cited.length === 0 && own.includes("over")) {
      this.#isTruncated = true;
      return "";
    }
    const blank = after.replaceAll(/(?<![ \t])[ \t]*(?:\v[ \t]*)+/g, " ").replaceAll(/(?<! ) +\n/g, "\n");
    const numbers = own.map((mark) => (mark === "over" ? [] : mark));
    const inner = numbers.slice(0, countPlaceholders(body));
    let sentence = appendMark(renderMarks(body, inner), renderNumbers(numbers.slice(inner.length).flat(), new Set(inner.flat())));
    if (NOT_IN_SOURCES.test(sentence)) {
      this.#isNotInSources = true;
      sentence = sentence.replace(NOT_IN_SOURCES, "");
    }
    const isSupported = cited.length > 0 && this.#agrees(body, cited);
    this.#hasSupport ||= isSupported;
    const hasWords = /[\p{L}\p{N}]/u.test(sentence);
    return this.#release((isSupported || !hasWords || isHeader ? sentence : appendMark(sentence, UNSUPPORTED)) + blank);
  }

  /** Whether the facts of a sentence are those of the citations with these numbers. */
  #agrees(body: string, cited: readonly number[]): boolean {
    return agreesWithQuotes(body.replaceAll(PLACEHOLDER, " "), this.#citations.getEvidence(cited, this.#question));
  }

  /** Holds text back until the first supported sentence, then returns it with everything held. */
  #release(shown: string): string {
    this.#held += shown;
    if (!this.#hasSupport) return "";
    const all = this.#held;
    this.#held = "";
    return all;
  }
}

/** The answer that the prompt asks for if the sources do not contain it, also as models escape or space it. */
const NOT_IN_SOURCES = /\bNOT[ _\\]{1,3}IN[ _\\]{1,3}SOURCES\b/;

/** The beginning of the line below a Markdown table's header. */
const DELIMITER_ROW = /^\|[\s|:-]*-[\s|:-]*$/;

/** Text without any of these contains no end of a sentence. */
const POSSIBLE_END = /[.!?…。！？।॥؟۔\u104b\u0589\u1362\u17d4｡\n\u2028\u2029]/;
const SENTENCE_END = /[.!?…。！？।॥؟۔]["'”’»)\]」』）]*\s*$/;

/** Joins the parts into which very long sentences were split, because a citation supports its whole sentence. */
function mergeParts(text: string, spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    const isPart =
      last !== undefined &&
      span.end - last.start <= MAX_SENTENCE_LENGTH &&
      !text.slice(last.end, span.start).includes("\n") &&
      !SENTENCE_END.test(text.slice(last.start, last.end));
    if (isPart) merged[merged.length - 1] = { start: last.start, end: span.end };
    else merged.push(span);
  }
  return merged;
}
