import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { expectAccessible } from "../support/axe.ts";
import { startFaro } from "../support/content/harbour.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

let faro: Awaited<ReturnType<typeof startFaro>>;
let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let zoneId: string;
let tileId: string;
let ada: Visitor;
let bert: Visitor;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const zoneNow = async (): Promise<string> => (await call("GET", `/api/board/zones/${zoneId}`)).zone.name;
const tileNow = async (): Promise<any> => (await call("GET", `/api/board/tiles/${tileId}`)).tile;
const nameField = (page: Page) => page.getByRole("textbox", { name: /^Name of / });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

beforeAll(async () => {
  faro = await startFaro();
  fixture = await startBrowserFixture(faro.environment);
  owner = await fixture.install.claim();
  [ada, bert] = await Promise.all([fixture.visit(), fixture.visit()]);
});
beforeEach(async () => {
  boardId = (await call("POST", "/api/board/boards", { name: "Harbour" })).board.id;
  zoneId = (await call("POST", `/api/board/${boardId}/zones`, { name: "Quay" })).zone.id;
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry", content: "It leaves at 6:40.", zone_id: zoneId })).tile.id;
  for (const visitor of [ada, bert]) {
    await visitor.logIn(owner);
    await visitor.open(`/b/${boardId}`);
    await visitor.page.getByRole("article").waitFor();
  }
});
afterAll(async () => {
  for (const visitor of [ada, bert]) visitor?.expectClean();
  await fixture?.stop();
  await faro?.close();
});

