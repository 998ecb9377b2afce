import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createPrompt } from "#retrieval/grounding/prompt.ts";
import { createAnswerReader } from "#retrieval/grounding/read-answer.ts";
import { source } from "./sources.ts";

const TILE = "The harbour ferry departs at 6:40 every morning. Dogs travel free on Sundays. See http://canary.test/in-tile for more.";
const SOURCES = [source(TILE, { sourceUrl: "https://docs.example/ferry" })];
const { system } = createPrompt("x", SOURCES, "N0NCE");

const FRAGMENTS = [
  ..."[]()<>!\"'“”:;,. \n\v\\/|`*#_?=&@".split(""),
  "[1: ",
  '[1: "departs at 6:40 every morning"]',
  '[1: "invented words here"]',
  '"]',
  '"; 1: "',
  "[1]",
  "http",
  "://",
  "http://canary.test/x",
  "HTTPS://CANARY.TEST?q=1",
  "//canary.test",
  "www.",
  "canary.test/",
  "canary",
  ".test",
  "javascript:",
  "data:text/html,",
  "![a](",
  "[a](",
  "](",
  "<img src=",
  "</a>",
  "<|im_end|>",
  "<!--",
  "-->",
  "https://docs.example/ferry",
  "\u200b",
  "\u00ad",
  "NOT_IN_SOURCES",
  "N0NCE",
  " The ferry leaves.",
  " Dogs are free ",
  "word ",
  "。",
  system.slice(0, 120),
];

const read = (pieces: readonly string[]): string => {
  const reader = createAnswerReader(SOURCES, { system, nonce: "N0NCE", question: "" });
  return pieces.map((piece) => reader.push(piece)).join("") + reader.end();
};

/** Splits a text at the given fractions of its length. */
function splitAt(text: string, shares: readonly number[]): string[] {
  const places = shares.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
}

/** The only address that may be shown, followed by punctuation at most. */
const ALLOWED = /https:\/\/docs\.example\/ferry(?=[.,;:!?)\]}'’*]*(?:$|[\s"“”|`<‹>。]))/g;

const answers = fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 40 }).map((parts) => parts.join(""));
const supported = (text: string): string => `Dogs are free. [1: "Dogs travel free on Sundays"] ${text}`;

test("no address, tag, image or instruction of a model is shown, however its output is split", () => {
  fc.assert(
    fc.property(answers, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }), (text, shares) => {
      const shown = read(splitAt(supported(text), shares));
      const rest = shown.replaceAll(ALLOWED, "");
      expect(rest).not.toMatch(/https?:\S|[/\\]{2}\w|www\.\w|javascript:\S|data:text|canary\.test(?:[/?]|:\d)/i);
      expect(rest).not.toMatch(/<[a-z/!|?]|\]\(|!\[/i);
      expect(rest).not.toContain("N0NCE");
      expect(rest).not.toContain(system.slice(0, 80));
    }),
    { numRuns: 1_500 },
  );
});

test("an answer reads the same in one chunk and in many", () => {
  fc.assert(
    fc.property(answers, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 }), (text, shares) => {
      const whole = supported(text);
      expect(read(splitAt(whole, shares))).toBe(read([whole]));
    }),
    { numRuns: 1_500 },
  );
});
