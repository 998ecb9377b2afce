import type { Page, Route } from "playwright-core";
import { afterEach, beforeAll, afterAll, expect, it } from "vitest";
import { SAMPLE_QUESTIONS, SAMPLE_ZONES } from "../../../web/src/sample/content.ts";
import { expectAccessible } from "../support/axe.ts";
import { fill, press } from "../support/input/forms.ts";
import { type Session, OWNER } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, type Visitor, settle } from "../support/visitor.ts";

const NAME = "Sample: Fernhill Observatory";
const TITLES = SAMPLE_ZONES.flatMap(({ tiles }) => tiles.map(({ title }) => title));

/** Runs before a page loads: records layout shifts (Layout Instability API), also those that follow a click. */
const WATCH_SHIFTS =
  "globalThis.__layoutShifts = []; new PerformanceObserver((list) => globalThis.__layoutShifts.push(...list.getEntries().map((e) => e.value))).observe({ type: 'layout-shift', buffered: true });";
/** Half of what is regarded as good (web.dev/cls). */
const MAX_LAYOUT_SHIFT = 0.05;

let fixture: BrowserFixture;
let owner: Session;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const listBoards = async (): Promise<{ id: string; name: string }[]> => (await call("GET", "/api/board/boards")).boards;
const listSamples = async () => (await listBoards()).filter(({ name }) => name === NAME);
const offer = (on: Page = page) => on.getByRole("region", { name: "New here? Look at a sample first" });
const banner = (on: Page = page) => on.getByRole("region", { name: "Sample board" });
const isReady = (on: Page = page) => banner(on).getByText("The sample board is ready").waitFor();

/** Zone names and tile titles of the only sample board, in the order of the page. */
async function readSample(): Promise<readonly (readonly [string, readonly string[]])[]> {
  const [board, ...others] = await listSamples();
  expect(others).toEqual([]);
  const { zones } = await call("GET", `/api/board/${board?.id}/zones`);
  const { tiles } = await call("GET", `/api/board/${board?.id}/tiles?order=position`);
  return zones.map((zone: any) => [zone.name, tiles.filter((one: any) => one.zoneId === zone.id).map((one: any) => one.title)]);
}
const COMPLETE = SAMPLE_ZONES.map(({ name, tiles }) => [name, tiles.map(({ title }) => title)]);

/** A browser that has not been here before, on an install whose only board is empty. */
async function openEmptyBoard(): Promise<void> {
  for (const { id } of await listSamples()) await call("DELETE", `/api/board/boards/${id}`);
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
  await visitor.open("/");
  await page.getByText("This board is empty").waitFor();
}

/** Expects that a browser that has not been here before gets no offer on an empty board. */
async function expectNoOffer(session: Session, path: string): Promise<void> {
  const other = await fixture.visit();
  await other.logIn(session);
  await other.open(path);
  await other.page.getByText("This board is empty").waitFor();
  await settle(other.page);
  expect(await offer(other.page).count()).toBe(0);
  other.expectClean();
  await other.close();
}

async function joinAsMember(): Promise<Session> {
  const { email, password } = { email: "bert@lighthouse.test", password: "salt on every windowpane" };
  const { link } = await call("POST", "/api/settings/invitations", { email, role: "member" });
  // With the owner's cookie, this would end the owner's session.
  await fixture.install.call({ cookie: "" }, "POST", "/api/settings/invitations/accept", { token: link.split("#")[1], password });
  return fixture.install.logIn(email, password);
}

beforeAll(async () => {
  fixture = await startBrowserFixture();
});
afterEach(async () => {
  await visitor?.close();
});
afterAll(async () => fixture?.stop());

