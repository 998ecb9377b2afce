import type { Page } from "playwright-core";

/**
 * What the page's work is measured by: elements, which are the same on slow and fast machines. A list that renders all of its tiles, or
 * replaces all of them for one change, adds thousands at once.
 */
export type Rendering = {
  /** The most elements that were added at once, between two returns to the event loop. */ readonly largest: number;
  /** All elements that were added. */ readonly added: number;
};

/** The most elements that a page adds at once: twice what fills a screen. All cards of a board of 2,000 tiles have about 60,000. */
export const MAX_AT_ONCE = 1_000;

/** Runs before a page loads: counts the elements that are added to the document. */
export const WATCH_RENDERING = `(() => {
  const seen = (globalThis.__rendering = { largest: 0, added: 0 });
  const count = (node) => node instanceof Element ? 1 + node.querySelectorAll("*").length : 0;
  new MutationObserver((records) => {
    let added = 0;
    for (const { addedNodes } of records) for (const node of addedNodes) added += count(node);
    seen.largest = Math.max(seen.largest, added);
    seen.added += added;
  }).observe(document, { childList: true, subtree: true });
})()`;

/** What was rendered since the page was loaded or this was last called. */
export const readRendering = (page: Page): Promise<Rendering> =>
  page.evaluate<Rendering>(
    "(() => { const seen = { ...globalThis.__rendering }; Object.assign(globalThis.__rendering, { largest: 0, added: 0 }); return seen; })()",
  );

/** Opens a board, waits for its first tile and returns what was rendered by then. */
export async function renderBoard(page: Page, path: string): Promise<Rendering> {
  await page.goto("about:blank");
  await page.goto(path, { waitUntil: "commit" });
  await page.getByRole("article").first().waitFor();
  return readRendering(page);
}

/** Scrolls at the mouse position, and returns what was rendered meanwhile. */
export async function renderWhileScrolling(page: Page): Promise<Rendering> {
  await readRendering(page);
  for (let turns = 0; turns < 40; turns++) {
    await page.mouse.wheel(0, 800);
    await page.waitForTimeout(16);
  }
  return readRendering(page);
}
