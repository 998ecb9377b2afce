import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { importTile } from "../support/content/imported-tile.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, type Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

const TEXT = "# The harbour\n\nThe **ferry** leaves at 7:40.\n\n- one\n- two";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;
let tileId: string;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const tileNow = async (id = tileId): Promise<any> => (await call("GET", `/api/board/tiles/${id}`)).tile;
const read = (id = tileId): Promise<void> => visitor.open(`/b/${boardId}?tile=${id}`);
const dialog = () => page.getByRole("dialog").first();
const button = (name: string) => dialog().getByRole("button", { name, exact: true });
const text = () => dialog().getByRole("textbox", { name: "Text", exact: true });

beforeAll(async () => {
  fixture = await startBrowserFixture({ INGEST_ATTEMPTS: "1" });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  visitor = await fixture.visit();
  await visitor.logIn(owner);
  ({ page } = visitor);
});
beforeEach(async () => {
  tileId = (await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry notes", content: TEXT })).tile.id;
});
afterAll(async () => fixture?.stop());

it("a text is shown as Markdown or as plain text", async () => {
  await read();
  await dialog().getByRole("heading", { name: "The harbour" }).waitFor();
  expect(await dialog().locator("strong").allTextContents()).toEqual(["ferry"]);
  expect(await dialog().getByRole("listitem").allTextContents()).toEqual(["one", "two"]);
  await expectAccessible(page, "reader");
  await dialog().getByRole("switch", { name: "Show as plain text" }).click();
  await dialog().getByText("# The harbour").waitFor();
  visitor.expectClean();
});

it("the title is edited in place and cannot be empty", async () => {
  await read();
  await button("Rename").click();
  const title = dialog().getByRole("textbox", { name: "Title" });
  await typeInto(title, "  ");
  await title.press("Enter");
  await dialog().getByText("Enter a title.").waitFor();
  await typeInto(title, "Ferries");
  await title.press("Enter");
  await title.waitFor({ state: "detached" });
  await dialog().getByRole("heading", { name: "Ferries" }).waitFor();
  expect((await tileNow()).title).toBe("Ferries");
  await button("Rename").click();
  await typeInto(title, "Never mind");
  await title.press("Escape");
  await title.waitFor({ state: "detached" });
  await dialog().getByRole("heading", { name: "Ferries" }).waitFor();
});

it("a text changed by somebody else is not overwritten without a choice", async () => {
  await read();
  await button("Edit text").click();
  await typeInto(text(), "Mine");
  await call("PATCH", `/api/board/tiles/${tileId}`, { content: "Theirs" });
  await button("Save text").click();
  await dialog().getByText("Someone else changed this text").waitFor();
  await dialog().getByText("Theirs", { exact: true }).waitFor();
  await expectAccessible(page, "conflict");
  expect(await text().inputValue()).toBe("Mine");
  expect((await tileNow()).extractedText).toBe("Theirs");
  await button("Use theirs").click();
  expect(await text().inputValue()).toBe("Theirs");
  await typeInto(text(), "Theirs and mine");
  await call("PATCH", `/api/board/tiles/${tileId}`, { content: "Theirs again" });
  await text().press("Control+Enter");
  await button("Replace with mine").click();
  await dialog().getByText("Theirs and mine", { exact: true }).waitFor();
  await expect.poll(async () => (await tileNow()).extractedText).toBe("Theirs and mine");
});

it("a change of another field is no conflict", async () => {
  await read();
  await button("Edit text").click();
  await typeInto(text(), "Mine");
  await call("PATCH", `/api/board/tiles/${tileId}`, { title: "Another title", sort_order: 9 });
  await button("Save text").click();
  await expect.poll(() => tileNow()).toMatchObject({ title: "Another title", extractedText: "Mine" });
  await dialog().getByText("Mine", { exact: true }).waitFor();
  await expect.poll(() => text().count()).toBe(0);
});

it("input survives going back, closing the panel and a lost connection", async () => {
  await visitor.open(`/b/${boardId}`);
  const card = page.getByRole("article").filter({ hasText: "Ferry notes" }).first();
  tileId = (await call("GET", `/api/board/${boardId}/tiles`)).tiles.find(({ title }: { title: string }) => title === "Ferry notes").id;
  await card.getByText("Ferry notes").click();
  await button("Edit text").click();
  await typeInto(text(), "Typed first");
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await card.getByText("Ferry notes").click();
  expect(await text().inputValue()).toBe("Typed first");
  await typeInto(text(), "Typed");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await text().inputValue()).toBe("Typed");
  // Makes the server unreachable for this page only.
  await visitor.context.route("**/api/**", (route) => route.abort());
  await visitor.context.route("**/health/**", (route) => route.abort());
  await button("Save text").click();
  await dialog().getByText("saved as soon as the server is reachable again", { exact: false }).waitFor();
  expect(await text().inputValue()).toBe("Typed");
  await visitor.context.unroute("**/api/**");
  await visitor.context.unroute("**/health/**");
  await dialog().getByText("Typed", { exact: true }).and(page.locator("p")).waitFor();
  expect((await tileNow()).extractedText).toBe("Typed");
});

