import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { type Origin, startOrigin } from "../../support/servers/origin.ts";
import { expectAccessible } from "../support/axe.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";

const HOURS = "Opening hours of the chandlery in Quillport:\n\n| Day | Hours |\n| --- | --- |\n| Monday | 9–17 |\n| Saturday | 10–13 |";
/** The background and ring that distinguish an element from its surroundings. */
const getStyle = (element: any): string => {
  const { backgroundColor, boxShadow } = (globalThis as any).getComputedStyle(element);
  const seen = (part: string): boolean => !/rgba\(0, 0, 0, 0\)|none/.test(part);
  return [backgroundColor, boxShadow].filter(seen).join(" ");
};
const QUESTION = "When is the chandlery in Quillport open on Saturday?";

let origin: Origin;
let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const add = async (fields: object): Promise<string> => (await call("POST", `/api/board/${boardId}/tiles`, fields)).tile.id;

beforeAll(async () => {
  // Requests to /slow are never answered, so that each attempt ends after seconds; with many attempts the tile remains in progress.
  origin = await startOrigin((request, response) => {
    if (request.url === "/broken") response.writeHead(404).end("gone");
  });
  fixture = await startBrowserFixture({ FETCH_ALLOW: `127.0.0.1:${origin.port}`, INGEST_ATTEMPTS: "20", EMBEDDINGS: "off" });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  visitor = await fixture.visit();
  await visitor.logIn(owner);
  ({ page } = visitor);
});
afterAll(async () => {
  await fixture?.stop();
  await origin?.close();
});

async function openPanel(): Promise<void> {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await page.getByRole("textbox", { name: "Your question" }).waitFor();
}

async function askAnew(): Promise<string> {
  const box = page.getByRole("textbox", { name: "Your question" });
  const answers = await page.getByText(/tokens read/).count();
  await box.pressSequentially(QUESTION);
  await box.press("Enter");
  await expect.poll(() => page.getByText(/tokens read/).count()).toBe(answers + 1);
  return page.getByRole("article").last().innerText();
}

it("a saved answer is not used in the next answer until it is switched on in the reader", async () => {
  await add({ title: "Chandlery", content: HOURS });
  await openPanel();
  await askAnew();
  const readAnswer = (): Promise<string> => page.getByRole("article").last().innerText();
  // The code that renders Markdown is loaded with the first answer.
  await expect.poll(readAnswer).toContain("Day: Saturday · Hours: 10–13");
  expect(await readAnswer()).not.toMatch(/\||\[unsupported\]/);
  await page.getByRole("article").last().getByRole("button", { name: "Save as tile" }).click();
  await page.getByRole("menuitem", { name: "No zone" }).click();
  // The notification stays while the pointer is on it, however long the next answer takes.
  await page.getByText("Saved as a tile. To use it in answers, turn on “Use in answers” in the tile.").hover();
  expect(await askAnew()).not.toContain("Saved answer");
  const sources = () =>
    page
      .getByRole("article")
      .last()
      .getByRole("button", { name: new RegExp(`^\\d+\\s*${QUESTION.slice(0, -1)}`) });
  expect(await sources().count()).toBe(0);

  await page.getByRole("button", { name: "Open", exact: true }).last().click();
  const reader = page.getByRole("dialog", { name: QUESTION });
  await reader.getByText("Saved answer", { exact: true }).waitFor();
  await reader.getByText("Saved answers are not used in new answers", { exact: false }).waitFor();
  const toggle = reader.getByRole("switch", { name: "Use in answers" });
  expect(await toggle.isChecked()).toBe(false);
  await expectAccessible(page, "saved answer");
  await toggle.press("Space");
  await reader.getByText("Answers and generated drafts may use and quote this tile.").waitFor();
  await openPanel();
  await askAnew();
  await expect.poll(() => sources().count()).toBeGreaterThan(0);
  visitor.expectClean();
});

it("a saved answer is at the top of its zone, with its sources as a list", async () => {
  const zoneId = (await call("POST", `/api/board/${boardId}/zones`, { name: "Answers" })).zone.id;
  await add({ title: "Earlier note", content: "It was there before.", zone_id: zoneId });
  await openPanel();
  await askAnew();
  await page.getByRole("article").last().getByRole("button", { name: "Save as tile" }).click();
  await page.getByRole("menuitem", { name: "Answers" }).click();
  const cards = page.getByRole("region", { name: "Answers", exact: true }).getByRole("article");
  await expect.poll(() => cards.count()).toBe(2);
  await expect.poll(() => cards.first().innerText()).toContain(QUESTION);
  await cards.first().getByText(QUESTION).click();
  const reader = page.getByRole("dialog", { name: QUESTION });
  await reader.getByText("Sources", { exact: true }).first().waitFor();
  await reader.getByRole("listitem").filter({ hasText: "Chandlery: “" }).first().waitFor();
  visitor.expectClean();
});

it("the palette finds all tiles, and labels those not used in answers", async () => {
  const closed = (await call("POST", `/api/board/${boardId}/zones`, { name: "Closed", connected_to_chat: false })).zone.id;
  await add({ title: "Parrot", content: "The harbour master keeps a parrot called Admiral.", zone_id: closed });
  await add({ title: "Tide almanac", url: `${origin.url}/slow` });
  const failed = await add({ title: "Zeppelin report", url: `${origin.url}/broken` });
  await call("GET", `/api/board/tiles/${failed}?wait=20`);
  await visitor.open(`/b/${boardId}`);
  // Keys are handled once the board is drawn.
  await page.getByRole("article").first().waitFor();
  for (const [words, title, state] of [
    ["parrot admi", "Parrot", "Not in answers"],
    ["almanac", "Tide almanac", "Processing"],
    ["zeppel", "Zeppelin report", "Failed"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByLabel("Search tiles, boards and actions", { exact: true }).pressSequentially(words);
    await page.getByRole("option", { name: new RegExp(`${title}.*${state}`) }).waitFor();
    // The status is visible on the selected row.
    const badge = page.getByRole("option").first().getByText(state, { exact: true });
    expect(await badge.evaluate(getStyle)).not.toBe(await page.getByRole("option").first().evaluate(getStyle));
    if (state === "Failed") await expectAccessible(page, "palette");
    await page.keyboard.press("Enter");
    const reader = page.getByRole("dialog", { name: title });
    await reader.waitFor();
    expect(await reader.getByText("The text has changed, and no longer contains this quote", { exact: false }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await reader.waitFor({ state: "hidden" });
  }
  visitor.expectClean();
});

it("the switch explains that the zone decides", async () => {
  const { tiles } = await call("GET", `/api/board/${boardId}/tiles`);
  const parrot = tiles.find(({ title }: { title: string }) => title === "Parrot");
  await visitor.open(`/b/${boardId}?tile=${parrot.id}`);
  const reader = page.getByRole("dialog", { name: "Parrot" });
  await reader.getByText("Its zone “Closed” is not connected to chat", { exact: false }).waitFor();
  await reader.getByRole("switch", { name: "Use in answers" }).press("Space");
  await reader.getByText("Answers and generated drafts do not use this tile. Search still finds it.").waitFor();
  expect((await call("GET", `/api/board/tiles/${parrot.id}`)).tile.connectedToChat).toBe(false);
  visitor.expectClean();
});
