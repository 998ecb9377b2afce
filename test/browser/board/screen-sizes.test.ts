import type { Locator, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { typeInto } from "../support/input/typing.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, type Visitor } from "../support/visitor.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const button = (name: string): Locator => page.getByRole("button", { name, exact: true });

async function openBoard(size: Parameters<BrowserFixture["visit"]>[0]): Promise<void> {
  visitor = await fixture.visit(size);
  ({ page } = visitor);
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("article").first().waitFor();
}

/** Deletes the tile, which shows a notification with an undo button. */
async function deleteTile(title: string): Promise<Locator> {
  await button(`Actions for ${title}`).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const notification = button("Undo");
  await notification.waitFor();
  return notification;
}

/** Whether the middle and the corners of an element are on the screen, with nothing above them. */
async function isUncovered(place: Locator): Promise<boolean> {
  return place.evaluate((element: any) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const inset = 4;
    const points = [left + inset, (left + right) / 2, right - inset].flatMap((x) =>
      [top + inset, (top + bottom) / 2, bottom - inset].map((y) => [x, y]),
    );
    const page = (globalThis as any).document;
    return points.every(([x, y]) => {
      const found = page.elementFromPoint(x, y);
      return found !== null && (element.contains(found) || found.contains(element));
    });
  });
}

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
});
beforeEach(async () => {
  boardId = (await call("POST", "/api/board/boards", { name: "Harbour" })).board.id;
  for (const name of ["Quay", "Store", "Office"]) {
    const { zone } = await call("POST", `/api/board/${boardId}/zones`, { name });
    await call("POST", `/api/board/${boardId}/tiles`, { title: `Rope of ${name}`, content: "Hemp, for the boats.", zone_id: zone.id });
  }
});
afterEach(() => visitor?.close());
afterAll(() => fixture?.stop());

it("on a phone a notification covers neither the field for a question nor its button", async () => {
  await openBoard(SCREENS.phone);
  const undo = await deleteTile("Rope of Quay");
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).tap();
  const question = page.getByRole("textbox", { name: "Your question" });
  await question.waitFor();
  await expect.poll(() => isUncovered(question)).toBe(true);
  expect(await isUncovered(page.getByRole("tabpanel").getByRole("button", { name: "Ask", exact: true }))).toBe(true);
  expect(await isUncovered(undo)).toBe(true);
  visitor.expectClean();
});

it("a notification and the field for a question are above the banner of a full disk", async () => {
  const full = "The disk is full. Free some space.";
  await openBoard(SCREENS.phone);
  visitor.expectClean();
  await page.route("**/health/ready", (route: Route) => route.fulfill({ status: 503, json: { error: full, code: "storage_full" } }));
  await page.reload();
  await page.getByText(full).waitFor();
  const undo = await deleteTile("Rope of Quay");
  expect(await isUncovered(page.getByText(full))).toBe(true);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).tap();
  await page.getByRole("textbox", { name: "Your question" }).waitFor();
  await expect.poll(() => isUncovered(page.getByRole("tabpanel").getByRole("button", { name: "Ask", exact: true }))).toBe(true);
  expect(await isUncovered(page.getByText(full))).toBe(true);
  expect(await isUncovered(undo)).toBe(true);
});

it("the field for a new tile grows with a long line, and has no upload button while it has text", async () => {
  await openBoard(SCREENS.desktop);
  const field = page.getByRole("textbox", { name: "Add to Quay" });
  await button("Add files to Quay").waitFor();
  await typeInto(
    field,
    "The ferry left at six and came back at nine with oranges, tar, rope and three letters for the keeper of the light.",
  );
  expect(await button("Add files to Quay").count()).toBe(0);
  expect(await field.evaluate(({ scrollHeight, clientHeight }: any) => scrollHeight - clientHeight)).toBe(0);
  await page.getByText("One note", { exact: true }).waitFor();
  await typeInto(field, "nonsense");
  await page.getByText("One note, not a link").waitFor();
  await button("Clear").click();
  await button("Add files to Quay").waitFor();
  visitor.expectClean();
});

it.each([
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
])("every button of the toolbar is in sight at $width px, with Ask beside it and without", async (viewport) => {
  await openBoard({ viewport });
  await page.route("**/api/board/*/tiles*", async (route: Route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, tiles: body.tiles.map((tile: object) => ({ ...tile, status: "failed" })) } });
  });
  await page.reload();
  await button("Retry all").waitFor();
  for (const name of ["Retry all", "Add a zone"]) expect(await isUncovered(button(name))).toBe(true);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await page.getByRole("textbox", { name: "Your question" }).waitFor();
  for (const name of ["Retry all", "Add a zone"]) expect(await isUncovered(button(name))).toBe(true);
  await button("Add a zone").click();
  await page.getByRole("textbox", { name: "Name of the new zone" }).and(page.locator(":focus")).waitFor();
  visitor.expectClean();
});
