import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Base UI's focus guards around a popup pass the focus on immediately, so nobody stays on a hidden element. */
const FOCUS_GUARD = "[data-base-ui-focus-guard]";
/** Off by default because it treats icons as text; it finds names that omit the visible label. */
const MORE_RULES = { "label-content-name-mismatch": { enabled: true } };

/** The rules whose result depends on the theme. */
const OF_A_THEME = { runOnly: ["color-contrast", "link-in-text-block"] };

/** Fails with the problems that axe finds: rule, element and fix. `isOtherTheme`: the same page was checked in another theme. */
export async function expectAccessible(page: Page, where: string, isOtherTheme = false): Promise<void> {
  const options = isOtherTheme ? OF_A_THEME : { rules: MORE_RULES };
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options(options).exclude(FOCUS_GUARD).analyze();
  const told = violations.flatMap(({ id, nodes }) =>
    nodes
      // A menu is above the landmarks and is left as soon as it closes.
      .filter(({ html }) => id !== "region" || !html.includes('role="menu"'))
      .map((node) => `${where}: ${id}: ${node.target.join(" ")}\n  ${node.html}\n  ${node.failureSummary ?? ""}`),
  );
  expect(told.join("\n")).toBe("");
}
