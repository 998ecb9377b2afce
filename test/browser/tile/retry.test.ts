import { paste } from "../support/input/forms.ts";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";

const LINKS = 30;
/** A private address, which is not in the server's allow list. */
const INSIDE = "10.1.2.3:8080";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;
/** A site that fails first and works later. */
let site: Server;
let isBroken = true;
const writes: string[] = [];

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === "/inside") return void response.writeHead(302, { location: `http://${INSIDE}/` }).end();
    response.writeHead(isBroken ? 404 : 200, { "content-type": "text/html" });
    response.end(
      `<title>Log ${request.url}</title><article><p>${"The ferry left at six and came back at nine. ".repeat(20)}</p></article>`,
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => site.once("listening", resolve));
  const { port } = site.address() as AddressInfo;
  fixture = await startBrowserFixture({ FETCH_ALLOW: `127.0.0.1:${port}`, INGEST_ATTEMPTS: "1" });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  for (let n = 0; n < LINKS; n++)
    await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { url: `http://127.0.0.1:${port}/${n}`, title: `Ferry ${n}` });
  visitor = await fixture.visit();
  ({ page } = visitor);
  page.on("response", async (response) => {
    if (!response.url().includes("/api/") || response.request().method() === "GET") return;
    writes.push(`${response.request().method()} ${new URL(response.url()).pathname.split("/").at(-1)} ${await response.text()}`);
  });
  await visitor.logIn(owner);
  await visitor.open(`/b/${boardId}`);
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
  site?.close();
});

it("all failed tiles are retried in one request, whose response contains no texts", async () => {
  await page.getByText(`${LINKS} failed`).waitFor();
  isBroken = false;
  await page.getByRole("button", { name: "Retry all" }).click();
  await page.getByText(`Refreshing ${LINKS} tiles.`).waitFor();
  await page.getByText(`${LINKS} failed`).waitFor({ state: "detached" });
  const ready = async (): Promise<number> =>
    (await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles?status=ready&text=false`)).tiles.length;
  await expect.poll(ready, { timeout: 300_000 }).toBe(LINKS);
  await expect.poll(() => page.getByRole("article").getByText("Retry", { exact: true }).count()).toBe(0);
  expect(writes).toEqual([`POST retry {"retried":${LINKS}}`]);
});

it("tiles that cannot be refreshed show the reason", async () => {
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles?text=false`);
  await fixture.install.call(owner, "PATCH", `/api/board/tiles/${tiles[0].id}`, { content: "Written by hand." });
  const card = page.getByRole("article").filter({ hasText: "Ferry 0" });
  await card.getByRole("button", { name: "Ferry 0", exact: true }).focus();
  await page.keyboard.press("r");
  await page
    .getByText(
      "This tile cannot be refreshed: it is still processing, it is a note, or its text was edited. To replace an edited text, open the tile.",
      { exact: true },
    )
    .waitFor();
});

it("a private address is refused with the setting that allows it, and without a useless retry", async () => {
  await page.keyboard.press("Escape");
  await paste(page, `http://${INSIDE}/wiki`);
  await page.getByText(`by adding ${INSIDE} to FETCH_ALLOW.`).waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);

  const { port } = site.address() as AddressInfo;
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { url: `http://127.0.0.1:${port}/inside`, title: "Wiki" });
  await page.getByLabel("Order").selectOption({ label: "Newest first" });
  const card = page.getByRole("article").filter({ hasText: "Wiki" });
  await card.getByText(`by adding ${INSIDE} to FETCH_ALLOW.`).waitFor();
  await card.getByRole("button", { name: "Paste text instead" }).waitFor();
  expect(await card.getByRole("button", { name: "Retry", exact: true }).count()).toBe(0);
  await card.getByRole("button", { name: "Wiki", exact: true }).click();
  const reader = page.getByRole("dialog", { name: "Wiki" });
  await reader.getByText(`by adding ${INSIDE} to FETCH_ALLOW.`).waitFor();
  expect(await reader.getByRole("button", { name: "Retry", exact: true }).count()).toBe(0);
});

it("retrying all leaves out addresses that stay refused, and says so", async () => {
  const { port } = site.address() as AddressInfo;
  isBroken = true;
  await visitor.open(`/b/${boardId}`);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { url: `http://127.0.0.1:${port}/late`, title: "Late ferry" });
  await page.getByText("2 failed").waitFor();
  isBroken = false;
  await page.getByRole("button", { name: "Retry all" }).click();
  await page.getByText("Refreshing 1 tile. 1 tile was left out: the server does not fetch its address.", { exact: true }).waitFor();
  await page.getByText("1 failed").waitFor();
  await page.getByRole("button", { name: "Retry all" }).click();
  await page.getByText("1 tile was left out: the server does not fetch its address.", { exact: true }).waitFor();
  await page.getByText("1 failed").waitFor();
});
