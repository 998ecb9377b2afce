import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

const WEATHER = ["log of Monday", "log of Sunday", "log of Tuesday"];

let fixture: BrowserFixture;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  const { install } = fixture;
  const owner = await install.claim();
  const boardId = await install.defaultBoard(owner);
  await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
  const { zone } = await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Weather" });
  await install.call(owner, "POST", `/api/board/${boardId}/tiles`, { title: "log of Sunday", content: "Calm.", zone_id: zone.id });
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("region", { name: "Harbour" }).waitFor();
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

const titlesIn = (zone: string): Promise<string[]> =>
  page.getByRole("region", { name: zone, exact: true }).getByRole("article").getByRole("button", { name: /^log/ }).allTextContents();
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
/** The accessible name of the focused element. */
const focused = (): Promise<string> =>
  page.evaluate<string>(
    `document.activeElement.closest("article")?.querySelector("[data-title]").textContent ?? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`,
  );

it("the keyboard adds tiles, navigates and moves one", async () => {
  await press("n");
  await expect.poll(focused).toBe("Add to Harbour");
  for (const words of ["log of Monday", "log of Tuesday"]) {
    await page.keyboard.type(words);
    await press("Enter");
    await page.getByRole("article").filter({ hasText: words }).waitFor();
  }
  await expect.poll(() => titlesIn("Harbour")).toEqual(["log of Tuesday", "log of Monday"]);
  await press("Escape", "ArrowDown");
  await expect.poll(focused).toMatch(/^log/);
  // A second request moves the newest tile to the top, so the order may change once more.
  await expect
    .poll(async () => {
      await press("Home");
      return focused();
    })
    .toBe("log of Tuesday");
  await press("ArrowDown");
  await expect.poll(focused).toBe("log of Monday");
  await press("m");
  await page.getByRole("dialog").waitFor();
  for (let tabs = 0; tabs < 12 && (await focused()) !== "Weather"; tabs++) await press("Tab");
  await press("Enter");
  await expect.poll(() => titlesIn("Weather")).toEqual(["log of Monday", "log of Sunday"]);
  await expect.poll(() => titlesIn("Harbour")).toEqual(["log of Tuesday"]);
  // A dialog returns the focus one frame after it closes; then the focus follows the moved tile.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(focused).toBe("log of Monday");
});

it("a tile is dragged by its handle with the keyboard, and Escape cancels", async () => {
  const lift = async (): Promise<void> => {
    await page.getByRole("button", { name: "Move log of Tuesday", exact: true }).press("Space");
    await page.getByText("log of Tuesday picked up.").waitFor({ state: "attached" });
  };
  await lift();
  await press("ArrowRight", "Escape");
  await page.getByText("log of Tuesday was not moved.").waitFor({ state: "attached" });
  expect(await titlesIn("Weather")).toEqual(["log of Monday", "log of Sunday"]);
  await lift();
  await press("ArrowRight", "Space");
  await expect.poll(async () => (await titlesIn("Weather")).toSorted()).toEqual(WEATHER);
  expect(await titlesIn("Harbour")).toEqual([]);
});

it("the page explains why tiles cannot be placed while the board is sorted, and offers manual order", async () => {
  await page.getByLabel("Order", { exact: true }).selectOption("title");
  await expect.poll(() => titlesIn("Weather")).toEqual(WEATHER);
  const note = page.getByText("The board is sorted by title, so tiles cannot be placed manually.", { exact: true });
  const lift = async (): Promise<void> => {
    await page.getByRole("button", { name: "Move log of Monday", exact: true }).press("Space");
    await page.getByText("Its position within a zone cannot be changed while the board is sorted.").waitFor({ state: "attached" });
  };
  await lift();
  await press("ArrowDown");
  await note.waitFor();
  await page.getByRole("button", { name: "Dismiss" }).last().click();
  await note.waitFor({ state: "detached" });
  // Dropping at the same position is announced, but is not a move.
  await lift();
  await press("Space");
  await note.waitFor();
  await page.getByText("log of Monday was not moved.").waitFor({ state: "attached" });
  expect(await titlesIn("Weather")).toEqual(WEATHER);
  // Other zones can still be chosen, and the sorting is announced.
  await lift();
  await press("ArrowLeft");
  await page.getByText("In Harbour, sorted by title.").waitFor({ state: "attached" });
  await press("Space");
  await expect.poll(() => titlesIn("Harbour")).toEqual(["log of Monday"]);
  await press("Control+z");
  await expect.poll(() => titlesIn("Weather")).toEqual(WEATHER);
  await lift();
  await press("ArrowUp", "ArrowUp", "Escape");
  expect(await note.count()).toBe(1);
  await page.getByRole("button", { name: "Use manual order" }).click();
  await expect.poll(() => page.getByLabel("Order", { exact: true }).inputValue()).toBe("manual");
});

