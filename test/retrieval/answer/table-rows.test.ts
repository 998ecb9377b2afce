import { expect, it } from "vitest";
import { formatTableRows } from "#retrieval/answer/quote/table-rows.ts";
import { answerExtractively } from "#retrieval/answer/extractive.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { fakeBoard } from "../fake-search.ts";

const TABLE =
  "Opening hours\n\n| Day | Hours |\n| --- | --- |\n| Monday | 9–17 |\n| Sunday |  |\n| Feast \\| fast | closed |\n\nCall first.";
const rowAt = (row: string) => formatTableRows(row, TABLE, TABLE.indexOf(row));

it("rows of tables in an answer are written with the header of their table", () => {
  expect(rowAt("| Monday | 9–17 |")).toBe("Day: Monday · Hours: 9–17");
  expect(rowAt("| Sunday |  |\n| Feast \\| fast | closed |")).toBe("Day: Sunday\nDay: Feast | fast · Hours: closed");
  expect(formatTableRows(TABLE)).toBe(
    "Opening hours\n\nDay: Monday · Hours: 9–17\nDay: Sunday\nDay: Feast | fast · Hours: closed\n\nCall first.",
  );
});

it("rows of tables in an answer are written without a header if there is none, and a header alone as its words", () => {
  expect(formatTableRows("| Monday | 9–17 |")).toBe("Monday · 9–17");
  expect(formatTableRows("| Monday | 9–17 |", "A line.\n| Monday | 9–17 |", 8)).toBe("Monday · 9–17");
  expect(rowAt("| Day | Hours |")).toBe("Day · Hours");
  expect(rowAt("| Day | Hours |\n| --- | --- |")).toBe("Day · Hours");
  expect(formatTableRows("9–17 |\n| Tuesday | 8")).toBe("9–17\nTuesday · 8");
});

it("writing rows of tables leaves other text unchanged", () => {
  for (const text of ["", "Plain words.", "a | b in a pipe", "x || y", "---", "# A | B\ntext"]) expect(formatTableRows(text)).toBe(text);
});

it("writing rows of tables takes linear time", () => {
  const long = `${"| a | b |\n".repeat(20_000)}`;
  expect(formatTableRows(long).split("\n")).toHaveLength(20_000);
  for (const line of ["|".repeat(200_000), `${"- ".repeat(100_000)}|`, "a|".repeat(100_000)]) expect(formatTableRows(line)).toBe(line);
  expect(formatTableRows("| b |", `${"a|".repeat(500_000)}\n| b |`, 1_000_001)).toBe("b");
  for (const line of ["|".repeat(4_000), `${"- ".repeat(1_990)}|`, `${" ".repeat(3_900)}|a`]) formatTableRows(`${line}\n`.repeat(50));
});

it("an answer that quotes a row is readable, and its quotes are verbatim", async () => {
  const text = `Notes of the library, which is open all year round for everybody who lives here.\n\n${TABLE.replace(
    "| Monday | 9–17 |",
    Array.from({ length: 30 }, (_, i) => `| Reading room ${i} of the east wing | Shelf ${i} and the oak desk |`).join("\n"),
  )}`;
  const deps = fakeBoard([{ id: "t", title: "Library", text }]);
  const question = "Which shelf has reading room 17?";
  const found = await retrieve(deps, "b", "c", question, { limit: 24 });
  const { answer, answered, citations } = answerExtractively(question, found, { connected: true });
  expect(answered).toBe(true);
  expect(answer).not.toContain("|");
  expect(answer).toContain("Day: Reading room 17 of the east wing · Hours: Shelf 17 and the oak desk");
  for (const { quote, start, end } of citations) expect(text.slice(start, end)).toBe(quote);
  expect(citations[0]?.quote).toContain("| Reading room 17 of the east wing |");
});
