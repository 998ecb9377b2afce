import { expect, test, vi } from "vitest";
import { digestBytes, digestJson } from "../../src/http/request/body/body-digest.ts";
import { compactResponse, expandResponse, MAX_STORED_BYTES } from "../../src/http/request/stored-response.ts";

const TEXT = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(" ");
const NO_TEXTS = digestBytes("").texts;
const getTexts = (json: string) => digestJson(JSON.parse(json)).texts;

test("a response is stored without the texts of its request", () => {
  const { texts } = digestJson({ content: TEXT, tags: [{ note: `${TEXT}!` }] });
  const response = { tile: { rawContent: TEXT, extractedText: TEXT, note: `${TEXT}!`, title: "Ü", list: [1, null] } };
  const stored = compactResponse(response, texts);
  expect(stored.length).toBeLessThan(500);
  expect(expandResponse(stored, texts)).toBe(JSON.stringify(response));
  expect(response.tile.rawContent).toBe(TEXT);
});

test("texts that the request does not have are stored compressed", () => {
  const response = { tile: { extractedText: TEXT } };
  const stored = compactResponse(response, NO_TEXTS);
  expect(stored.length).toBeLessThan(TEXT.length / 2);
  expect(expandResponse(stored, NO_TEXTS)).toBe(JSON.stringify(response));
});

test("a short response is stored as it is", () => {
  expect(compactResponse({ zone: {} }, NO_TEXTS)).toBe('{"zone":{}}');
  expect(expandResponse('{"zone":{}}', NO_TEXTS)).toBe('{"zone":{}}');
});

test("a response that stays too large is not stored, and a repeated call says so", () => {
  const random = Array.from({ length: MAX_STORED_BYTES }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join("");
  const stored = compactResponse({ random }, NO_TEXTS);
  expect(stored).toBe("");
  expect(() => expandResponse(stored, NO_TEXTS)).toThrow(/succeeded, but its response is no longer stored/);
});

test("texts are neither serialised nor compressed where the database is written, if they are in the request or far too long", () => {
  const stringify = vi.spyOn(JSON, "stringify");
  const parse = vi.spyOn(JSON, "parse");
  try {
    compactResponse({ tile: { rawContent: TEXT, extractedText: TEXT } }, new Map([[TEXT, ["content"]]]));
    expect(compactResponse({ tile: { extractedText: "a".repeat(2_000_000) } }, NO_TEXTS)).toBe("");
    expect(parse).not.toHaveBeenCalled();
    for (const { value } of stringify.mock.results) expect(String(value).length).toBeLessThan(500);
  } finally {
    vi.restoreAllMocks();
  }
});

test("texts are left out at a small depth only", () => {
  const nest = (depth: number): string => `${"[".repeat(depth)}${JSON.stringify(TEXT)}${"]".repeat(depth)}`;
  const store = (depth: number): string => compactResponse(JSON.parse(nest(depth)), getTexts(nest(depth)));
  expect(store(16).length).toBeLessThan(500);
  expect(store(17).length).toBeGreaterThan(10_000);
  expect(expandResponse(store(17), getTexts(nest(17)))).toBe(nest(17));
});