it("several tiles are selected and deleted with the keyboard, and the deletion is undone", async () => {
  await page.getByRole("article").first().getByRole("button", { name: /^log/ }).focus();
  await press("x", "ArrowDown", "x", "Delete");
  await expect.poll(() => titlesIn("Weather")).toHaveLength(1);
  await press("Control+z");
  await expect.poll(async () => (await titlesIn("Weather")).toSorted()).toEqual(WEATHER);
});

it("the selection is deleted while no card has the focus", async () => {
  await page.getByRole("article").first().getByRole("button", { name: /^log/ }).focus();
  await press("x", "ArrowDown", "x");
  await page.evaluate("document.activeElement.blur()");
  expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  await press("Delete");
  await expect.poll(() => titlesIn("Weather")).toHaveLength(1);
  await press("Control+z");
  await expect.poll(async () => (await titlesIn("Weather")).toSorted()).toEqual(WEATHER);
});

it("a deletion that the server has not received yet is undone", async () => {
  const held = Promise.withResolvers<void>();
  await page.route(/\/tiles\/bulk$/, async (route) => {
    if (route.request().postDataJSON().action.delete === true) await held.promise;
    await route.continue();
  });
  await page.getByRole("article").first().getByRole("button", { name: /^log/ }).focus();
  await press("x", "ArrowDown", "x", "Delete");
  await expect.poll(() => titlesIn("Weather")).toHaveLength(1);
  await press("Control+z");
  held.resolve();
  await expect.poll(async () => (await titlesIn("Weather")).toSorted()).toEqual(WEATHER);
  await page.unroute(/\/tiles\/bulk$/);
  // Everybody sees them on the board.
  await page.reload();
  await expect.poll(async () => (await titlesIn("Weather")).toSorted()).toEqual(WEATHER);
});

it("the keyboard opens a tile, and the focus returns to it", async () => {
  const title = page.getByRole("article").first().getByRole("button", { name: /^log/ });
  const name = (await title.textContent()) ?? "";
  await title.focus();
  await press("Enter");
  await page.getByRole("dialog", { name }).waitFor();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(focused).toBe(name);
});

it("the palette finds a tile", async () => {
  await press("Control+k");
  const search = page.getByLabel("Search tiles, boards and actions", { exact: true });
  await search.waitFor();
  await page.keyboard.type("Monday");
  await page.getByRole("option", { name: /log of Monday/ }).waitFor();
  while ((await page.getByRole("option", { selected: true }).textContent())?.includes("log of Monday") !== true) await press("ArrowDown");
  await press("Enter");
  await page.getByRole("dialog", { name: "log of Monday" }).waitFor();
});

it("the last action is undone while an empty field has the focus", async () => {
  await visitor.open(new URL(page.url()).pathname);
  await page.getByRole("article").first().getByRole("button", { name: /^log/ }).focus();
  await press("Delete");
  await expect.poll(() => titlesIn("Weather")).toHaveLength(2);
  const box = page.getByLabel("Add to Weather", { exact: true });
  await typeInto(box, "not to be lost");
  await press("Control+z");
  expect(await titlesIn("Weather")).toHaveLength(2);
  await typeInto(box, "");
  await press("Control+z");
  await expect.poll(async () => (await titlesIn("Weather")).toSorted()).toEqual(WEATHER);
});

it("keys typed while the palette is loading go to its field only", async () => {
  let letThrough = (): void => undefined;
  const isLoading = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/\/assets\/palette-.*\.js$/, async (route) => {
    await isLoading;
    await route.continue();
  });
  await visitor.open(new URL(page.url()).pathname);
  await page.getByRole("article").first().getByRole("button", { name: /^log/ }).focus();
  await press("Control+k");
  // Each of these keys is a shortcut.
  await page.keyboard.type("xnzaq");
  await press("Backspace", "Delete");
  expect(await page.getByRole("toolbar", { name: "Selected tiles" }).count()).toBe(0);
  letThrough();
  const search = page.getByLabel("Search tiles, boards and actions", { exact: true });
  await search.waitFor();
  await expect.poll(() => search.inputValue()).toBe("xnza");
  await page.keyboard.type("!");
  await expect.poll(() => search.inputValue()).toBe("xnza!");
  await press("Escape");
  await search.waitFor({ state: "detached" });
  await expect.poll(async () => (await titlesIn("Weather")).toSorted()).toEqual(WEATHER);
  await page.unrouteAll();
});

it("shortcuts are listed in the menu of boards only", async () => {
  const board = new URL(page.url()).pathname;
  const openMenu = () =>
    page
      .getByRole("banner")
      .getByRole("button", { name: /^Account of/ })
      .click();
  const item = page.getByRole("menuitem", { name: /^Keyboard shortcuts/ });
  await visitor.open(board);
  await openMenu();
  await item.click();
  await page.getByRole("dialog").getByText("Keyboard shortcuts").first().waitFor();
  await visitor.open("/settings");
  await openMenu();
  await page.getByRole("menuitem", { name: "Settings" }).waitFor();
  expect(await item.count()).toBe(0);
});