/** Starts renaming a zone and waits until the page has its ETag. */
async function beginRename({ page }: Visitor, name: string): Promise<void> {
  const isRead = page.waitForResponse((response) => response.url().endsWith(`/zones/${zoneId}`) && response.request().method() === "GET");
  await page.getByRole("button", { name: "Actions for zone Quay" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await isRead;
  await nameField(page).and(page.locator(":focus")).waitFor();
  await typeInto(nameField(page), name);
}

/** Starts editing the title in the panel. */
async function beginTitle({ page }: Visitor, title: string): Promise<void> {
  await page.getByRole("article").getByRole("button", { name: "Ferry", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await typeInto(page.getByRole("textbox", { name: "Title" }), title);
}

it("a conflicting rename of a zone shows both names, and the second person chooses", async () => {
  await beginRename(ada, "Pier of Ada");
  await beginRename(bert, "Pier of Bert");
  await nameField(ada.page).press("Enter");
  await expect.poll(zoneNow).toBe("Pier of Ada");
  await nameField(bert.page).press("Enter");
  const both = dialog(bert.page, "Someone else renamed this zone");
  await both.getByText("Pier of Ada", { exact: true }).waitFor();
  await both.getByText("Pier of Bert", { exact: true }).waitFor();
  await expectAccessible(bert.page, "zone conflict");
  expect(await zoneNow()).toBe("Pier of Ada");
  await both.getByRole("button", { name: "Use mine" }).click();
  for (const { page } of [ada, bert]) await page.getByRole("region", { name: "Pier of Bert", exact: true }).waitFor();
  expect(await zoneNow()).toBe("Pier of Bert");
  await both.waitFor({ state: "detached" });
});

it("the other name can be kept, and closing the conflict dialog keeps the input", async () => {
  await beginRename(ada, "Pier of Ada");
  await beginRename(bert, "Pier of Bert");
  await nameField(ada.page).press("Enter");
  await expect.poll(zoneNow).toBe("Pier of Ada");
  await nameField(bert.page).press("Enter");
  const both = dialog(bert.page, "Someone else renamed this zone");
  await both.getByText("Pier of Ada", { exact: true }).waitFor();
  await expect.poll(() => both.evaluate((element: any) => element.matches(":focus-within"))).toBe(true);
  await bert.page.keyboard.press("Escape");
  await both.waitFor({ state: "detached" });
  expect(await nameField(bert.page).inputValue()).toBe("Pier of Bert");
  expect(await zoneNow()).toBe("Pier of Ada");
  await nameField(bert.page).press("Enter");
  await both.getByRole("button", { name: "Keep theirs" }).click();
  await bert.page.getByRole("region", { name: "Pier of Ada", exact: true }).waitFor();
  expect(await nameField(bert.page).count()).toBe(0);
  expect(await zoneNow()).toBe("Pier of Ada");
});

it("a change of another property of a zone is no conflict", async () => {
  await beginRename(bert, "Pier of Bert");
  await call("PATCH", `/api/board/zones/${zoneId}`, { color: "teal" });
  await nameField(bert.page).press("Enter");
  await bert.page.getByRole("region", { name: "Pier of Bert", exact: true }).waitFor();
  expect((await call("GET", `/api/board/zones/${zoneId}`)).zone).toMatchObject({ name: "Pier of Bert", color: "teal" });
});

it("a conflicting rename of a tile shows both titles, and the second person chooses", async () => {
  await beginTitle(ada, "Ferry of Ada");
  await beginTitle(bert, "Ferry of Bert");
  await ada.page.keyboard.press("Enter");
  await ada.page.getByRole("dialog").getByRole("heading", { name: "Ferry of Ada" }).waitFor();
  await bert.page.keyboard.press("Enter");
  const conflict = bert.page.getByRole("region", { name: "Conflict" });
  await conflict.getByText("Ferry of Ada", { exact: true }).waitFor();
  expect(await bert.page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Ferry of Bert");
  await expectAccessible(bert.page, "title conflict");
  expect((await tileNow()).title).toBe("Ferry of Ada");
  await conflict.getByRole("button", { name: "Replace with mine" }).click();
  await bert.page.getByRole("dialog").getByRole("heading", { name: "Ferry of Bert" }).waitFor();
  expect((await tileNow()).title).toBe("Ferry of Bert");
  await ada.page.getByRole("dialog").getByRole("heading", { name: "Ferry of Bert" }).waitFor();
});

it("an open tile shows changes by others, and its deletion", async () => {
  const { page } = bert;
  await page.getByRole("article").getByRole("button", { name: "Ferry", exact: true }).click();
  const reader = page.getByRole("dialog");
  await reader.getByText("It leaves at 6:40.").waitFor();
  await call("PATCH", `/api/board/tiles/${tileId}`, { content: "It leaves at 7:10." });
  await reader.getByText("It leaves at 7:10.").waitFor();
  await call("DELETE", `/api/board/tiles/${tileId}`);
  await reader.getByText("This tile does not exist").waitFor();
  await call("POST", `/api/board/tiles/${tileId}/restore`);
  await reader.getByText("It leaves at 7:10.").waitFor();
});

it("input for a tile that somebody else deletes can be copied", async () => {
  await beginTitle(bert, "Ferry of Bert");
  const { page } = bert;
  await call("DELETE", `/api/board/tiles/${tileId}`);
  await page.getByRole("article").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByText("Someone deleted this tile", { exact: false }).waitFor();
  expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Ferry of Bert");
  await page.keyboard.press("Escape");
  await page.getByText("This tile does not exist").waitFor();
});

it("conflicting texts for a failed tile are both shown, and the second person chooses", async () => {
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { url: "https://www.faro-harbour.example/missing", zone_id: zoneId })).tile
    .id;
  for (const { page } of [ada, bert]) {
    await page.getByRole("button", { name: "Paste text instead" }).click();
    const field = page.getByRole("dialog").getByLabel("Text", { exact: true });
    await typeInto(field, page === ada.page ? "As Ada has it." : "As Bert has it.");
  }
  await ada.page.getByRole("button", { name: "Save text" }).click();
  await ada.page.getByText("Text saved. The tile is ready.").waitFor();
  await bert.page.getByRole("button", { name: "Save text" }).click();
  const both = dialog(bert.page, "This tile already has text");
  await both.getByText("As Ada has it.", { exact: true }).waitFor();
  await both.getByText("As Bert has it.", { exact: true }).waitFor();
  await expectAccessible(bert.page, "text conflict");
  expect((await tileNow()).extractedText).toBe("As Ada has it.");
  await both.getByRole("button", { name: "Use mine" }).click();
  await expect.poll(async () => (await tileNow()).extractedText).toBe("As Bert has it.");
});
