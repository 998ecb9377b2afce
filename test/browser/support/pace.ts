import type { Page } from "playwright-core";
import { longestTask } from "./content/many.ts";

/** How often a measurement is repeated at most. Other work shares the machine, so the best of them is what the page itself takes. */
const MAX_TRIES = 8;
/** The longest task of a page that scrolls smoothly, in units of `YARDSTICK` (100 ms, where that takes 20 ms). */
export const MAX_TASK = 5;
/** How much longer a board of thousands of tiles may take to open than one with a few. */
export const MAX_OPENING = 2;

/**
 * Milliseconds that the page's machine takes now for a fixed piece of a page's work: to make, lay out and remove 1,500 lines. What is told
 * in this unit is the same on a slow or busy machine.
 */
const YARDSTICK = `(() => {
  const took = [];
  for (let n = 0; n < 5; n++) {
    const from = performance.now();
    const box = document.createElement("div");
    box.style.cssText = "position: fixed; left: 0; top: 0; width: 300px; opacity: 0";
    for (let i = 0; i < 1500; i++) {
      const line = document.createElement("p");
      line.textContent = "Entry " + i + " of the log, which tells of tides.";
      box.append(line);
    }
    document.body.append(box);
    void box.offsetHeight;
    box.remove();
    took.push(performance.now() - from);
  }
  return Math.min(...took);
})()`;

/** Takes the yardstick: how many milliseconds one unit is now. Its own tasks are not counted. */
export async function measureUnit(page: Page): Promise<number> {
  const unit = await page.evaluate<number>(YARDSTICK);
  // Long tasks are told a moment after they have ended.
  await page.waitForTimeout(100);
  await longestTask(page);
  return unit;
}

export type Pace = { readonly ratio: number; /** What was measured, to be shown by a test that fails. */ readonly told: string };

/** Opens the two boards in turn, until their best times are as near as they must be; `ratio` is that of the best times. */
export async function compareOpenings(page: Page, largePath: string, smallPath: string): Promise<Pace> {
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
  } while (large.length < MAX_TRIES && ratio() > MAX_OPENING);
  const list = (times: readonly number[]): string => times.map(Math.round).join(", ");
  return { ratio: ratio(), told: `opened in ${list(large)} ms, a small board in ${list(small)} ms` };
}

/** Scrolls where the mouse is. `ratio` is the longest task in units of a yardstick measured beside it, in the best of several tries. */
export async function measureScrolling(page: Page): Promise<Pace> {
  const ratios: number[] = [];
  const told: string[] = [];
  do {
    await longestTask(page);
    for (let turns = 0; turns < 40; turns++) {
      await page.mouse.wheel(0, 800);
      await page.waitForTimeout(16);
    }
    const longest = await longestTask(page);
    const unit = await measureUnit(page);
    ratios.push(longest / unit);
    told.push(`${Math.round(longest)} ms (a yardstick of ${Math.round(unit)} ms)`);
  } while (ratios.length < MAX_TRIES && Math.min(...ratios) > MAX_TASK);
  return { ratio: Math.min(...ratios), told: `longest tasks: ${told.join(", ")}` };
}
