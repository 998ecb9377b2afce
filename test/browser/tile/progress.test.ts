import { afterAll, beforeAll, expect, it } from "vitest";
import { type Origin, serveArticle, startOrigin } from "../../support/servers/origin.ts";
import { expectAccessible } from "../support/axe.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS } from "../support/visitor.ts";

let origin: Origin;
let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
/** Releases the pending responses. */
let answers: (() => void)[] = [];

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    if (request.url?.startsWith("/lost") === true) {
      response.writeHead(503).end();
      return;
    }
    answers.push(() => serveArticle(request, response));
  });
  // The origin holds its responses for as long as the tests look at the page.
  fixture = await startBrowserFixture({ FETCH_ALLOW: `127.0.0.1:${origin.port}`, INGEST_TIMEOUT_MS: "600000" });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
});
afterAll(async () => {
  await fixture?.stop();
  await origin?.close();
});

const answerAll = (): void => answers.splice(0).forEach((answer) => answer());

async function openBoard(screen: keyof typeof SCREENS = "desktop") {
  const visitor = await fixture.visit(SCREENS[screen]);
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
  return visitor;
}

it("a slow page shows its progress and becomes ready without a reload", async () => {
  const ada = await openBoard();
  const { page } = ada;
  const { tile } = await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { url: `${origin.url}/slow` });
  const card = page.locator(`[data-tile="${tile.id}"]`);
  await card.getByText("Fetching…").waitFor();
  await card.getByText(/^\d+ s$/).waitFor();
  const height = (await card.boundingBox())?.height;
  await expectAccessible(page, "a board that is worked on");

  // A new visitor gets the progress immediately.
  const bert = await openBoard("phone");
  await bert.page.locator(`[data-tile="${tile.id}"]`).getByText("Fetching…").waitFor();
  await bert.page.locator(`[data-tile="${tile.id}"] [data-title]`).click();
  const reader = bert.page.getByRole("dialog");
  await reader.getByText("The text appears here when it is ready.").waitFor();
  expect(await reader.getByRole("status").allTextContents()).toEqual(["Fetching"]);
  await expectAccessible(bert.page, "a tile that is worked on");
  expect((await card.boundingBox())?.height).toBe(height);

  answerAll();
  await reader.getByText("The keeper of the northern lighthouse", { exact: false }).first().waitFor();
  await card.getByText("The northern lighthouse").waitFor();
  await card.getByText("Fetching…").waitFor({ state: "detached" });
  expect(await card.getByText("Queued").count()).toBe(0);
  for (const visitor of [ada, bert]) {
    visitor.expectClean();
    await visitor.close();
  }
});

it("links beyond the concurrency limit of a site are queued", async () => {
  const ada = await openBoard();
  const urls = Array.from({ length: 8 }, (_, n) => `${origin.url}/many-${n}`);
  for (const url of urls) await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { url });
  await ada.page.getByText("Queued…").first().waitFor();
  await ada.page.getByText("Fetching…").first().waitFor();
  await expect
    .poll(async () => {
      answerAll();
      return ada.page.getByText(/^(?:Queued|Fetching|Reading)…$/).count();
    })
    .toBe(0);
  ada.expectClean();
  await ada.close();
});

it("after a failed attempt the tooltip of the card and the reader show the error", async () => {
  const ada = await openBoard();
  const { page } = ada;
  const { tile } = await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { url: `${origin.url}/lost` });
  const card = page.locator(`[data-tile="${tile.id}"]`);
  const standing = card.getByText("Waiting to retry…");
  await standing.waitFor();
  const { error } = (await fixture.install.call(owner, "GET", `/api/board/tiles/${tile.id}`)).tile;
  // The next attempt may replace the text under the mouse before its tooltip opens.
  const showTooltip = async (): Promise<boolean> => {
    await page.mouse.move(0, 0);
    await card.locator("[data-tooltip]").filter({ hasText: "The last attempt failed" }).hover();
    const tooltip = page.locator(".fixed").getByText(error.message);
    return tooltip.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(showTooltip, { timeout: 60_000 }).toBe(true);
  await card.locator("[data-tooltip]").filter({ hasText: "The last attempt failed" }).click();
  await page.getByRole("dialog").getByText(`The last attempt failed: ${error.message}`).waitFor();
  // There are three attempts, the last after five seconds; then the tile fails.
  await page.getByRole("dialog").getByRole("button", { name: "Retry" }).waitFor({ timeout: 300_000 });
  ada.expectClean();
  await ada.close();
});
