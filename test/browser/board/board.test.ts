import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

let fixture: BrowserFixture;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  const { install } = fixture;
  const owner = await install.claim();
  const boardId = await install.defaultBoard(owner);
  for (const name of ["Quay", "Store"]) await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name });
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  await zone("Quay").waitFor();
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const zone = (name: string) => page.getByRole("region", { name, exact: true });
const titlesIn = (name: string): Promise<string[]> => zone(name).locator("[data-title]").allTextContents();
const card = (title: string) => page.getByRole("article").filter({ hasText: title });

/** The data of a drop or paste from another program. */
const dispatchData = (name: string, event: "drop" | "paste", text: string): Promise<void> =>
  page.evaluate(
    `(() => {
      const data = new DataTransfer();
      data.setData("text/plain", ${JSON.stringify(text)});
      const place = document.querySelector('section[aria-label=${JSON.stringify(name)}]');
      const options = { bubbles: true, cancelable: true };
      if (${JSON.stringify(event)} === "paste") document.body.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }));
      else for (const type of ["dragover", "drop"]) place.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: data }));
    })()`,
  );

it("tiles are created from typed, pasted and dropped content, newest first", async () => {
  await typeInto(page.getByLabel("Add to Quay", { exact: true }), "Rope\nof hemp, ten fathoms");
  await page.keyboard.press("Enter");
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope"]);
  await zone("Quay").hover();
  await dispatchData("Quay", "paste", "Tar");
  await expect.poll(() => titlesIn("Quay")).toEqual(["Tar", "Rope"]);
  await dispatchData("Quay", "drop", "Sailcloth");
  await expect.poll(() => titlesIn("Quay")).toEqual(["Sailcloth", "Tar", "Rope"]);
});

it("input that the server rejects is kept", async () => {
  const refuse = { status: 400, contentType: "application/json", body: JSON.stringify({ error: "content is too long." }) };
  await page.route("**/api/board/*/tiles", (route) => (route.request().method() === "POST" ? route.fulfill(refuse) : route.continue()));
  const box = page.getByLabel("Add to Store", { exact: true });
  await typeInto(box, "A very long bill of lading");
  await page.keyboard.press("Enter");
  await page.getByText("content is too long.").first().waitFor();
  await expect.poll(() => box.inputValue()).toBe("A very long bill of lading");
  expect(await titlesIn("Store")).toEqual([]);
  await page.unroute("**/api/board/*/tiles");
  await typeInto(box, "");
});

it("a tile is dragged within its zone and to another with the mouse, and that is undone", async () => {
  await drag("Rope", "Sailcloth");
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Sailcloth", "Tar"]);
  await page.reload();
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Sailcloth", "Tar"]);
  await drag("Sailcloth", null);
  await expect.poll(() => titlesIn("Store")).toEqual(["Sailcloth"]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Sailcloth", "Tar"]);
  expect(await titlesIn("Store")).toEqual([]);
});

it("an undo is sent after the move it undoes, and does not show the moved tile again", async () => {
  const started: number[] = [];
  const ended: number[] = [];
  await page.route("**/tiles/bulk", async (route) => {
    started.push(performance.now());
    // Hold the undo back before it reaches the server, and the response to the move.
    if (started.length === 2) await pause(800);
    const response = await route.fetch();
    if (started.length === 1) await pause(500);
    ended.push(performance.now());
    await route.fulfill({ response });
  });
  await card("Rope").locator("[data-title]").focus();
  await page.keyboard.press("m");
  await page.getByRole("dialog", { name: "Move to" }).getByRole("button", { name: "Store", exact: true }).click();
  await expect.poll(() => titlesIn("Store")).toEqual(["Rope"]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => titlesIn("Store")).toEqual([]);
  await page.evaluate(`
    window.reappeared = 0;
    new MutationObserver(() => {
      if (document.querySelector('section[aria-label="Store"] [data-title]') !== null) window.reappeared++;
    }).observe(document.body, { subtree: true, childList: true });
  `);
  await expect.poll(() => ended.length, { timeout: 300_000 }).toBe(2);
  await pause(500);
  expect(await page.evaluate("window.reappeared")).toBe(0);
  expect(started[1]).toBeGreaterThan(ended[0] ?? Infinity);
  await page.unroute("**/tiles/bulk");
  await page.reload();
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Sailcloth", "Tar"]);
});

it("a filter shows only matching tiles, and says if there are none", async () => {
  const filter = page.getByLabel("Filter by title or URL", { exact: true });
  await typeInto(filter, "tar");
  await expect.poll(() => titlesIn("Quay")).toEqual(["Tar"]);
  await typeInto(filter, "anchor");
  await page.getByText("No tiles match the filters.").waitFor();
  await page.getByRole("button", { name: "Clear filters", exact: true }).first().click();
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Sailcloth", "Tar"]);
});

it("a zone is deleted with its tiles, and both are restored", async () => {
  await page.getByRole("button", { name: "Actions for zone Quay", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete zone and tiles", exact: true }).click();
  await zone("Quay").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Sailcloth", "Tar"]);
});

/** Drags a tile by its handle to the upper half of another, or to the next zone if that is null. */
async function drag(title: string, onto: string | null): Promise<void> {
  await card(title).hover();
  const from = await getBox(card(title).getByRole("button", { name: `Move ${title}`, exact: true }));
  const to = await getBox(onto === null ? zone("Store") : card(onto));
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 12, from.y + 12, { steps: 3 });
  await page.mouse.move(to.x + to.width / 2, onto === null ? to.y + to.height / 2 : to.y + 6, { steps: 8 });
  await expect.poll(() => page.locator("section.border-accent").count()).toBe(1);
  await page.mouse.up();
}

async function getBox(place: ReturnType<typeof card>): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("It is not in sight.");
  return box;
}
