import { isSpace } from "../text/characters.ts";

/** A filter for streamed text; holds back text whose meaning depends on what follows. */
export type TextFilter = { push(chunk: string): string; end(): string };

/** Replaces an address. */
export const REMOVED = "[link removed]";

/** Characters of an incomplete tag or link that are held back; a longer one is split. */
const MAX_BUFFERED_LENGTH = 2_000;

/**
 * Reduces a model's answer to plain text: removes pictures and tags, replaces links with their text, and removes every address that
 * is not exactly one of `allowed`. Chunks may be cut anywhere; text is released when its word, tag or link is complete.
 */
export function createSafeTextFilter(allowed: ReadonlySet<string>): TextFilter {
  let buffer = "";
  let hasBlank = false;
  return {
    push(chunk) {
      buffer += chunk;
      const isNew = /\s/.test(chunk);
      hasBlank ||= isNew;
      // Without a blank, nothing is complete.
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

/** Returns the length of the text that can be released: up to a blank with no open tag or link. */
function findCut(text: string): number {
  const word = findWordStart(text, text.length);
  const from = Math.max(0, text.length - MAX_BUFFERED_LENGTH);
  let cut = word;
  for (let before = -1; cut > from && cut !== before;) {
    before = cut;
    cut = openBefore(text, from, cut, ">", TAG_START);
    cut = openBefore(text, from, cut, ")", TARGET_START);
    cut = findWordStart(text, openBefore(text, from, cut, "]", BRACKET_START));
  }
  return cut > from ? cut : text.length > MAX_BUFFERED_LENGTH ? word : cut;
}

const TAG_START = /<[a-z/!?|｜]/i;
const TARGET_START = /!?\[[^[\]]{0,2000}\]\(/;
const BRACKET_START = /!?\[/;

/** Returns the start of the first construct after `from` that is still open at `cut`, or `cut`. */
function openBefore(text: string, from: number, cut: number, close: string, start: RegExp): number {
  const closed = cut > 0 ? text.lastIndexOf(close, cut - 1) : -1;
  const begin = Math.max(from, closed + 1);
  const found = begin < cut ? text.slice(begin, cut).search(start) : -1;
  return found < 0 ? cut : begin + found;
}

/** Returns the start of the word at `at`. */
function findWordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isSpace(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Control characters except line ends and tabs, text direction, and invisible characters that could split an address. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const LINK = /!?\[([^[\]]{0,2000})\]\(([^()]{0,2000}(?:\([^()]{0,2000}\)[^()]{0,2000}){0,4})\)/g;
const TAG = /<([a-z/!?|｜][^<>]{0,2000})>/gi;
/** File extensions that are not top-level domains: `node.js/express` is not an address. */
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

/** Applies the filter to a complete text. */
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
  // Citation numbers and marks keep their brackets.
  const text = /^(?:\d{1,2}|unsupported)$/.test(words) ? `[${words}]` : words;
  const address = target.trim().split(/\s/, 1)[0] ?? "";
  if (!allowed.has(address)) return text;
  return text.includes(address) ? text : `${text} (${address})`;
}

const isAddress = (text: string): boolean => /^(?:[a-z][a-z0-9+.-]{0,30}:\S|\S{1,100}@\S)/i.test(text);

/** Keeps an allowed address, and punctuation after any address. */
function keepAllowed(address: string, allowed: ReadonlySet<string>): string {
  if (allowed.has(address)) return address;
  const bare = address.replace(/[.,;:!?)\]}'’*]{1,20}$/, "");
  const after = address.slice(bare.length);
  return (allowed.has(bare) ? bare : REMOVED) + after;
}
