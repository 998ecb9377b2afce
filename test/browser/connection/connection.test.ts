import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { paste } from "../support/input/forms.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let tileId: string;
let visitor: Visitor;
let page: Page;
/** Requests that reached the server and changed something. */
let writes: string[];

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const tileNow = async (): Promise<any> => (await call("GET", `/api/board/tiles/${tileId}`)).tile;
const tilesNow = async (): Promise<any[]> => (await call("GET", `/api/board/${boardId}/tiles`)).tiles;
const banner = () => page.getByRole("button", { name: "Retry now" });
const dialog = () => page.getByRole("dialog");
const box = (): ReturnType<Page["getByLabel"]> => page.getByLabel("Add to Harbour", { exact: true });

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
});
beforeEach(async () => {
  boardId = (await call("POST", "/api/board/boards", { name: "Harbour" })).board.id;
  const { zone } = await call("POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry", content: "It leaves at 6:40.", zone_id: zone.id })).tile.id;
  await visitor?.close();
  visitor = await fixture.visit();
  ({ page } = visitor);
  writes = [];
  page.on("requestfinished", (request: Request) => {
    // A bulk request moves a new tile to the top.
    const isWrite = request.url().includes("/api/") && request.method() !== "GET" && !request.url().endsWith("/tiles/bulk");
    if (isWrite) writes.push(request.method());
  });
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("article").waitFor();
});
afterAll(async () => fixture?.stop());

async function loseConnection(): Promise<void> {
  await visitor.context.setOffline(true);
  await banner().waitFor();
}
async function find(): Promise<void> {
  await visitor.context.setOffline(false);
  await banner().waitFor({ state: "hidden" });
}

it.each([
  ["Text", "Edit text", "Save text", "extractedText"],
  ["Title", "Rename", "Save title", "title"],
])("a tile's %s edited while offline is saved once after reconnecting", async (label, begin, save, field) => {
  await page.getByRole("article").getByRole("button", { name: "Ferry", exact: true }).click();
  // Loaded before the connection is lost.
  await dialog().getByText("It leaves at 6:40.").waitFor();
  await loseConnection();
  await dialog().getByRole("button", { name: begin, exact: true }).click();
  const typed = dialog().getByRole("textbox", { name: label, exact: true });
  await typeInto(typed, "Typed in the dark");
  await dialog().getByRole("button", { name: save, exact: true }).click();
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  expect(await typed.inputValue()).toBe("Typed in the dark");
  expect((await tileNow())[field]).not.toBe("Typed in the dark");
  await find();
  await typed.waitFor({ state: "detached" });
  expect((await tileNow())[field]).toBe("Typed in the dark");
  expect(writes).toEqual(["PATCH"]);
});

it("an edit that conflicts after an offline period overwrites nothing", async () => {
  await page.getByRole("article").getByRole("button", { name: "Ferry", exact: true }).click();
  await dialog().getByText("It leaves at 6:40.").waitFor();
  await loseConnection();
  await dialog().getByRole("button", { name: "Edit text", exact: true }).click();
  await typeInto(dialog().getByRole("textbox", { name: "Text", exact: true }), "Mine");
  await dialog().getByRole("button", { name: "Save text", exact: true }).click();
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  await call("PATCH", `/api/board/tiles/${tileId}`, { content: "Theirs" });
  await find();
  await dialog().getByRole("region", { name: "Conflict" }).getByText("Theirs", { exact: true }).waitFor();
  expect(await dialog().getByRole("textbox", { name: "Text", exact: true }).inputValue()).toBe("Mine");
  expect((await tileNow()).extractedText).toBe("Theirs");
});

it("pasted content is shown immediately while offline, and created once", async () => {
  await box().focus();
  await page.keyboard.press("Escape");
  await loseConnection();
  await paste(page, "Pasted in the dark");
  const card = page.getByRole("article").filter({ hasText: "Pasted in the dark" });
  await card.getByText("Saving", { exact: false }).waitFor();
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  await find();
  await card.getByText("Saving", { exact: false }).waitFor({ state: "detached" });
  await expect.poll(() => card.count()).toBe(1);
  expect((await tilesNow()).map(({ title }) => title).toSorted()).toEqual(["Ferry", "Pasted in the dark"]);
  expect(writes.filter((method) => method === "POST")).toHaveLength(1);
});

it("a tile whose response was lost is not created twice", async () => {
  let isLost = false;
  await page.route("**/api/board/*/tiles", async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await typeInto(box(), "Said into the wind");
  await box().press("Enter");
  const card = page.getByRole("article").filter({ hasText: "Said into the wind" });
  await card.getByText("Saving", { exact: false }).waitFor({ state: "detached" });
  await expect.poll(async () => (await tilesNow()).map(({ title }) => title).toSorted()).toEqual(["Ferry", "Said into the wind"]);
  expect(isLost).toBe(true);
  expect(await card.count()).toBe(1);
});
