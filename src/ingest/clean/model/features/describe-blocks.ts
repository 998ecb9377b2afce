import { checkBudget } from "../../measure/cpu-budget.ts";
import { isHeadingTag } from "../measures.ts";
import { describeElements, describeHeading, describeNeighbours, describeRepetition } from "./around.ts";
import { type Add, getElement, type PageFacts } from "./facts.ts";
import { describeMainPart, findMainPart } from "./main-part.ts";
import { describePage } from "./page.ts";
import { describePlace, findPlaces } from "./place.ts";
import { describeText } from "./text.ts";

/**
 * Describes each block of a page by numbers: its text, its place, what repeats, what is around it, and the page. Yields one row for each
 * block, since all rows together may fill the memory of a thread; the columns are the same for all pages.
 */
export function* describeBlocks(facts: PageFacts): Generator<number[]> {
  const { outline } = facts;
  const places = findPlaces(facts);
  const mainPart = findMainPart(facts);
  const page: (readonly [string, number])[] = [];
  describePage((name, value) => page.push([name, value]), facts);
  let headingAt = -1;
  for (const [at, block] of outline.blocks.entries()) {
    if (isHeadingTag(getElement(outline, block).tag)) headingAt = at;
    const row: number[] = [];
    const add: Add = (_name, value) => row.push(value);
    checkBudget();
    describeText(add, block, facts);
    describePlace(add, at, facts, places);
    describeElements(add, block, facts);
    describeRepetition(add, at, facts);
    describeNeighbours(add, at, facts);
    describeHeading(add, at, headingAt, facts);
    describeMainPart(add, at, facts, mainPart);
    for (const [name, value] of page) add(name, value);
    yield row;
  }
}
