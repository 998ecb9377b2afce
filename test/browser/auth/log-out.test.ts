import { afterAll, beforeAll, expect, it } from "vitest";
import { OWNER, type Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { type Visitor, settle } from "../support/visitor.ts";

let fixture: BrowserFixture;
let boardId: string;
let visitor: Visitor;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  const owner: Session = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
  visitor = await fixture.visit();
});
afterAll(async () => fixture?.stop());

it("logging out affects all tabs of the browser, but no other browsers", async () => {
  const elsewhere = await fixture.visit();
  for (const one of [visitor, elsewhere]) {
    await one.logIn(await fixture.install.logIn(OWNER.email, OWNER.password));
    await one.open(`/b/${boardId}`);
    await one.page.getByRole("region", { name: "Harbour" }).waitFor();
  }
  const [board, settings] = [await visitor.context.newPage(), await visitor.context.newPage()];
  await board.goto(`/b/${boardId}`);
  await board.getByRole("region", { name: "Harbour" }).waitFor();
  await settings.goto("/settings/account");
  await settings.getByRole("heading", { level: 1 }).waitFor();
  await settle(settings);
  await visitor.page.getByRole("button", { name: /^Account/ }).click();
  await visitor.page.getByRole("menuitem", { name: "Log out" }).click();
  for (const page of [visitor.page, board, settings]) await page.waitForURL("**/login**");
  visitor.expectClean();
  await elsewhere.page.reload();
  await elsewhere.page.getByRole("region", { name: "Harbour" }).waitFor();
  expect(new URL(elsewhere.page.url()).pathname).toBe(`/b/${boardId}`);
  elsewhere.expectClean();
  await elsewhere.close();
});

it("a session revoked in another browser's settings redirects to the login page immediately", async () => {
  const away = await fixture.install.logIn(OWNER.email, OWNER.password);
  const home = await fixture.install.logIn(OWNER.email, OWNER.password);
  const { session } = await fixture.install.call(away, "GET", "/api/settings/session");
  await visitor.logIn(away);
  await visitor.open(`/b/${boardId}`);
  await visitor.page.getByRole("region", { name: "Harbour" }).waitFor();
  await fixture.install.call(home, "DELETE", `/api/settings/sessions/${session.id}`);
  await visitor.page.waitForURL("**/login?next=*");
  visitor.expectClean();
});
