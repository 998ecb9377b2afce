import { join } from "node:path";
import { expect, it } from "vitest";
import { expressionsUnder } from "./support/regular-expressions.ts";

/** Expressions that take more than linear time, with the reason why that is acceptable. */
const BOUNDED: Readonly<Record<string, string>> = {
  "sdk/src/transport/options.ts /\\/+$/": "the base address that a developer gives",
  "src/config/setting.ts /\\/+$/": "the operator's own setting",
  "src/domain/core/board.ts /-+$/": "cut to 60 characters before",
  "src/people/passwords.ts /=+$/": "base64 that was made here",
  "src/ingest/read/pdf/paragraphs.ts /(\\p{L}+(?:-\\p{L}+)*)[-‐]$/u": "the last 60 characters of a line",
  "src/ingest/read/office/excel/number-format.ts /\\[(?!h|m|s)[^\\]]*\\]/gi": "cut to 500 characters before",
  "src/retrieval/answer/count-tokens.ts /\\S{4000}|\\s{500}/g": "linear, though up to 4,000 steps at each place",
};

const SHORT = 2_000;
const LONG = 16_000;
/** The long text has 8 times the length: a linear expression takes 8 times as long, a quadratic one 64 times. */
const MAX_RATIO = 24;
/** Shorter times for the long text cannot be distinguished from noise. */
const MIN_LONG_MS = 12;
const MIN_SHORT_MS = 0.15;
/** An expression that takes longer counts as too slow. */
const MAX_MS = 4_000;

const COMMON = [
  " ",
  "a",
  "A",
  "0",
  "/",
  "-",
  ".",
  "<",
  ">",
  "\n",
  "=",
  "\t",
  "_",
  '"',
  "'",
  ",",
  "ab ",
  "a.",
  "\\",
  "(",
  "[",
  "&",
  ";",
  ":",
  "é",
];

/** Strings that may be slow when repeated: the letters and words of an expression, alone and combined. */
function getRepeatedPieces(source: string): readonly string[] {
  const words = [...source.matchAll(/[A-Za-z][A-Za-z0-9]*(?: [a-z]+)?/g)].map(([word]) => word).filter((word) => word.length > 1);
  const letters = [...new Set(source.replaceAll(/\\[a-zA-Z]/g, ""))].filter((letter) => letter.length === 1);
  const pairs = letters.slice(0, 12).flatMap((letter) => ["a", "0", " ", "/"].flatMap((other) => [letter + other, other + letter]));
  const phrases = words.slice(0, 6).flatMap((word) => ["a", " a ", "0", "-"].map((other) => word + other));
  return [
    ...new Set([...COMMON, ...letters, ...words.slice(0, 25), ...words.slice(0, 25).map((word) => `${word} `), ...pairs, ...phrases]),
  ];
}

/** The literal text that an expression starts with, without which it would never match. */
function getPrefixes(source: string): readonly string[] {
  const literal = /^\^?((?:\\?[/\-.:<!"'=@&#]|[A-Za-z0-9 ])+)/.exec(source)?.[1]?.replaceAll("\\", "") ?? "";
  return literal === "" ? [""] : ["", literal];
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** CPU time in milliseconds to find all matches. */
function measureMs(expression: RegExp, text: string): number {
  const start = cpuMs();
  if (expression.global) for (const _match of text.matchAll(expression));
  else expression.test(text);
  return cpuMs() - start;
}

/** A text for which the time of the expression grows faster than the text; null if none was found. */
function slowTextFor(source: string, flags: string): string | null {
  const expression = new RegExp(source, flags.replace("y", ""));
  const end = cpuMs() + MAX_MS;
  for (const start of getPrefixes(source))
    for (const piece of getRepeatedPieces(source))
      for (const last of ["", "\0!\n"]) {
        const createText = (length: number): string => start + piece.repeat(Math.ceil(length / piece.length)) + last;
        if (cpuMs() > end) return `anything, for more than ${MAX_MS} ms`;
        if (measureMs(expression, createText(SHORT)) < MIN_SHORT_MS) continue;
        // The minimum of several runs, because other programs use the same CPU caches.
        const [short, long] = [SHORT, LONG].map((length) => Math.min(...[1, 2, 3].map(() => measureMs(expression, createText(length)))));
        if ((long ?? 0) > MIN_LONG_MS && (long ?? 0) > MAX_RATIO * Math.max(short ?? 0, 0.01)) return JSON.stringify([start, piece, last]);
      }
  return null;
}

it("no regular expression takes more than linear time on external text", { timeout: 300_000 }, () => {
  const expressions = expressionsUnder(join(import.meta.dirname, "../.."), ["src", "sdk/src"]);
  expect(expressions.length).toBeGreaterThan(700);
  const known = new Map<string, string | null>();
  const slow: Record<string, string> = {};
  for (const { file, source, flags } of expressions) {
    const name = `/${source}/${flags}`;
    if (!known.has(name)) known.set(name, slowTextFor(source, flags));
    const text = known.get(name) ?? null;
    if (text !== null && BOUNDED[`${file} ${name}`] === undefined) slow[`${file} ${name}`] = text;
  }
  expect(slow).toEqual({});
});