it("a deleted tile is restored by Undo", async () => {
  await read();
  await button("Delete tile").click();
  await page.getByText("Deleted “Ferry notes”.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect
    .poll(() =>
      tileNow().then(
        ({ id }) => id,
        () => null,
      ),
    )
    .toBe(tileId);
  await read("til_00000000000000000000000000");
  await dialog().getByText("This tile does not exist").waitFor();
});

it("a transcript has timestamps that link to that second, also on a phone", async () => {
  const parts = ["Welcome to the harbour.", "A crane lifts forty tonnes.", "Ships wait outside."];
  const extractedText = `A film.\n\n${parts.join("\n\n")}`;
  const segments = parts.map((part, index) => {
    const start = extractedText.indexOf(part);
    return { start, end: start + part.length, seconds: index * 41.5 };
  });
  const film = await importTile(fixture.install, owner, {
    type: "YOUTUBE",
    sourceUrl: "https://www.youtube.com/watch?v=abc",
    extractedText,
    segments,
    metadata: { author: "Port Films", authorUrl: "javascript:alert(1)", durationSeconds: 754 },
    warnings: [{ code: "truncated", message: "Only the first hour was written down." }],
  });
  const phone = await fixture.visit(SCREENS.phone);
  await phone.logIn(owner);
  await phone.open(`/b/${film.boardId}?tile=${film.id}`);
  const times = phone.page.getByRole("list", { name: "Transcript" }).getByRole("link");
  await times.first().waitFor();
  expect(await times.allTextContents()).toEqual(["0:00", "0:42", "1:23"]);
  expect(await times.last().getAttribute("href")).toBe("https://www.youtube.com/watch?v=abc&t=83s");
  expect(await times.last().getAttribute("rel")).toBe("noopener noreferrer nofollow");
  await phone.page.getByText("Only the first hour was written down.").waitFor();
  await phone.page.getByText("Details").click();
  await phone.page.getByRole("dialog").getByText("Port Films").waitFor();
  expect(await phone.page.locator('a[href^="javascript"]').count()).toBe(0);
  await phone.page.getByRole("combobox", { name: "Refresh automatically" }).selectOption({ label: "Every day" });
  await phone.page.getByText("Saved. Refreshed every day", { exact: false }).waitFor();
  expect((await tileNow(film.id)).refreshMinutes).toBe(1_440);
  expect(await phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await expectAccessible(phone.page, "transcript");
  phone.expectClean();
  await phone.close();
});

it("a link with an edited text is refreshed only after confirmation", async () => {
  const link = await importTile(fixture.install, owner, {
    type: "WEBSITE",
    sourceUrl: "https://nowhere.invalid/page",
  });
  await call("PATCH", `/api/board/tiles/${link.id}`, { refresh_minutes: 60 });
  await call("PATCH", `/api/board/tiles/${link.id}`, { content: "Edited by hand" });
  await visitor.open(`/b/${link.boardId}?tile=${link.id}`);
  await dialog().getByText("This text was edited, so the", { exact: false }).waitFor();
  expect(await button("Refresh").count()).toBe(0);
  await dialog().getByText("Details").click();
  await dialog().getByText("Its schedule, every hour, resumes after a refresh from the link.", { exact: false }).waitFor();
  expect(await dialog().getByRole("combobox", { name: "Refresh automatically" }).count()).toBe(0);
  await expectAccessible(page, "edited link");
  await button("Refresh from the link…").click();
  const question = page.getByRole("dialog", { name: "Replace the edited text?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await tileNow(link.id)).toMatchObject({ status: "ready", textOverridden: true });
  await button("Refresh from the link…").click();
  await question.getByRole("button", { name: "Replace text" }).click();
  // The site does not exist, so the edited text stays and the reason is shown.
  await dialog().getByText("It could not be read again, so the previous text is kept.", { exact: false }).waitFor();
  await dialog().getByText("Edited by hand", { exact: true }).waitFor();
  expect(await tileNow(link.id)).toMatchObject({ status: "ready", textOverridden: true, extractedText: "Edited by hand" });
  await visitor.open(`/b/${link.boardId}`);
  await page.getByRole("article").hover();
  await page.getByRole("button", { name: /^Actions for An imported/ }).click();
  await page.getByRole("menuitem", { name: "Open original" }).waitFor();
  expect(await page.getByRole("menuitem", { name: /again/ }).count()).toBe(0);
});
