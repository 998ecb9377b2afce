import { splitSentences } from "../text/sentences.ts";
import { trimSpan, type Span } from "../text/spans.ts";
import { isStopWord } from "../text/language/stop-words.ts";
import { tokenise } from "../text/tokenise.ts";

/** A sentence that may represent its text: `text.slice(start, end)`, in UTF-16 code units. */
type Candidate = Span & {
  /** The heading above it, without marks; null if there is none. */
  readonly heading: string | null;
  /** Its distinct terms without stop words. */
  readonly terms: readonly string[];
  /** Index among the sentences of its text. */
  readonly position: number;
  /** 1 for a statement, less for other sentences, `FRAGMENT_QUALITY` for fragments. */
  readonly quality: number;
};

/** Quality of a line that is not a sentence; used only if there is nothing else. */
export const FRAGMENT_QUALITY = 0;
/** UTF-16 code units; scripts without spaces need about a third of them. */
const MIN_SENTENCE_LENGTH = 20;
const MIN_UNSPACED_LENGTH = 8;
export const MAX_SENTENCE_LENGTH = 400;
const MIN_TERMS = 3;
/** Share of letters, digits and blanks below which a line is probably code, a table or a list of links. */
const MIN_TEXT_SHARE = 0.75;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HEADING = /^#{1,6}\s+(.*)$/s;
const FENCE = /^(?:```|~~~)/;
const LIST_MARKERS = /^(?:[-*+>•–]\s+|\d{1,3}[.)]\s+)+/;
const ADDRESS = /\bhttps?:\/\/\S+/g;
const NOT_WORDS = /[^\p{L}\p{M}\p{N}\s]/gu;
const SENTENCE_END = /[.!?…。！？｡।؟۔]["'”’»)\]」』]*$/;
const QUESTION = /[?？؟]["'”’»)\]」』]*$/;

/** Returns the distinct terms of a text, without stop words. */
export const extractTerms = (text: string): string[] => [...new Set(tokenise(text))].filter((term) => !isStopWord(term));

/** Yields the sentences of a text, without headings and code. */
export function* extractCandidates(text: string): Generator<Candidate, void, undefined> {
  let heading: string | null = null;
  let isCode = false;
  let position = 0;
  for (const span of splitSentences(text)) {
    const line = text.slice(span.start, span.end);
    if (FENCE.test(line)) {
      isCode = !isCode;
      continue;
    }
    if (isCode) continue;
    const head = HEADING.exec(line)?.[1];
    if (head !== undefined) {
      heading = head.trim() === "" ? null : head.trim();
      continue;
    }
    const marks = LIST_MARKERS.exec(line)?.[0].length ?? 0;
    const { start, end } = trimSpan(text, span.start + marks, span.end);
    const sentence = text.slice(start, end);
    position++;
    if (sentence === "" || sentence.length > MAX_SENTENCE_LENGTH) continue;
    const terms = extractTerms(sentence);
    if (terms.length === 0) continue;
    const quality = terms.length >= MIN_TERMS && isReadable(sentence) ? rateQuality(sentence) : FRAGMENT_QUALITY;
    yield { start, end, heading, terms, position: position - 1, quality };
  }
}

/** Whether a range of text is readable as a sentence by itself. */
function isReadable(sentence: string): boolean {
  if (/^\||:$/.test(sentence) || sentence.length < (UNSPACED.test(sentence) ? MIN_UNSPACED_LENGTH : MIN_SENTENCE_LENGTH)) return false;
  return sentence.replace(ADDRESS, "").replace(NOT_WORDS, "").length >= MIN_TEXT_SHARE * sentence.length;
}

const rateQuality = (sentence: string): number => (QUESTION.test(sentence) ? 0.75 : SENTENCE_END.test(sentence) ? 1 : 0.8);
