import type { Page } from "playwright-core";
import { longestTask } from "./content/many.ts";

/** Maximum repetitions of a measurement. Other work shares the machine, so the best result counts. */
const MAX_TRIES = 8;
/** The longest task of a page that scrolls smoothly, as a multiple of `REFERENCE_WORK` (100 ms if that takes 20 ms). */
export const MAX_TASK_RATIO = 5;
/** How much longer a board of thousands of tiles may take to open than one with a few. */
export const MAX_OPENING_RATIO = 2;

/**
 * A fixed amount of work in a page: create, lay out and remove 1,500 lines. Times as multiples of the time that it takes are
 * comparable between slow, busy and fast machines.
 */
const REFERENCE_WORK = `(() => {
  const took = [];
  for (let n = 0; n < 5; n++) {
    const from = performance.now();
    const box = document.createElement("div");
    box.style.cssText = "position: fixed; left: 0; top: 0; width: 300px; opacity: 0";
    for (let i = 0; i < 1500; i++) {
      const line = document.createElement("p");
      line.textContent = "Entry " + i + " of the log, which describes tides.";
      box.append(line);
    }
    document.body.append(box);
    void box.offsetHeight;
    box.remove();
    took.push(performance.now() - from);
  }
  return Math.min(...took);
})()`;

/** Measures the reference work in milliseconds. Its own tasks are not counted. */
export async function measureReference(page: Page): Promise<number> {
  const unit = await page.evaluate<number>(REFERENCE_WORK);
  // Long tasks are reported a moment after they end.
  await page.waitForTimeout(100);
  await longestTask(page);
  return unit;
}

export type RelativeTime = {
  readonly ratio: number;
  /** A description of the measurement, shown by failing tests. */ readonly description: string;
};

/** Opens the two boards alternately until their best times are close enough; `ratio` compares the best times. */
export async function compareOpenings(page: Page, largePath: string, smallPath: string): Promise<RelativeTime> {
  const large: number[] = [];
  const small: number[] = [];
  const open = async (path: string): Promise<number> => {
    await page.goto("about:blank");
    const from = performance.now();
    await page.goto(path, { waitUntil: "commit" });
    await page.getByRole("article").first().waitFor();
    return performance.now() - from;
  };
  const ratio = (): number => Math.min(...large) / Math.min(...small);
  do {
    small.push(await open(smallPath));
    large.push(await open(largePath));
  } while (large.length < MAX_TRIES && ratio() > MAX_OPENING_RATIO);
  const list = (times: readonly number[]): string => times.map(Math.round).join(", ");
  return { ratio: ratio(), description: `opened in ${list(large)} ms, a small board in ${list(small)} ms` };
}

/** Scrolls at the mouse position. `ratio` is the longest task as a multiple of the reference work, in the best of several tries. */
export async function measureScrolling(page: Page): Promise<RelativeTime> {
  const ratios: number[] = [];
  const description: string[] = [];
  do {
    await longestTask(page);
    for (let turns = 0; turns < 40; turns++) {
      await page.mouse.wheel(0, 800);
      await page.waitForTimeout(16);
    }
    const longest = await longestTask(page);
    const unit = await measureReference(page);
    ratios.push(longest / unit);
    description.push(`${Math.round(longest)} ms (the reference work took ${Math.round(unit)} ms)`);
  } while (ratios.length < MAX_TRIES && Math.min(...ratios) > MAX_TASK_RATIO);
  return { ratio: Math.min(...ratios), description: `longest tasks: ${description.join(", ")}` };
}
