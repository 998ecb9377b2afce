import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Session } from "./support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "./support/browser-fixture.ts";
import type { Visitor } from "./support/visitor.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);

beforeAll(async () => {
  fixture = await startBrowserFixture({ FETCH_ALLOW: "127.0.0.1:9" });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Dark nights", content: "In dark nights the café is a harbour." });
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Dark page", url: "http://127.0.0.1:9/" });
  for (const name of ["Café des Amis", "Harbour master"]) await call("POST", "/api/board/boards", { name });
  visitor = await fixture.visit({ colorScheme: "light" });
  ({ page } = visitor);
  await visitor.logIn(owner);
});
beforeEach(async () => {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("article").first().waitFor();
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

/** Opens the palette, types, and waits for a tile among the results. */
async function search(words: string, tile: string): Promise<void> {
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox", { name: "Search tiles, boards and actions" }).pressSequentially(words);
  await page.getByRole("group", { name: "Tiles" }).getByRole("option", { name: tile }).waitFor();
}

it("an action that is typed by name comes before the tiles that match, and Enter runs it", async () => {
  await search("dark", "Dark nights");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
});

it("another board is found by a part of its name, and comes first if its name is typed", async () => {
  await search("harbour", "Dark nights");
  await page.getByRole("option", { name: "Harbour master" }).waitFor();
  expect(await page.getByRole("option").first().textContent()).toContain("Dark nights");
  await page.keyboard.press("Escape");
  await search("cafe", "Dark nights");
  await page.getByRole("option", { name: "Café des Amis" }).waitFor();
  await page.getByRole("combobox").pressSequentially(" des amis");
  await page.getByRole("option", { name: "Café des Amis" }).and(page.locator("[aria-selected=true]")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("main", { name: "Café des Amis" }).or(page.getByText("This board is empty")).first().waitFor();
  expect(new URL(page.url()).pathname).not.toBe(`/b/${boardId}`);
});

it("a page has another icon than a note", async () => {
  await search("dark", "Dark page");
  const icon = (name: string) => page.getByRole("option", { name }).locator("svg").first().innerHTML();
  expect(await icon("Dark page")).not.toBe(await icon("Dark nights"));
});
