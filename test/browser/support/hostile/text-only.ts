import { expect } from "vitest";
import type { Visitor } from "../visitor.ts";

/** A script that runs before a page loads and records calls of `x`, which payloads make. */
export const DETECT_SCRIPTS = "globalThis.__ran = 0; globalThis.x = () => { globalThis.__ran++; }; globalThis.alert = globalThis.x;";

/** Fails if a payload ran, navigated, or created an element. */
export async function expectTextOnly(visitor: Visitor, where: string): Promise<void> {
  const { page } = visitor;
  expect(await page.evaluate("globalThis.__ran"), where).toBe(0);
  const elements = await page.evaluate(
    `[...document.querySelectorAll('script:not([src^="/assets/"]), iframe, object, embed, base, math, style, [onerror], [onload], [onclick], [srcdoc], img[src*="evil.test"], a[href^="javascript:"], a[href^="data:"], form[action]')].map((e) => e.outerHTML)`,
  );
  expect(elements, where).toEqual([]);
  visitor.expectClean();
}
