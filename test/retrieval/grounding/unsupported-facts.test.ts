import { expect, test } from "vitest";
import { createAnswerReader } from "#retrieval/grounding/read-answer.ts";
import { source, splitInManyWays } from "./sources.ts";

const CODES = source("The access code of the boathouse is 4711. It was changed on 12 May 2024 by Ada Lovelace.", {
  title: "Codes of 2024",
});
const PRICES = source("## Prices\n\n| Year | 2023 | 2024 |\n| --- | --- | --- |\n| Adults | 8 | 9 |\n| Children | 4 | 5 |", {
  tileId: "til_2",
});

function read(pieces: readonly string[], question = "") {
  const reader = createAnswerReader([CODES, PRICES], { system: "", nonce: "N0NCE", question });
  const text = pieces.map((piece) => reader.push(piece)).join("") + reader.end();
  return { text, citations: reader.result.citations.length };
}

test("a sentence with another figure than its quote is no answer", () => {
  expect(read(['The code is 9999. [1: "access code of the boathouse is 4711"]'])).toEqual({ text: "", citations: 0 });
  expect(read(['The code is 4711. [1: "access code of the boathouse"]'])).toEqual({ text: "The code is 4711. [1]", citations: 1 });
});

test("among other sentences it is marked, however the answer is cut into pieces", () => {
  const answer =
    'The code is 4711. [1: "code of the boathouse is 4711"] It was changed on 13 May 2024. [1: "changed on 12 May 2024"] Grace Hopper changed it. [1: "changed on 12 May 2024"] It is from 2024. [1: "code of the boathouse is 4711"]';
  const shown =
    "The code is 4711. [1] It was changed on 13 May 2024. [2] [unsupported] Grace Hopper changed it. [2] [unsupported] It is from 2024. [1]";
  for (const pieces of splitInManyWays(answer)) expect(read(pieces).text).toBe(shown);
});

test("the question's figures may be repeated, and the head of a quoted table counts", () => {
  const sentence = 'The code for berth 17 is 4711. [1: "code of the boathouse is 4711"]';
  expect(read([sentence]).text).toBe("");
  expect(read([sentence], "What is the code for berth 17?").text).toBe("The code for berth 17 is 4711. [1]");
  expect(read(['Adults paid 8 in 2023. [2: "| Adults | 8 | 9 |"]']).text).toBe("Adults paid 8 in 2023. [1]");
  expect(read(['Adults paid 8 in 2022. [2: "| Adults | 8 | 9 |"]']).text).toBe("");
  expect(read(['Two adults paid 16 in 2023. [2: "| Adults | 8 | 9 |"]']).text).toBe("");
});
