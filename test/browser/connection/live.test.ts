import { afterAll, beforeAll, expect, it } from "vitest";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let ada: Visitor;
let bert: Visitor;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
  ada = await fixture.visit();
  bert = await fixture.visit();
  for (const visitor of [ada, bert]) {
    await visitor.logIn(owner);
    await visitor.open(`/b/${boardId}`);
    await visitor.page.getByRole("region", { name: "Harbour" }).waitFor();
  }
});
afterAll(async () => fixture?.stop());

it("changes by another person appear without a reload", async () => {
  const box = ada.page.getByLabel("Add to Harbour", { exact: true });
  await typeInto(box, "The dredger comes on Monday.");
  await box.press("Enter");
  const seen = bert.page.getByRole("region", { name: "Harbour" }).getByRole("article");
  await seen.filter({ hasText: "The dredger comes on Monday." }).waitFor();
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles`);
  expect(tiles).toHaveLength(1);
  await fixture.install.call(owner, "PATCH", `/api/board/tiles/${tiles[0].id}`, { title: "Dredging" });
  for (const { page } of [ada, bert]) await page.getByRole("article").filter({ hasText: "Dredging" }).waitFor();
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Weather" });
  for (const { page } of [ada, bert]) await page.getByRole("region", { name: "Weather" }).waitFor();
  await fixture.install.call(owner, "DELETE", `/api/board/tiles/${tiles[0].id}`);
  for (const { page } of [ada, bert]) await page.getByRole("article").waitFor({ state: "detached" });
  for (const visitor of [ada, bert]) visitor.expectClean();
});

it("the connection banner appears and disappears with the connection", async () => {
  await bert.context.setOffline(true);
  await bert.page.getByText("No connection", { exact: false }).waitFor();
  await bert.context.setOffline(false);
  await bert.page.getByText("No connection", { exact: false }).waitFor({ state: "hidden" });
});
