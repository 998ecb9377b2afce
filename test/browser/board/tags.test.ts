import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible } from "../support/axe.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { typeInto } from "../support/input/typing.ts";
import type { Session } from "../support/install.ts";
import { SCREENS, type Visitor } from "../support/visitor.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;

const TILES = [
  {
    title: "Berth 4",
    content: "Berth 4 is closed.",
    tags: ["Harbour", "notices"],
    properties: { ticket: 4711, urgent: true, crews: ["A", "B"] },
  },
  { title: "Dredging", content: "It begins in March.", tags: ["harbour"] },
  { title: "Menu", content: "Soup.", tags: ["canteen", "daily", "public", "kitchen", "printed"] },
  { title: "Bare", content: "Nothing else." },
];

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  for (const tile of TILES) await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, tile);
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

const titles = (): Promise<string[]> => page.locator("[data-title]").allTextContents();
const card = (title: string) => page.getByRole("article").filter({ has: page.getByRole("button", { name: title, exact: true }) });
const chips = (title: string): Promise<string[]> => card(title).getByRole("group", { name: "Tags" }).getByRole("button").allTextContents();
const readTags = async (title: string): Promise<string[]> => {
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles`);
  return tiles.find((tile: { title: string }) => tile.title === title).tags;
};

it("cards show tags, the same tag in the same colour, and a tag filters the board", async () => {
  await expect.poll(() => chips("Berth 4")).toEqual(["Harbour", "notices"]);
  expect(await chips("Menu")).toEqual(["canteen", "daily", "public", "kitchen"]);
  await card("Menu").getByText("+1", { exact: true }).waitFor();
  const color = (title: string, tag: string): Promise<string> =>
    card(title)
      .getByRole("button", { name: `Show tiles tagged ${tag}` })
      .evaluate((chip: any) => (globalThis as any).getComputedStyle(chip).backgroundColor);
  expect(await color("Berth 4", "Harbour")).toBe(await color("Dredging", "harbour"));
  const colors = await Promise.all(["canteen", "daily", "public", "kitchen"].map((tag) => color("Menu", tag)));
  expect(new Set(colors).size).toBeGreaterThan(1);
  await expectAccessible(page, "tags on cards");
  await card("Dredging").getByRole("button", { name: "Show tiles tagged harbour" }).click();
  await expect.poll(async () => (await titles()).toSorted()).toEqual(["Berth 4", "Dredging"]);
  await expectAccessible(page, "filtered by a tag");
  await card("Berth 4").getByRole("button", { name: "Show tiles tagged notices" }).click();
  await expect.poll(titles).toEqual(["Berth 4"]);
  await page.getByRole("button", { name: "Stop filtering by the tag notices" }).click();
  await expect.poll(async () => (await titles()).length).toBe(2);
  await page.getByRole("button", { name: "Stop filtering by the tag harbour" }).click();
  await expect.poll(async () => (await titles()).length).toBe(4);
});

it("a tag is chosen in the toolbar, and by keys without opening the list", async () => {
  const select = page.getByRole("combobox", { name: "Tag" });
  const selected = (): Promise<string | null> => select.locator("option:checked").textContent();
  await select.focus();
  await page.keyboard.type("not");
  await expect.poll(titles).toEqual(["Berth 4"]);
  await page.getByRole("button", { name: "Stop filtering by the tag notices" }).waitFor();
  await select.selectOption("Harbour");
  await expect.poll(async () => (await titles()).toSorted()).toEqual(["Berth 4", "Dredging"]);
  await card("Berth 4").getByRole("button", { name: "Show tiles tagged notices" }).click();
  await expect.poll(selected).toBe("2 tags");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(selected).toBe("All tags");
  await expect.poll(async () => (await titles()).length).toBe(4);
});

it("tags are added and removed in the reader, undone, and filter the board from there", async () => {
  await card("Berth 4").getByRole("button", { name: "Berth 4", exact: true }).click();
  const reader = page.getByRole("dialog", { name: "Berth 4" });
  const field = reader.getByLabel("Add a tag", { exact: true });
  await typeInto(field, "urgent");
  await field.press(",");
  await expect.poll(() => field.inputValue()).toBe("");
  await typeInto(field, "NOTICES");
  await field.press("Enter");
  await expect.poll(() => readTags("Berth 4")).toEqual(["Harbour", "notices", "urgent"]);
  await reader.getByRole("button", { name: "Remove the tag Harbour" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => readTags("Berth 4")).toEqual(["notices", "urgent"]);
  await reader.getByRole("button", { name: "Remove the tag Harbour" }).waitFor({ state: "detached" });
  await reader.getByRole("button", { name: "Remove the tag notices" }).and(page.locator(":focus")).waitFor();
  await typeInto(field, "x".repeat(101));
  await field.press("Enter");
  await reader.getByText("A tag has at most 100 characters.").waitFor();
  // Not typed: a comma adds the tag before it, and a pasted list is added as a whole.
  await field.fill(Array.from({ length: 49 }, (_, index) => `t${index}`).join());
  await field.press("Enter");
  await reader.getByText("A tile has at most 50 tags. Remove some first.").waitFor();
  await field.press("Escape");
  await reader.getByText("Details", { exact: true }).click();
  const properties = reader.getByRole("region", { name: "Properties" });
  expect(await properties.locator("dd").allTextContents()).toEqual(["4711", "true", "A, B"]);
  await expectAccessible(page, "tags and properties in the reader");
  await reader.getByRole("button", { name: "Show tiles tagged urgent" }).click();
  await reader.waitFor({ state: "hidden" });
  await expect.poll(titles).toEqual(["Berth 4"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.keyboard.press("Control+z");
  await expect.poll(() => readTags("Berth 4")).toEqual(["notices", "urgent", "Harbour"]);
});

it("tags are added to a selection, and removed from it", async () => {
  for (const title of ["Dredging", "Bare"]) await card(title).getByRole("checkbox").click();
  const bar = page.getByRole("toolbar", { name: "Selected tiles" });
  await bar.getByRole("button", { name: "Tags…" }).click();
  const dialog = page.getByRole("dialog", { name: "Tags" });
  await dialog.getByLabel("Add tags", { exact: true }).and(page.locator(":focus")).waitFor();
  const fiftyOne = Array.from({ length: 51 }, (_, index) => `t${index}`).join();
  await typeInto(dialog.getByLabel("Add tags", { exact: true }), fiftyOne);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("These are 51 tags. A tile has at most 50.").waitFor();
  await typeInto(dialog.getByLabel("Add tags", { exact: true }), "spring, Harbour, SPRING");
  await expectAccessible(page, "tags of a selection");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect.poll(() => readTags("Bare")).toEqual(["spring", "Harbour"]);
  expect(await readTags("Dredging")).toEqual(["harbour", "spring"]);
  await expect.poll(() => chips("Bare")).toEqual(["spring", "Harbour"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => readTags("Bare")).toEqual([]);
  expect(await readTags("Dredging")).toEqual(["harbour"]);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect.poll(() => readTags("Bare")).toEqual(["spring", "Harbour"]);
  await bar.getByRole("button", { name: "Tags…" }).click();
  await dialog.getByRole("button", { name: "Remove the tag spring from 2 tiles" }).click();
  await expect.poll(() => readTags("Bare")).toEqual(["Harbour"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => readTags("Dredging")).toEqual(["harbour", "spring"]);
});

it("tags fit on a phone", async () => {
  const phone = await fixture.visit(SCREENS.phone);
  await phone.logIn(owner);
  await phone.open(`/b/${boardId}`);
  await phone.page.getByRole("button", { name: "Show tiles tagged canteen" }).waitFor();
  await expectAccessible(phone.page, "tags on a phone");
  phone.expectClean();
});
