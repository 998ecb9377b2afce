import { TextDecoder } from "@exodus/bytes/encoding.js";

const BY_NUMBER: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  10007: "x-mac-cyrillic",
  54936: "gb18030",
  65001: "utf-8",
};

/** Code pages by the character set of a font (RTF 1.9.1, "Font Table", `\fcharset`). */
const BY_CHARSET: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

/** Returns the code page of a font's character set, or null if the document's code page applies. */
export const getCodePageOfCharset = (charset: number): number | null => BY_CHARSET[charset] ?? null;

/** Decodes bytes of a Windows code page; an unknown one is decoded as Western European. */
export function decodeCodePage(bytes: readonly number[], page: number): string {
  const name = BY_NUMBER[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
  return new TextDecoder(name).decode(Uint8Array.from(bytes));
}
