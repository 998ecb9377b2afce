import { isSpace } from "../text/characters.ts";

/** Text as it comes, made safe; what may still turn out to be part of something else is held back. */
export type TextFilter = { push(piece: string): string; end(): string };

/** Stands where an address stood. */
export const REMOVED = "[link removed]";

/** Longest construct that is waited for; what is open for longer is taken apart. */
const MAX_BUFFERED_LENGTH = 2_000;

/**
 * What a model may say: plain text. Pictures and tags are left out, links become their text, and an address is left out wherever
 * it stands, unless it is exactly one of `allowed`. Works on pieces cut anywhere: nothing is given before its word, tag or link has ended.
 */
export function createSafeTextFilter(allowed: ReadonlySet<string>): TextFilter {
  let buffer = "";
  let hasBlank = false;
  return {
    push(piece) {
      buffer += piece;
      const isNew = /\s/.test(piece);
      hasBlank ||= isNew;
      // Without a blank nothing ends that was open before.
      if (!hasBlank || (!isNew && buffer.length <= MAX_BUFFERED_LENGTH)) return "";
      const cut = findCut(buffer);
      const ready = buffer.slice(0, cut);
      buffer = buffer.slice(cut);
      if (cut > 0) hasBlank = /\s/.test(buffer);
      return sanitiseText(ready, allowed);
    },
    end() {
      const rest = buffer;
      buffer = "";
      return sanitiseText(rest, allowed);
    },
  };
}

/** How much of the text can be judged by itself: up to a blank, with no tag or link open there. */
function findCut(text: string): number {
  const word = wordBefore(text, text.length);
  const from = Math.max(0, text.length - MAX_BUFFERED_LENGTH);
  let cut = word;
  for (let before = -1; cut > from && cut !== before;) {
    before = cut;
    cut = openBefore(text, from, cut, ">", TAG_START);
    cut = openBefore(text, from, cut, ")", TARGET_START);
    cut = wordBefore(text, openBefore(text, from, cut, "]", BRACKET_START));
  }
  return cut > from ? cut : text.length > MAX_BUFFERED_LENGTH ? word : cut;
}

const TAG_START = /<[a-z/!?|｜]/i;
const TARGET_START = /!?\[[^[\]]{0,2000}\]\(/;
const BRACKET_START = /!?\[/;

/** Where the first thing began that is still open at `cut`, looking back to `from`; else `cut`. */
function openBefore(text: string, from: number, cut: number, close: string, start: RegExp): number {
  const closed = cut > 0 ? text.lastIndexOf(close, cut - 1) : -1;
  const begin = Math.max(from, closed + 1);
  const found = begin < cut ? text.slice(begin, cut).search(start) : -1;
  return found < 0 ? cut : begin + found;
}

/** Where the word that `at` stands in began: after the last blank before it. */
function wordBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isSpace(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Controls but line ends and tabs, marks of direction, invisible characters that could part an address. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const LINK = /!?\[([^[\]]{0,2000})\]\(([^()]{0,2000}(?:\([^()]{0,2000}\)[^()]{0,2000}){0,4})\)/g;
const TAG = /<([a-z/!?|｜][^<>]{0,2000})>/gi;
/** File endings that no domain has: `node.js/express` is no address. */
const NOT_A_DOMAIN = "(?!(?:js|ts|jsx|tsx|css|html?|json|txt|pdf|ya?ml|csv|xml|exe|docx?|png|jpe?g|gif|svg)\\b)";
const REST = '[^\\s<>"”»`|，。、；：！？（）「」『』《》]*';
const ADDRESS = new RegExp(
  [
    // scheme://host, //host
    `(?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:)?(?<![/\\\\])[/\\\\]{2,}(?=[^\\s/\\\\])${REST}`,
    `(?:https?|javascript|vbscript|view-source):(?=\\S)${REST}`,
    `\\b(?:ftps?|wss?|file|blob|mailto|tel|sms|intent):(?=\\S)${REST}`,
    `data:[\\w.+/-]{0,100}[;,]${REST}`,
    `www\\.(?=[\\w-])${REST}`,
    // host.tld/path, host.tld:80, host.tld?query
    `(?<![a-z0-9-])(?:[a-z0-9-]{1,63}\\.){1,8}${NOT_A_DOMAIN}(?:xn--[a-z0-9-]{1,59}|[a-z]{2,24})(?::\\d{2,5}\\b|(?=[/?#]))${REST}`,
    `(?<!\\d)\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5}\\b|(?=[/?#]))${REST}`,
    `\\blocalhost(?::\\d{1,5}\\b|(?=[/?#]))${REST}`,
  ].join("|"),
  "gi",
);

/** The same for a text that is there as a whole. */
export function sanitiseText(text: string, allowed: ReadonlySet<string>): string {
  let safe = text.toWellFormed().replaceAll(INVISIBLE, "");
  // Twice, for a picture within a link.
  for (let round = 0; round < 2; round++)
    safe = safe.replaceAll(LINK, (whole, words: string, target: string) => replaceLink(whole, words, target, allowed));
  return safe
    .replaceAll(TAG, (_, inner: string) => (allowed.has(inner) ? inner : isAddress(inner) ? REMOVED : ""))
    .replaceAll(ADDRESS, (address) => keepAllowed(address, allowed))
    .replaceAll(/<(?=[a-z/!?|｜])/gi, "‹")
    .replaceAll("](", "] (")
    .replaceAll(/!(?=\[)/g, "! ");
}

function replaceLink(whole: string, words: string, target: string, allowed: ReadonlySet<string>): string {
  if (whole.startsWith("!")) return "";
  // Our own numbers and marks keep their brackets.
  const text = /^(?:\d{1,2}|unsupported)$/.test(words) ? `[${words}]` : words;
  const address = target.trim().split(/\s/, 1)[0] ?? "";
  if (!allowed.has(address)) return text;
  return text.includes(address) ? text : `${text} (${address})`;
}

const isAddress = (text: string): boolean => /^(?:[a-z][a-z0-9+.-]{0,30}:\S|\S{1,100}@\S)/i.test(text);

/** Keeps an address that is allowed, and what stands after any address without belonging to it. */
function keepAllowed(address: string, allowed: ReadonlySet<string>): string {
  if (allowed.has(address)) return address;
  const bare = address.replace(/[.,;:!?)\]}'’*]{1,20}$/, "");
  const after = address.slice(bare.length);
  return (allowed.has(bare) ? bare : REMOVED) + after;
}
