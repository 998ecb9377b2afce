import { expect } from "vitest";
import type { Visitor } from "../visitor.ts";

/** Runs before a page loads: records calls of `x`, which must never happen. */
export const TRAP = "globalThis.__ran = 0; globalThis.x = () => { globalThis.__ran++; }; globalThis.alert = globalThis.x;";

/** Fails if a payload ran, navigated, or created an element. */
export async function expectWordsOnly(visitor: Visitor, where: string): Promise<void> {
  const { page } = visitor;
  expect(await page.evaluate("globalThis.__ran"), where).toBe(0);
  const built = await page.evaluate(
    `[...document.querySelectorAll('script:not([src^="/assets/"]), iframe, object, embed, base, math, style, [onerror], [onload], [onclick], [srcdoc], img[src*="evil.test"], a[href^="javascript:"], a[href^="data:"], form[action]')].map((e) => e.outerHTML)`,
  );
  expect(built, where).toEqual([]);
  visitor.expectClean();
}
