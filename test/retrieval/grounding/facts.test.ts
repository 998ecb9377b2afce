import { expect, it } from "vitest";
import { agreesWithQuotes } from "#retrieval/grounding/facts/facts.ts";
import { type FactPair, RIGHT, WRONG } from "./fact-pairs.ts";

const agrees = ({ quote, sentence, title = "", question = "", tile = quote }: FactPair): boolean =>
  agreesWithQuotes(sentence, { quotes: quote, repeatable: `${title}\n${question}`, tiles: tile, question });

it("sentences with facts that their quotes do not have are found, and no others", () => {
  const missed = WRONG.filter(agrees);
  const alarms = RIGHT.filter((pair) => !agrees(pair));
  const found = WRONG.length - missed.length;
  const precision = found / (found + alarms.length);
  const recall = found / WRONG.length;
  process.stdout.write(
    `${RIGHT.length} right and ${WRONG.length} wrong sentences: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}\n`,
  );
  expect(missed.map(({ sentence }) => sentence)).toEqual([]);
  expect(alarms.map(({ sentence }) => sentence)).toEqual([]);
});
