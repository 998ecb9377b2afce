import { getCharacterClasses, isSpace, SPACED, UNSPACED } from "../text/characters.ts";
import { fitToMarks } from "../text/edge-marks.ts";
import type { Span } from "../text/spans.ts";

/** Shorter quotes must match exactly, as whole words. */
const MIN_INEXACT_WORDS = 3;
/** What a quote of one or two words must contain to be meaningful: a number, a capital, a letter without case, or a long word. */
const DISTINCTIVE = /[\p{N}\p{Lu}\p{Lt}\p{Lo}]|\p{Ll}{6}/u;
/** Longer quotes are not searched. */
const MAX_QUOTE_LENGTH = 1_000;

/**
 * Finds a quote in a text, as offsets in UTF-16 code units; cite `text.slice(start, end)`, not the quote. Differences in white space,
 * in the form of quotation marks and dashes, in ellipses, quotation marks and punctuation around the quote, in escaped quotation
 * marks, and in the case of the first letter are ignored.
 *
 * The range includes brackets and quotation marks right beside it that belong to it.
 *
 * Returns null if it does not occur. Fewer than three words must match exactly, as whole words, and be meaningful (a name, a number).
 */
export function findQuote(text: string, quote: string): Span | null {
  return createQuoteFinder(text)(quote);
}

/** Finds many quotes in one text, which is folded once, and only if a quote does not match exactly. */
export function createQuoteFinder(text: string): (quote: string) => Span | null {
  let folded: Folded | undefined;
  return (quote) => {
    const wanted = quote.trim();
    if (wanted === "" || wanted.length > MAX_QUOTE_LENGTH) return null;
    const exact = countWords(wanted) < MIN_INEXACT_WORDS && !DISTINCTIVE.test(wanted) ? null : findWholeWords(text, wanted);
    if (exact !== null) return fitToMarks(text, exact);
    for (const variant of listVariants(wanted)) {
      if (countWords(variant) < MIN_INEXACT_WORDS) continue;
      folded ??= fold(text);
      const found = findWholeWords(folded.text, variant);
      if (found !== null) return fitToMarks(text, unfold(folded, found));
    }
    return null;
  };
}

type Folded = { readonly text: string; /** Offset of each code unit of `text` in the original. */ readonly offsets: Uint32Array };

const FOLDS: ReadonlyMap<number, string> = new Map(
  [
    ["\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u300c\u300d\u300e\u300f", '"'],
    ["\u2018\u2019\u201a\u201b\u2032\u02bc\u2039\u203a", "'"],
    ["\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"],
    // Invisible: soft hyphen, zero-width space, joiners, word joiner.
    ["\u00ad\u200b\u200c\u200d\u2060", ""],
  ].flatMap(([from = "", to = ""]) => Array.from(from, (mark) => [mark.charCodeAt(0), to] as const)),
);

/** Replaces white space with single blanks, marks with their plain form, and ellipses with three full stops. */
function fold(text: string): Folded {
  const parts: string[] = [];
  // Only an ellipsis becomes longer.
  const at = new Uint32Array(text.length * 3 + 1);
  let length = 0;
  let afterSpace = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isBlank = isSpace(code);
    if (isBlank && afterSpace) continue;
    const to = isBlank ? " " : code === 0x2026 ? "..." : (FOLDS.get(code) ?? text.charAt(i));
    for (let k = 0; k < to.length; k++) at[length++] = i;
    if (to !== "") afterSpace = isBlank;
    parts.push(to);
  }
  at[length] = text.length;
  return { text: parts.join(""), offsets: at.subarray(0, length + 1) };
}

/** Converts a range of the folded text into one of the original. */
const unfold = ({ offsets }: Folded, { start, end }: Span): Span => ({ start: offsets[start] ?? 0, end: (offsets[end - 1] ?? 0) + 1 });

/** Lists the forms in which a quote is searched, the closest to the original first. */
function listVariants(quote: string): ReadonlySet<string> {
  const variants = new Set<string>();
  const unescaped = quote.replaceAll(/\\(?=["'\\])/g, "");
  for (const form of [quote, unescaped, unescaped.normalize("NFC"), unescaped.normalize("NFD")]) {
    const plain = fold(form).text.trim();
    const bare = trimMarks(plain);
    const open = bare.replace(/(?<![.,;:!?])[.,;:!?]+$/, "");
    for (const variant of [plain, bare, open]) {
      variants.add(variant);
      variants.add(swapFirstLetterCase(variant));
    }
  }
  variants.delete("");
  return variants;
}

const ENCLOSING_MARKS = new Set(["'", '"', "[", "]", " "]);

/** Removes ellipses, quotation marks and square brackets around a text. */
function trimMarks(text: string): string {
  let start = 0;
  let end = text.length;
  for (;;) {
    if (text.startsWith("...", start) && end - start >= 3) start += 3;
    else if (start < end && ENCLOSING_MARKS.has(text.charAt(start))) start++;
    else break;
  }
  for (;;) {
    if (end - start >= 3 && text.startsWith("...", end - 3)) end -= 3;
    else if (start < end && ENCLOSING_MARKS.has(text.charAt(end - 1))) end--;
    else break;
  }
  return text.slice(start, end);
}

function swapFirstLetterCase(text: string): string {
  const [first = ""] = text;
  const upper = first.toUpperCase();
  const swapped = upper === first ? first.toLowerCase() : upper;
  return swapped.length === first.length ? swapped + text.slice(first.length) : text;
}

/** Occurrences of a quote's beginning that are examined, and the length of that beginning; bounds the time of a search. */
const MAX_OCCURRENCES = 1_000;
const PREFIX_LENGTH = 32;

/** Finds the first occurrence of `wanted` that does not begin or end inside a word, in time proportional to the text. */
function findWholeWords(text: string, wanted: string): Span | null {
  const prefix = wanted.slice(0, PREFIX_LENGTH);
  let from = 0;
  for (let occurrence = 0; occurrence < MAX_OCCURRENCES; occurrence++) {
    const start = text.indexOf(prefix, from);
    if (start < 0) return null;
    const end = start + wanted.length;
    if (text.startsWith(wanted, start) && isBoundary(text, start) && isBoundary(text, end)) return { start, end };
    from = start + 1;
  }
  return null;
}

/** Whether no word continues across `at`. Scripts without spaces may be cut anywhere except inside a surrogate pair. */
function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const low = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (low >= 0xdc00 && low < 0xe000 && before >= 0xd800 && before < 0xdc00) return false;
  const classes = getCharacterClasses();
  return classes[before] !== SPACED || classes[low] !== SPACED;
}

/** Counts words; in scripts without spaces, two characters count as one word. */
function countWords(text: string): number {
  const classes = getCharacterClasses();
  let words = 0;
  let isInWord = false;
  for (let i = 0; i < text.length; i++) {
    const kind = classes[text.charCodeAt(i)];
    if (kind === UNSPACED) words += 0.5;
    else if (kind === SPACED && !isInWord) words++;
    isInWord = kind === SPACED;
  }
  return words;
}
