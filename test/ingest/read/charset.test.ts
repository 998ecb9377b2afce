import { expect, it } from "vitest";
import { decodeBody } from "#ingest/read/plain/charset.ts";

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const page = (meta: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<!doctype html><html><head>${meta}</head><body><p>`), bytes, Buffer.from("</p></body></html>")]);
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

const JAPANESE = "日本語のページです。カタカナ";
const CHINESE = "简体中文网页，内容测试€";
const KOREAN = "한국어 페이지 본문입니다";
const WESTERN = "“Café” – 5 € naïve";
const RUSSIAN = "Привет, мир. Русский текст";
const SHIFT_JIS = hex("93fa967b8cea82cc8379815b835782c582b78142834a835e834a8369");
const GB18030 = hex("bcf2cce5d6d0cec4cdf8d2b3a3acc4dac8ddb2e2cad4a2e3");
const EUC_KR = hex("c7d1b1b9beee20c6e4c0ccc1f620babbb9aec0d4b4cfb4d9");
const CP1252 = hex("93436166e994209620352080206e61ef7665");
const CP1251 = hex("cff0e8e2e5f22c20ece8f02e20d0f3f1f1eae8e920f2e5eaf1f2");
const BIG5 = hex("c163c5e9a4a4a4e5baf4adb6a4baae65");
const EUC_JP = hex("c6fccbdcb8eca4cea5daa1bca5b8a4c7a4b9");
const ISO_2022_JP = hex("1b2442467c4b5c386c244e255a213c25381b2842");
const meta = (charset: string): string => `<meta charset="${charset}">`;

type Case = readonly [name: string, body: Buffer, contentType: string | undefined, charset: string, text: string];

const CASES: readonly Case[] = [
  ["a right header, Shift_JIS", page("", SHIFT_JIS), "text/html; charset=Shift_JIS", "shift_jis", JAPANESE],
  ["a right header, GB18030", page("", GB18030), "text/html;charset=GB18030", "gb18030", CHINESE],
  ["a right header, GB2312 read as GBK", page("", GB18030), 'text/html; charset="gb2312"', "gbk", CHINESE],
  ["a right header, EUC-KR", page("", EUC_KR), "text/html; charset=ks_c_5601-1987", "euc-kr", KOREAN],
  ["a right header, Big5", page("", BIG5), "text/html; charset=big5", "big5", "繁體中文網頁內容"],
  ["a right header, EUC-JP", page("", EUC_JP), "text/html; charset=euc-jp", "euc-jp", "日本語のページです"],
  ["a right header, ISO-2022-JP", page("", ISO_2022_JP), "text/html; charset=iso-2022-jp", "iso-2022-jp", "日本語のページ"],
  ["a right header, windows-1251", page("", CP1251), "text/html; charset=windows-1251", "windows-1251", RUSSIAN],
  ["a header of iso-8859-1, which means windows-1252", page("", CP1252), "text/html; charset=ISO-8859-1", "windows-1252", WESTERN],
  ["a meta element alone, Shift_JIS", page(meta("shift_jis"), SHIFT_JIS), "text/html", "shift_jis", JAPANESE],
  [
    "a meta http-equiv alone",
    page('<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">', EUC_KR),
    undefined,
    "euc-kr",
    KOREAN,
  ],
  ["a meta element of ISO-2022-JP", page(meta("iso-2022-jp"), ISO_2022_JP), undefined, "iso-2022-jp", "日本語のページ"],
  ["a meta element below 1,024 bytes", page(`<script>${"x".repeat(3000)}</script>${meta("gbk")}`, GB18030), undefined, "gbk", CHINESE],
  ["an XML prolog", Buffer.concat([Buffer.from('<?xml version="1.0" encoding="euc-kr"?><html>'), EUC_KR]), undefined, "euc-kr", KOREAN],
  [
    "a meta element in a comment, which counts for nothing",
    page(`<!-- ${meta("shift_jis")} -->${meta("euc-kr")}`, EUC_KR),
    undefined,
    "euc-kr",
    KOREAN,
  ],
  ["an unknown label in the header", page(meta("euc-kr"), EUC_KR), "text/html; charset=none", "euc-kr", KOREAN],
  ["a header of iso-8859-1 over valid UTF-8", page("", Buffer.from(WESTERN)), "text/html; charset=iso-8859-1", "utf-8", WESTERN],
  [
    "a header and a meta of windows-1252 over valid UTF-8",
    page(meta("windows-1252"), Buffer.from("é")),
    "text/html; charset=windows-1252",
    "utf-8",
    "é",
  ],
  ["a meta of Shift_JIS over valid UTF-8", page(meta("shift_jis"), Buffer.from(JAPANESE)), undefined, "utf-8", JAPANESE],
  ["a header of GBK over valid UTF-8", page(meta("utf-8"), Buffer.from(CHINESE)), "text/html; charset=gbk", "utf-8", CHINESE],
  [
    "a header of utf-8 over Shift_JIS that the page declares",
    page(meta("shift_jis"), SHIFT_JIS),
    "text/html; charset=utf-8",
    "shift_jis",
    JAPANESE,
  ],
  ["a header of utf-8 over windows-1252 that nothing declares", page("", CP1252), "text/html; charset=utf-8", "windows-1252", WESTERN],
  ["a meta of utf-8 over GBK that the header declares", page(meta("utf-8"), GB18030), "text/html; charset=gbk", "gbk", CHINESE],
  [
    "a server's default of iso-8859-1 over a page's windows-1251",
    page(meta("windows-1251"), CP1251),
    "text/html; charset=iso-8859-1",
    "windows-1251",
    RUSSIAN,
  ],
  ["a header of windows-1251 over a page's EUC-KR", page(meta("euc-kr"), EUC_KR), "text/html; charset=windows-1251", "euc-kr", KOREAN],
  ["a header of EUC-KR over a page's Shift_JIS", page(meta("shift_jis"), SHIFT_JIS), "text/html; charset=euc-kr", "shift_jis", JAPANESE],
  ["no claim over valid UTF-8", page("", Buffer.from(RUSSIAN)), undefined, "utf-8", RUSSIAN],
  ["no claim over ASCII", page("", Buffer.from("plain")), undefined, "utf-8", "plain"],
  ["no claim over windows-1252", page("", CP1252), undefined, "windows-1252", WESTERN],
  ["a UTF-8 mark against the header", Buffer.concat([hex("efbbbf"), page("", Buffer.from("é"))]), "text/html; charset=gbk", "utf-8", "é"],
  ["a UTF-16LE mark", Buffer.concat([hex("fffe"), utf16(`<p>${JAPANESE}</p>`)]), "text/html", "utf-16le", JAPANESE],
  ["a UTF-16BE mark", Buffer.concat([hex("feff"), utf16(`<p>${JAPANESE}</p>`).swap16()]), undefined, "utf-16be", JAPANESE],
  ["UTF-16LE without a mark, header right", utf16(`<html><p>${JAPANESE}</p>`), "text/html; charset=utf-16le", "utf-16le", JAPANESE],
  ["UTF-16BE without a mark or header", utf16(`<html><p>${JAPANESE}</p>`).swap16(), undefined, "utf-16be", JAPANESE],
  ["a meta of utf-16 on a page that is UTF-8", page(meta("utf-16"), Buffer.from(KOREAN)), undefined, "utf-8", KOREAN],
  ["a header of utf-16 on a page that is UTF-8", page("", Buffer.from("é")), "text/html; charset=utf-16", "utf-8", "é"],
];

it.each(CASES)("decoding a body handles %s", (_name, body, contentType, charset, text) => {
  const decoded = decodeBody(body, contentType);
  expect(decoded.charset).toBe(charset);
  expect(decoded.text).toContain(text);
  expect(decoded.text).not.toContain("\uFFFD");
  expect(decoded.text.startsWith("\uFEFF")).toBe(false);
});

it("a body stays UTF-8 if the end splits a character", () => {
  const cut = Buffer.from(KOREAN).subarray(0, -1);
  expect(decodeBody(cut, "text/html; charset=iso-8859-1").charset).toBe("utf-8");
});

it("a body stays UTF-8 if a byte in a long text is corrupt", () => {
  const damaged = Buffer.concat([Buffer.from(RUSSIAN), hex("ff"), Buffer.from(RUSSIAN)]);
  const decoded = decodeBody(damaged, "text/html; charset=utf-8");
  expect(decoded.charset).toBe("utf-8");
  expect(decoded.text).toBe(`${RUSSIAN}\uFFFD${RUSSIAN}`);
});

it("decoding a body reads the characters of windows-1252, not Latin-1 controls", () => {
  expect(decodeBody(hex("80829f"), undefined).text).toBe("€‚Ÿ");
});

it("decoding a body accepts an empty body and a view into a larger buffer", () => {
  expect(decodeBody(new Uint8Array(0), undefined)).toEqual({ text: "", charset: "utf-8" });
  const large = Buffer.concat([Buffer.from("xxxx"), page(meta("euc-kr"), EUC_KR), Buffer.from("xxxx")]);
  expect(decodeBody(large.subarray(4, -4), undefined).text).toContain(KOREAN);
});
