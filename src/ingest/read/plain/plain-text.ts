import { truncateText, countWords, replaceInvalidCharacters } from "../../clean/text.ts";
import { decodeBody } from "./charset.ts";

/** `truncated` says that the end of the text is missing. */
export type DecodedText = { readonly text: string; readonly wordCount: number; readonly truncated: boolean };

/** More bytes than the longest text of a tile can have in any charset. */
const MAX_BYTES = 4_200_000;

/** Decodes plain text, at most 1,000,000 code points. Removes the byte order mark and normalises line ends to line feeds. */
export function readPlainText(body: Uint8Array, contentType: string | undefined): DecodedText {
  const { text } = decodeBody(body.subarray(0, MAX_BYTES), contentType);
  const capped = truncateText(replaceInvalidCharacters(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")).trim());
  return { text: capped.text, wordCount: countWords(capped.text), truncated: capped.truncated || body.length > MAX_BYTES };
}
