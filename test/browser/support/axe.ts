import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Base UI's guards around a popup: whatever comes to them by Tab is sent on at once, so nobody rests on something hidden. */
const FOCUS_GUARD = "[data-base-ui-focus-guard]";
/** Off by default, as it reads icons as words, too; names that leave out what stands on a button are found by it. */
const MORE_RULES = { "label-content-name-mismatch": { enabled: true } };

/** What of a page a theme changes; all else is the same in each. */
const OF_A_THEME = { runOnly: ["color-contrast", "link-in-text-block"] };

/** Fails with what axe finds on the page as it stands: rule, place and what to do. `isOtherTheme`: the same page was looked at in another theme. */
export async function expectAccessible(page: Page, where: string, isOtherTheme = false): Promise<void> {
  const options = isOtherTheme ? OF_A_THEME : { rules: MORE_RULES };
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options(options).exclude(FOCUS_GUARD).analyze();
  const told = violations.flatMap(({ id, nodes }) =>
    nodes
      // A menu floats above the landmarks and is left as soon as it is closed.
      .filter(({ html }) => id !== "region" || !html.includes('role="menu"'))
      .map((node) => `${where}: ${id}: ${node.target.join(" ")}\n  ${node.html}\n  ${node.failureSummary ?? ""}`),
  );
  expect(told.join("\n")).toBe("");
}
