import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible } from "../support/axe.ts";
import { logIn } from "../support/input/forms.ts";
import { OWNER, type Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { typeInto } from "../support/input/typing.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
});
afterAll(async () => fixture?.stop());

it("the login page returns to the requested page after login", async () => {
  const visitor = await fixture.visit();
  await visitor.open("/settings/account");
  await visitor.page.waitForURL("**/login?next=*");
  await logIn(visitor.page, OWNER.email, OWNER.password);
  await visitor.page.waitForURL("**/settings/account");
  visitor.expectClean();
});

it.each(["https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:alert(1)", "/login?next=/login", "%"])(
  "the return path of the login page cannot leave the site: %s",
  async (next) => {
    const visitor = await fixture.visit();
    await visitor.logIn(await fixture.install.logIn(OWNER.email, OWNER.password));
    await visitor.open(`/login?next=${encodeURIComponent(next)}`);
    await visitor.page.getByRole("region", { name: "Harbour" }).waitFor();
    expect(visitor.page.url()).toBe(`${fixture.install.url}/b/${boardId}`);
    visitor.expectClean();
    await visitor.close();
  },
);

it("unknown addresses and deleted boards show a page with a way back; programs get JSON", async () => {
  const visitor = await fixture.visit();
  await visitor.logIn(owner);
  const { page } = visitor;
  for (const [path, title] of [
    ["/nothing/here", "Page not found"],
    ["/b/brd_00000000000000000000000000", "This board does not exist"],
  ] as const) {
    await visitor.open(path);
    await page.getByRole("heading", { name: title }).waitFor();
    await expectAccessible(page, path);
    await page.getByRole("link", { name: "Go to your board" }).click();
    await page.getByRole("region", { name: "Harbour" }).waitFor();
  }
  const response = await fetch(`${fixture.install.url}/nothing/here`);
  expect([response.status, await response.json()]).toEqual([404, { error: "Not found." }]);
  expect((await page.goto("/api/nothing"))?.headers()["content-type"]).toContain("application/json");
  visitor.expectClean();
  await visitor.close();
});

it("the menus of the top bar work with the keyboard, and the chosen theme is kept", async () => {
  const visitor = await fixture.visit({ colorScheme: "light" });
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  const { page } = visitor;
  const theme = page.getByRole("button", { name: "Theme" });
  await theme.focus();
  await page.keyboard.press("ArrowDown");
  const dark = page.getByRole("menuitem", { name: "Dark" });
  await dark.waitFor();
  await expectAccessible(page, "theme menu");
  for (let presses = 0; presses < 4 && (await dark.and(page.locator(":focus")).count()) === 0; presses++)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await dark.waitFor({ state: "detached" });
  await theme.and(page.locator(":focus")).waitFor();
  await page.reload();
  await page.getByRole("region", { name: "Harbour" }).waitFor();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  visitor.expectClean();
});

it("a new board is created and opened; a missing name is shown at its field", async () => {
  const visitor = await fixture.visit();
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  const { page } = visitor;
  await page.getByRole("button", { name: /^Board: / }).click();
  await page.getByRole("button", { name: "New board" }).click();
  await page.getByRole("button", { name: "Create board" }).click();
  await page.getByText("Enter a name for the board.").waitFor();
  await expectAccessible(page, "new board");
  await typeInto(page.getByLabel("Name", { exact: true }), "Lamps");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Board: Lamps/ }).waitFor();
  expect(page.url()).not.toContain(boardId);
  visitor.expectClean();
});

it("a change made while offline waits and is applied once", async () => {
  const visitor = await fixture.visit();
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  const { page, context } = visitor;
  const box = page.getByLabel("Add to Harbour", { exact: true });
  await box.waitFor();
  await context.setOffline(true);
  await page.getByText("No connection", { exact: false }).waitFor();
  await typeInto(box, "Written in the dark");
  await box.press("Enter");
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  await context.setOffline(false);
  await page.getByRole("article").filter({ hasText: "Written in the dark" }).waitFor();
  await page.getByText("No connection", { exact: false }).waitFor({ state: "hidden" });
  // The page shows the tile before the server has it.
  const countTiles = async (): Promise<number> => {
    const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles`);
    return tiles.filter(({ extractedText }: { extractedText: string }) => extractedText === "Written in the dark").length;
  };
  await expect.poll(countTiles).toBe(1);
});

it("a session revoked elsewhere redirects to the login page, with a return path", async () => {
  const visitor = await fixture.visit();
  const session = await fixture.install.logIn(OWNER.email, OWNER.password);
  await visitor.logIn(session);
  await visitor.open(`/b/${boardId}`);
  const { page } = visitor;
  await page.getByRole("region", { name: "Harbour" }).waitFor();
  await fixture.install.call(session, "DELETE", "/api/settings/session");
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Weather" });
  await page.waitForURL("**/login?next=*");
  await logIn(page, OWNER.email, OWNER.password);
  await page.getByRole("region", { name: "Weather" }).waitFor();
  visitor.expectClean();
});
