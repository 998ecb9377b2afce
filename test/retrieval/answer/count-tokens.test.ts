import * as fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { loadTokenCounter } from "#retrieval/answer/count-tokens.ts";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { HOSTILE, LANGUAGES, PROSE } from "../samples.ts";

const countWithTiktoken = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

it("the token counter matches o200k_base and treats special tokens as text", async () => {
  const count = await loadTokenCounter();
  expect(count("")).toBe(0);
  expect(count("hello world")).toBe(2);
  expect(count("<|endoftext|>")).toBeGreaterThan(1);
  expect(count(" <|endoftext|> and ")).toBe(countWithTiktoken(" <|endoftext|> and "));
});

it.each([...Object.entries(LANGUAGES), ["prose", PROSE]])(
  "the token counter counts text in %s exactly, repeatedly",
  async (_name, text) => {
    const count = await loadTokenCounter();
    const whole = String(text);
    for (let at = 0; at < 40; at++) expect(count(whole.slice(at))).toBe(countWithTiktoken(whole.slice(at)));
  },
);

it("the token counter counts any text around blanks exactly", async () => {
  const count = await loadTokenCounter();
  const piece = fc.oneof(
    fc.constantFrom(
      " ",
      " ",
      "  ",
      "\n",
      " \n ",
      "\t",
      "\u00a0",
      "\u0085",
      "\u3000",
      "\u2028",
      "\ufeff",
      "\u1680",
      "\r\n",
      "/",
      "//",
      "'s",
      "'LL",
    ),
    fc.constantFrom(
      "a",
      "the",
      "Ünder",
      "ÉTÉ",
      "1",
      "12345",
      ".",
      "...",
      "!?/",
      "_",
      "漢字",
      "한국",
      "ไทย",
      "и",
      "😀",
      "e\u0301",
      "ǅ",
      "×",
      "ʼn",
      "<|endoftext|>",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      expect(count(text)).toBe(countWithTiktoken(text));
    }),
    { numRuns: 3_000 },
  );
});

it.each(["a", " ", "\n", "漢", "\0", "😀", "\ud800", "a ", " a", "ab\u3000 "])(
  "the token counter counts 200,000 times %j in reasonable time",
  async (piece) => {
    const count = await loadTokenCounter();
    expect(measureCpuMs(() => expect(count(piece.repeat(200_000))).toBeGreaterThan(0))).toBeLessThan(10_000);
  },
);

it.each(Object.entries(HOSTILE))("the token counter accepts %s", async (_name, text) => {
  const count = await loadTokenCounter();
  expect(count(String(text))).toBeGreaterThanOrEqual(0);
});