it("the sample board is offered after the claim, and filled, asked and read with the keyboard alone", { timeout: 300_000 }, async () => {
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.open(fixture.install.claimUrl);
  await fill(page, { "E-mail": OWNER.email, Password: OWNER.password });
  await press(page, "Create account");
  await offer().waitFor();
  await expectAccessible(page, "offer");
  owner = await fixture.install.logIn(OWNER.email, OWNER.password);

  await page.getByRole("button", { name: "Try a sample board" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("main", { name: NAME }).waitFor();
  await isReady();
  expect(await readSample()).toEqual(COMPLETE);
  for (const title of TITLES) await page.getByRole("article").filter({ hasText: title }).waitFor();
  await expectAccessible(page, "sample board");

  // The Ask panel is open, with the focus in its field; the questions are before it.
  await page.getByRole("textbox", { name: "Your question" }).and(page.locator(":focus")).waitFor();
  const answers = page.getByRole("region", { name: "Questions and answers" });
  for (const [at, question] of SAMPLE_QUESTIONS.entries()) {
    await page.getByRole("button", { name: question }).focus();
    await page.keyboard.press("Enter");
    await answers.and(page.locator(":focus")).waitFor();
    await expect.poll(() => answers.getByText("Tiles used").count()).toBe(at + 1);
    expect(await page.getByRole("button", { name: question }).count()).toBe(0);
  }
  expect(await page.getByText("No answer found").count()).toBe(0);
  expect(await page.getByText("Ask next").count()).toBe(0);
  await expectAccessible(page, "answers");

  await answers
    .getByRole("button", { name: /Dome log, spring 2026/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  const mark = page.getByRole("dialog", { name: "Dome log, spring 2026" }).locator("mark");
  await mark.filter({ hasText: "The dome is closed to visitors" }).first().waitFor();
  visitor.expectClean();
});

it("the sample board explains itself until the message is hidden, and suggests its questions again", async () => {
  await openEmptyBoard();
  await press(page, "Try a sample board");
  await isReady();
  await page.reload();
  await isReady();
  await press(page, "Hide this message");
  await banner().waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("article").first().waitFor();
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await page.getByRole("button", { name: SAMPLE_QUESTIONS[0] as string }).waitFor();
  expect(await banner().count()).toBe(0);
  visitor.expectClean();
});

it("the sample board is deleted like any board, and is not offered again", async () => {
  await openEmptyBoard();
  await press(page, "Try a sample board");
  await isReady();
  await banner().getByRole("link", { name: "Settings, Boards" }).click();
  await press(page, `Actions for ${NAME}`);
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect.poll(listSamples).toEqual([]);
  await visitor.open("/");
  await page.getByText("This board is empty").waitFor();
  await settle(page);
  expect(await offer().count()).toBe(0);
  visitor.expectClean();
});

it("the sample board is not offered again after it was declined, and the focus moves to the first step", async () => {
  await openEmptyBoard();
  await press(page, "Start empty");
  await offer().waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Add the first zone" }).and(page.locator(":focus")).waitFor();
  await page.reload();
  await page.getByText("This board is empty").waitFor();
  await settle(page);
  expect(await offer().count()).toBe(0);
  expect(await listSamples()).toEqual([]);
  visitor.expectClean();
});

it("the sample board is not offered where there was content, on a second board, or to members", async () => {
  await openEmptyBoard();
  await offer().waitFor();
  const boardId = await fixture.install.defaultBoard(owner);
  const { tile } = await call("POST", `/api/board/${boardId}/tiles`, { content: "The first own note." });
  await page.getByRole("article").waitFor();
  await call("DELETE", `/api/board/tiles/${tile.id}`);
  await page.getByText("This board is empty").waitFor();
  await settle(page);
  expect(await offer().count()).toBe(0);

  const second = (await call("POST", "/api/board/boards", { name: "Second" })).board;
  await expectNoOffer(owner, `/b/${second.id}`);
  await call("DELETE", `/api/board/boards/${second.id}`);
  await expectNoOffer(await joinAsMember(), "/");
  visitor.expectClean();
});

it("the sample board says when the board can't be created, and a retry creates one board", async () => {
  await openEmptyBoard();
  let isLost = false;
  await page.route("**/api/board/boards", async (route: Route) => {
    if (route.request().method() !== "POST" || isLost) return route.fallback();
    isLost = true;
    // The server creates the board, and the response is lost.
    await route.fetch();
    await route.fulfill({ status: 429, json: { error: "Too many requests." } });
  });
  await press(page, "Try a sample board");
  await offer().getByRole("alert").filter({ hasText: "could not be created. Too many requests." }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/b/${await fixture.install.defaultBoard(owner)}`);
  await press(page, "Try again");
  await isReady();
  expect(await readSample()).toEqual(COMPLETE);
  visitor.expectClean();
});

it.each([
  ["a note", "**/api/board/*/tiles", "Dome log"],
  ["an upload", "**/api/board/*/files", "Three winters"],
])(
  "the sample board that loses the response to %s says so, survives a reload, and is completed without duplicates",
  async (_kind, path, title) => {
    await openEmptyBoard();
    await page.route(path, async (route: Route) => {
      if (route.request().method() !== "POST" || route.request().postDataBuffer()?.includes(title) !== true) return route.fallback();
      await route.fetch();
      await route.fulfill({ status: 429, json: { error: "Too many requests." } });
    });
    await press(page, "Try a sample board");
    const incomplete = banner().getByRole("alert").filter({ hasText: "The sample board is incomplete" });
    await incomplete.filter({ hasText: "Too many requests." }).waitFor();
    await expectAccessible(page, "incomplete sample board");
    // The Ask panel is open, but the tiles could not answer the questions.
    await page.getByRole("textbox", { name: "Your question" }).waitFor();
    expect(await page.getByRole("button", { name: SAMPLE_QUESTIONS[0] as string }).count()).toBe(0);
    await page.unroute(path);
    await page.reload();
    await incomplete.waitFor();
    await press(page, "Add the missing tiles");
    await isReady();
    expect(await readSample()).toEqual(COMPLETE);
    visitor.expectClean();
  },
);

it.each([
  ["on a desktop", { viewport: { width: 1440, height: 900 } }],
  ["on a tablet", SCREENS.tablet],
  ["on a phone", SCREENS.phone],
])("the sample board moves nothing while it is filled and when it is opened again, %s", async (_screen, size) => {
  for (const { id } of await listSamples()) await call("DELETE", `/api/board/boards/${id}`);
  visitor = await fixture.visit(size);
  ({ page } = visitor);
  await page.addInitScript(WATCH_SHIFTS);
  await visitor.logIn(owner);
  await visitor.open("/");
  await offer().waitFor();
  await page.evaluate("globalThis.__layoutShifts.splice(0)");
  await press(page, "Try a sample board");
  await isReady();
  await settle(page);
  const shifts = await page.evaluate<number[]>("globalThis.__layoutShifts");
  // Cards lose their line of progress; the layout as a whole stays.
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(MAX_LAYOUT_SHIFT);

  // A reload moves nothing, however late the banner's code and the list of boards arrive.
  for (const late of [/\/assets\/sample-views-.*\.js$/, "**/api/board/boards"])
    await page.route(late, async (route: Route) => {
      await page.getByRole("article").first().waitFor();
      await settle(page);
      await route.fallback();
    });
  await page.reload();
  await isReady();
  await settle(page);
  // Digits in the banner and on the cards may change.
  const later = await page.evaluate<number[]>("globalThis.__layoutShifts");
  expect(later.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.002);
  await page.unrouteAll({ behavior: "wait" });
  visitor.expectClean();
});

it.each(["light", "dark"] as const)(
  "the sample board on a phone in the %s theme covers nothing, and has names for everything",
  async (colorScheme) => {
    for (const { id } of await listSamples()) await call("DELETE", `/api/board/boards/${id}`);
    visitor = await fixture.visit({ ...SCREENS.phone, colorScheme });
    ({ page } = visitor);
    await visitor.logIn(owner);
    await visitor.open("/");
    await offer().waitFor();
    await expectAccessible(page, `offer on a phone, ${colorScheme}`);
    await page.getByRole("button", { name: "Try a sample board" }).tap();
    await isReady();
    expect(await page.getByRole("textbox", { name: "Your question" }).count()).toBe(0);
    await expectAccessible(page, `sample on a phone, ${colorScheme}`);
    await banner().getByRole("button", { name: "Ask a question" }).tap();
    await page.getByRole("button", { name: SAMPLE_QUESTIONS[2] as string }).tap();
    await page.getByText("3,024 visitors").first().waitFor();
    await page.getByText("Tiles used").waitFor();
    await expectAccessible(page, `answer on a phone, ${colorScheme}`);
    visitor.expectClean();
  },
);
