import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { typeInto } from "../support/input/typing.ts";
import type { Session } from "../support/install.ts";
import type { Visitor } from "../support/visitor.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let tileId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);

beforeAll(async () => {
  // Nothing listens there, so that the link fails.
  fixture = await startBrowserFixture({ FETCH_ALLOW: "127.0.0.1:9", INGEST_ATTEMPTS: "1" });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  const { zone } = await call("POST", `/api/board/${boardId}/zones`, { name: "Quay" });
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Unreachable", url: "http://127.0.0.1:9/", zone_id: zone.id });
  const content = "The ferry leaves at 6:40. Dogs travel free.\n\nThe ferry is painted green.\n\nIn winter the ferry leaves at 8:00.";
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry times", content, zone_id: zone.id })).tile.id;
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Old ferry", content: "The old ferry left at five.", zone_id: zone.id });
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

const isIn = (name: string) => page.getByRole("button", { name, exact: true }).and(page.locator(":focus"));
const isNowhere = () => page.evaluate("document.activeElement === document.body");
const question = () => page.getByRole("textbox", { name: "Your question" });
const reader = (name: string) => page.getByRole("dialog", { name });

async function openBoard(): Promise<void> {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("button", { name: "Retry all" }).waitFor();
  expect(await isNowhere()).toBe(true);
}

async function openAskByKey(): Promise<void> {
  await page.keyboard.press("a");
  await question().and(page.locator(":focus")).waitFor();
}

async function closeAsk(): Promise<void> {
  await page.keyboard.press("Escape");
  await question().waitFor({ state: "detached" });
}

it("closing the Ask panel returns the focus to where it was, so that Enter retries nothing", async () => {
  await openBoard();
  const writes: string[] = [];
  page.on("request", (request) => void (request.method() === "POST" && writes.push(request.url())));
  await openAskByKey();
  await closeAsk();
  expect(await isNowhere()).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Old ferry", exact: true }).focus();
  await openAskByKey();
  await closeAsk();
  await isIn("Old ferry").waitFor();
  expect(writes).toEqual([]);
});

it("a dialog that opened while nothing had the focus leaves it so, and the next shortcut is no text", async () => {
  await openBoard();
  for (const beside of [false, true]) {
    // A click beside everything.
    if (beside) await page.locator("#main").click({ position: { x: 1000, y: 500 } });
    for (const key of ["?", "/", "Control+k", "?"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect.poll(isNowhere).toBe(true);
    }
    expect(await page.getByLabel("Add to Quay", { exact: true }).inputValue()).toBe("");
  }
});

it("closing the tile of a quote returns the focus to the quote", async () => {
  await openBoard();
  await openAskByKey();
  await typeInto(question(), "When does the ferry leave?");
  await page.keyboard.press("Enter");
  const quotes = page.getByRole("region", { name: "Questions and answers" }).getByRole("button", { name: /Ferry times/ });
  await quotes.first().waitFor();
  await page.getByText("Tiles used").waitFor();
  const quote = quotes.last();
  await quote.focus();
  await page.keyboard.press("Enter");
  await reader("Ferry times").waitFor();
  await page.keyboard.press("Escape");
  await reader("Ferry times").waitFor({ state: "detached" });
  await quote.and(page.locator(":focus")).waitFor();
  // Neither a later change of the board nor the end of a timer moves it.
  await call("PATCH", `/api/board/tiles/${tileId}`, { title: "Ferry timetable" });
  await page.getByRole("article").filter({ hasText: "Ferry timetable" }).waitFor();
  await quote.and(page.locator(":focus")).waitFor();
  await call("PATCH", `/api/board/tiles/${tileId}`, { title: "Ferry times" });
});

it("closing a tile that nothing on the page opened moves the focus to its card", async () => {
  await visitor.open(`/b/${boardId}?tile=${tileId}`);
  await reader("Ferry times").waitFor();
  await page.keyboard.press("Escape");
  await isIn("Ferry times").waitFor();
});

it("deleting a zone moves the focus to the next one, and Escape in an empty field to a card of its zone", async () => {
  const { zone } = await call("POST", `/api/board/${boardId}/zones`, { name: "Shed" });
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Oars", content: "Two pairs.", zone_id: zone.id });
  await openBoard();
  const field = (name: string) => page.getByLabel(`Add to ${name}`, { exact: true });
  await field("Quay").focus();
  await page.keyboard.press("Escape");
  // The field is in the column too, and has the focus until the key is handled.
  await expect.poll(() => page.evaluate("document.activeElement.matches('[data-title]')")).toBe(true);
  expect(await page.evaluate("document.activeElement.closest('[data-column]')?.getAttribute('aria-label')")).toBe("Quay");
  await page.getByRole("button", { name: "Old ferry", exact: true }).focus();
  await page.keyboard.press("n");
  await field("Quay").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await isIn("Old ferry").waitFor();
  await page.getByRole("button", { name: "Actions for zone Shed" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete zone and tiles" }).click();
  await page.getByRole("region", { name: "Shed", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Quay" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate("document.activeElement.matches('[data-title]')")).toBe(true);
  await page.keyboard.press("Control+z");
  await page.getByRole("heading", { name: "Shed" }).and(page.locator(":focus")).waitFor();
  await call("DELETE", `/api/board/zones/${zone.id}`);
});

it("a tile that was found with the palette while nothing had the focus has it after it is closed", async () => {
  await openBoard();
  await page.keyboard.press("Control+k");
  await page.getByLabel("Search tiles, boards and actions", { exact: true }).pressSequentially("old ferry");
  await page.getByRole("option", { name: /Old ferry/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await reader("Old ferry").waitFor();
  await page.keyboard.press("Escape");
  await isIn("Old ferry").waitFor();
});

it("changes of the board leave the focus in the open tile", async () => {
  await visitor.open(`/b/${boardId}?tile=${tileId}`);
  await reader("Ferry times").waitFor();
  await page.evaluate("document.activeElement.blur()");
  await page.evaluate("globalThis.__focused = []; addEventListener('focusin', (event) => __focused.push(event.target.outerHTML))");
  await call("POST", `/api/board/${boardId}/tiles`, { title: "New quay", content: "Pier four opens." });
  await page.getByRole("article", { includeHidden: true }).filter({ hasText: "New quay" }).waitFor();
  expect(await page.evaluate("globalThis.__focused.filter((html) => html.includes('data-title'))")).toEqual([]);
});

it("Back leaves the board at once after tiles were opened and closed", async () => {
  await visitor.open("/settings");
  await visitor.open(`/b/${boardId}`);
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: "Ferry times", exact: true }).click();
    await reader("Ferry times").waitFor();
  };
  const isClosed = () => reader("Ferry times").waitFor({ state: "detached" });
  await open();
  await page.keyboard.press("Escape");
  await isClosed();
  await open();
  await reader("Ferry times").getByRole("button", { name: "Close" }).click();
  await isClosed();
  await open();
  await page.goBack();
  await isClosed();
  expect(new URL(page.url()).pathname).toBe(`/b/${boardId}`);
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/settings/);
});
