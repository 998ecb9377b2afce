import { decodeEntities, htmlToText } from "../markup/html-text.ts";

const TAG =
  /<\/?(?:a|abbr|article|b|blockquote|br|center|cite|code|dd|del|div|dl|dt|em|figure|font|h[1-6]|hr|i|iframe|img|ins|kbd|li|mark|ol|p|pre|q|s|script|section|small|span|strong|style|sub|sup|svg|table|tbody|td|th|tr|tt|u|ul|video|wbr)(?:\s[^<>]{0,4000})?\/?>/i;

/** Converts HTML of a feed to text. Text without a known tag is plain text, of which lines and angle brackets are kept. */
export function feedToText(text: string): string {
  if (TAG.test(text)) return htmlToText(text);
  return decodeEntities(text)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Converts a title to one line of text. It is treated as HTML if it is not declared as plain text and contains a known tag. */
export function feedTitleToText(text: string, isPlain: boolean): string {
  return (isPlain ? decodeEntities(text) : feedToText(text)).replace(/\s+/g, " ").trim();
}
