import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAccessible } from "./support/axe.ts";
import { fill, press } from "./support/input/forms.ts";
import { fillHarbour, startFaro } from "./support/content/harbour.ts";
import type { Session } from "./support/install.ts";
import { SETTINGS } from "./support/pages.ts";
import { type BrowserFixture, startBrowserFixture } from "./support/browser-fixture.ts";
import { SCREENS, type Visitor, settle } from "./support/visitor.ts";
import { typeInto } from "./support/input/typing.ts";

const SHOWN = ["desktop", "phone"] as const;

let fixture: BrowserFixture;
let faro: Awaited<ReturnType<typeof startFaro>>;
let owner: Session;
let boardId: string;

beforeAll(async () => {
  faro = await startFaro();
  fixture = await startBrowserFixture(faro.environment);
});
afterAll(async () => {
  await fixture?.stop();
  await faro?.close();
});

/** Checks what the page shows in both themes. */
async function check({ page }: Visitor, what: string): Promise<void> {
  await expectAccessible(page, `${what} in light`);
  await page.emulateMedia({ colorScheme: "dark" });
  await settle(page);
  await expectAccessible(page, `${what} in dark`, true);
  await page.emulateMedia({ colorScheme: "light" });
  await settle(page);
}

/** Opens the menu of the button with this name, and chooses an entry. */
async function choose(page: Page, name: string, item: string): Promise<void> {
  await press(page, name);
  await page.getByRole("menuitem", { name: item }).first().click();
}

async function checkLogInAndSetUp(visitor: Visitor): Promise<void> {
  const { page, open } = visitor;
  await open("/login");
  await check(visitor, "/login");
  await press(page, "Log in");
  await expect.poll(() => page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  await check(visitor, "/login refused");
  await open("/claim#tsc_nothing");
  await fill(page, { "E-mail": "nobody", Password: "short" });
  await press(page, "Create account");
  await check(visitor, "/claim");
  await open("/join#tsi_nothing");
  await page.getByRole("heading", { name: "This link does not work" }).waitFor();
  await check(visitor, "/join");
}

async function checkBoard(visitor: Visitor): Promise<void> {
  owner ??= await fixture.install.claim();
  boardId ??= await fillHarbour(fixture.install, owner);
  await visitor.logIn(owner);
  const { page, open } = visitor;
  await open(`/b/${boardId}`);
  const card = page.getByRole("article").filter({ hasText: "How the lens was made" });
  await card.waitFor();
  await check(visitor, "board");
  await card.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menu").waitFor();
  await check(visitor, "tile menu");
  await page.keyboard.press("Escape");
  await card.getByRole("button", { name: "How the lens was made", exact: true }).click();
  await page.getByText("carried up in eleven pieces").waitFor();
  await check(visitor, "reader");
}

async function checkAskPanel(visitor: Visitor): Promise<void> {
  const { page, open } = visitor;
  await open(`/b/${boardId}`);
  await page.getByRole("article").first().waitFor();
  await page.getByRole("button", { name: "Ask", exact: true }).first().click();
  const box = page.getByLabel("Your question", { exact: true });
  await typeInto(box, "When does the museum open?");
  await box.press("Enter");
  await page.getByText("Tiles used").waitFor();
  await check(visitor, "ask");
}

async function checkGenerateTab(visitor: Visitor): Promise<void> {
  const { page, open } = visitor;
  await open(`/b/${boardId}`);
  await page.getByRole("banner").getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("tab", { name: "Generate" }).click();
  await page.getByText("More options").click();
  await check(visitor, "make");
  await page.getByRole("button", { name: /^Generate / }).click();
  await page.getByRole("region", { name: "Result", exact: true }).waitFor();
  await check(visitor, "piece");
}

async function checkDialogs(visitor: Visitor): Promise<void> {
  const { page, open } = visitor;
  await open(`/b/${boardId}`);
  const failed = page.getByRole("button", { name: "Paste text instead" });
  await failed.first().waitFor();
  const opens: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["zone menu", () => press(page, "Actions for zone Research")],
    ["colours", () => choose(page, "Actions for zone Research", "Colour")],
    ["emoji", () => choose(page, "Actions for zone Research", "Emoji…")],
    ["move", () => choose(page, "Actions for How the lens was made", "Move to…")],
    ["text by hand", () => failed.first().click()],
    ["boards", () => page.getByRole("button", { name: /^Board: / }).click()],
    ["account", () => page.getByRole("button", { name: /^Account/ }).click()],
  ];
  for (const [what, show] of opens) {
    await show();
    await page.locator("[role=menu], [role=dialog]").first().waitFor();
    await check(visitor, what);
    while ((await page.locator("[role=menu], [role=dialog]").count()) > 0) {
      await page.keyboard.press("Escape");
      await settle(page);
    }
  }
  await choose(page, "Actions for zone Research", "Rename");
  await page.getByRole("textbox", { name: "Name of Research" }).waitFor();
  await check(visitor, "zone's name");
  await page.keyboard.press("Escape");
  await choose(page, "Actions for How the lens was made", "Select");
  await page.getByRole("toolbar", { name: "Selected tiles" }).waitFor();
  await check(visitor, "selection");
}

async function checkPalette(visitor: Visitor): Promise<void> {
  const { page, open } = visitor;
  await open(`/b/${boardId}`);
  await page.getByRole("article").first().waitFor();
  await page.keyboard.press("Control+K");
  await page.getByRole("dialog").waitFor();
  await check(visitor, "palette");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await check(visitor, "shortcuts");
}

/** Runs axe before and after first-run set-up, because axe checks every page. */
describe.each(SHOWN)("on a %s", { timeout: 180_000 }, (screen) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await fixture.visit({ ...SCREENS[screen], colorScheme: "light" });
  });
  afterAll(async () => {
    visitor?.expectClean();
    await visitor?.close();
  });

  it("login and first-run set-up are accessible, with error messages", () => checkLogInAndSetUp(visitor));
  it("a board, its tiles and their menus are accessible", () => checkBoard(visitor));
  it("the Ask panel with an answer is accessible", () => checkAskPanel(visitor));
  it("the Generate tab is accessible", () => checkGenerateTab(visitor));
  it("all menus and dialogs of a board are accessible", () => checkDialogs(visitor));
  it("the palette and the keyboard shortcuts are accessible", () => checkPalette(visitor));

  it.each(SETTINGS)("the settings page %s is accessible", async (path) => {
    await visitor.open(path);
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
    await settle(visitor.page);
    await check(visitor, path);
  });
});
