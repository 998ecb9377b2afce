import { truncateText, countWords, replaceInvalidCharacters } from "../../clean/text.ts";
import { decodeBody } from "./charset.ts";

export type PlainText = { readonly text: string; readonly wordCount: number; readonly truncated: boolean };

/** More bytes than a text of the longest kind has, whatever its charset. */
const MAX_BYTES = 4_200_000;

/** Plain words as they are, without their byte order mark, lines ended by line feeds, of at most 1,000,000 code points. */
export function readPlainText(body: Uint8Array, contentType: string | undefined): PlainText {
  const { text } = decodeBody(body.subarray(0, MAX_BYTES), contentType);
  const capped = truncateText(replaceInvalidCharacters(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")).trim());
  return { text: capped.text, wordCount: countWords(capped.text), truncated: capped.truncated || body.length > MAX_BYTES };
}
