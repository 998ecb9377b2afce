import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Session } from "../support/install.ts";
import { fillZone } from "../support/content/many.ts";
import { MAX_AT_ONCE, WATCH_RENDERING, readRendering, renderBoard } from "../support/rendering.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";
import { typeInto } from "../support/input/typing.ts";

const TILES = 2_000;
const RED_COUNT = 200;

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let zones: Readonly<Record<"Log" | "Store", string>>;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  const { install } = fixture;
  owner = await install.claim();
  boardId = await install.defaultBoard(owner);
  const newZone = async (name: string): Promise<string> =>
    (await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name })).zone.id;
  zones = { Log: await newZone("Log"), Store: await newZone("Store") };
  const tiles = Array.from({ length: TILES }, (_, i) => ({
    title: `${i % (TILES / RED_COUNT) === 0 ? "Red" : "Grey"} entry ${String(i).padStart(4, "0")}`,
    content: `What was written down as number ${i}.`,
  }));
  await fillZone(install, owner, { boardId, zoneId: zones.Log }, tiles);
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
  await page.addInitScript(WATCH_RENDERING);
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

const zone = (name: string) => page.getByRole("region", { name, exact: true });
const card = (title: string) => page.getByRole("article").filter({ hasText: title });
const filter = () => page.getByLabel("Filter by title or URL", { exact: true });
/** The number of tiles that a column shows in its header. */
const count = async (name: string): Promise<string> =>
  /[\d,]+(?: of [\d,]+)? tiles/.exec((await zone(name).locator("header").textContent()) ?? "")?.[0] ?? "";
/** The titles of a zone in order, from the server. */
async function readTitles(name: "Log" | "Store"): Promise<string[]> {
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles?fields=-text`);
  return tiles
    .filter(({ zoneId }: { zoneId: string }) => zoneId === zones[name])
    .sort((a: any, b: any) => a.sortOrder - b.sortOrder || (a.createdAt < b.createdAt ? -1 : 1))
    .map(({ title }: { title: string }) => title);
}
/** The API requests of the page, and the size of their responses on the wire, including headers. */
async function watchTraffic() {
  const session = await page.context().newCDPSession(page);
  let calls: string[] = [];
  let bytes = 0;
  const api = new Set<string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/api/") || pathname.endsWith("/events")) return;
    api.add(requestId);
    calls.push(`${request.method} ${pathname.split("/").at(-1)}`);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (api.has(requestId)) bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return {
    read: () => ({ calls, bytes }),
    clear: () => {
      calls = [];
      bytes = 0;
    },
    stop: () => session.detach(),
  };
}
it("a board of 2,000 tiles opens", async () => {
  expect((await renderBoard(page, `/b/${boardId}`)).largest).toBeLessThan(MAX_AT_ONCE);
  await expect.poll(() => count("Log")).toBe("2,000 tiles");
});

it("a column scrolls from top to end and shows every tile", { timeout: 300_000 }, async () => {
  await visitor.open(`/b/${boardId}`);
  await card("Red entry 0000").waitFor();
  await readRendering(page);
  const seen = new Set(await page.evaluate<readonly string[]>(SCROLL));
  expect((await readRendering(page)).largest).toBeLessThan(MAX_AT_ONCE);
  expect(seen.size).toBe(TILES);
  await card("Grey entry 1999").waitFor();
  expect(await page.getByRole("article").count()).toBeLessThan(200);
});

it("one tile of 2,000 is moved to the end of its zone", async () => {
  await visitor.open(`/b/${boardId}`);
  await card("Grey entry 0001").getByRole("button", { name: "Grey entry 0001", exact: true }).focus();
  await readRendering(page);
  await page.keyboard.press("m");
  await page.getByRole("dialog").getByLabel("Bottom").check();
  await page.getByRole("dialog").getByRole("button", { name: /^Log/ }).click();
  await page.getByText("Moved “Grey entry 0001”.").waitFor();
  await expect.poll(async () => (await readTitles("Log")).at(-1)).toBe("Grey entry 0001");
  expect((await readRendering(page)).largest).toBeLessThan(MAX_AT_ONCE);
  expect((await readTitles("Log")).slice(0, 3)).toEqual(["Red entry 0000", "Grey entry 0002", "Grey entry 0003"]);
});

it("200 filtered tiles are selected and moved in order", async () => {
  await visitor.open(`/b/${boardId}`);
  await typeInto(filter(), "red");
  await expect.poll(() => count("Log")).toBe("200 of 2,000 tiles");
  await card("Red entry 0000").getByRole("button", { name: "Red entry 0000", exact: true }).focus();
  await readRendering(page);
  await page.keyboard.press("Control+a");
  const chosen = page.getByRole("toolbar", { name: "Selected tiles" });
  await chosen.getByText("200 tiles selected").waitFor();
  await chosen.getByRole("button", { name: "Move to…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Store", exact: true }).click();
  await page.getByText("Moved 200 tiles to Store.").waitFor();
  expect((await readRendering(page)).largest).toBeLessThan(MAX_AT_ONCE);
  await expect.poll(async () => (await readTitles("Store")).length, { timeout: 300_000 }).toBe(RED_COUNT);
  expect(await readTitles("Store")).toEqual((await readTitles("Store")).toSorted());
  expect(await readTitles("Log")).toHaveLength(TILES - RED_COUNT);
  await page.getByRole("button", { name: "Clear filters", exact: true }).first().click();
  await expect.poll(() => count("Store")).toBe("200 tiles");
  await expect.poll(() => count("Log")).toBe("1,800 tiles");
});

it("a deletion by somebody else costs a few kilobytes: what changed, and the numbers of tiles", async () => {
  await visitor.open(`/b/${boardId}`);
  await expect.poll(() => count("Log")).toBe("1,800 tiles");
  const traffic = await watchTraffic();
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles?text=false&limit=500`);
  const [gone, ...others] = tiles.filter(({ zoneId }: { zoneId: string }) => zoneId === zones.Log) as { id: string }[];
  await fixture.install.call(owner, "DELETE", `/api/board/tiles/${gone!.id}`);
  await expect.poll(() => count("Log")).toBe("1,799 tiles");
  process.stdout.write(`one deletion: ${JSON.stringify(traffic.read())}\n`);
  expect(traffic.read().bytes).toBeLessThan(4 * 1_024);
  expect(traffic.read().calls.length).toBeLessThanOrEqual(5);
  await fixture.install.call(owner, "POST", `/api/board/tiles/${gone!.id}/restore`);
  const filter = { tile_ids: others.slice(0, 200).map(({ id }) => id) };
  await expect.poll(() => count("Log")).toBe("1,800 tiles");
  traffic.clear();
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles/bulk`, { filter, action: { delete: true } });
  await expect.poll(() => count("Log")).toBe("1,600 tiles");
  expect(traffic.read().bytes).toBeLessThan(16 * 1_024);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles/bulk`, { filter, action: { restore: true } });
  await expect.poll(() => count("Log")).toBe("1,800 tiles");
  await traffic.stop();
});

it("200 tiles are selected, deleted and restored at their positions", async () => {
  await visitor.open(`/b/${boardId}`);
  const before = await readTitles("Store");
  await zone("Store").getByRole("article").first().getByRole("button", { name: before[0]!, exact: true }).focus();
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+End");
  await page.getByText("200 tiles selected").waitFor();
  await readRendering(page);
  const traffic = await watchTraffic();
  await page.keyboard.press("Delete");
  await page.getByText("Deleted 200 tiles.").waitFor();
  await expect.poll(async () => (await readTitles("Store")).length, { timeout: 300_000 }).toBe(0);
  expect(traffic.read().calls.filter((call) => call.startsWith("POST") || call.startsWith("DELETE"))).toEqual(["POST bulk"]);
  await traffic.stop();
  await expect.poll(() => count("Store")).toBe("0 tiles");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(async () => (await readTitles("Store")).length, { timeout: 300_000 }).toBe(RED_COUNT);
  expect((await readRendering(page)).largest).toBeLessThan(MAX_AT_ONCE);
  expect(await readTitles("Store")).toEqual(before);
  await expect.poll(() => count("Store")).toBe("200 tiles");
  await expect.poll(() => zone("Store").locator("[data-title]").first().textContent()).toBe(before[0]);
});

/** Scrolls the first column to its end in steps smaller than the view. Returns the titles that appeared. */
const SCROLL = `(async () => {
  const scroller = document.querySelector("[data-scroller]");
  const { top, bottom } = scroller.getBoundingClientRect();
  const seen = new Set();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const inSight = () => [...scroller.querySelectorAll("[data-tile]")].map((card) => card.getBoundingClientRect()).filter((card) => card.bottom > top && card.top < bottom);
  const isAtEnd = () => scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1 && !scroller.textContent.includes("Loading tiles…");
  const isDrawn = () => {
    const cards = inSight();
    return cards.some((card) => card.top < top + 20) && (isAtEnd() || cards.some((card) => card.bottom > bottom - 20));
  };
  const look = async () => {
    await frame();
    for (let frames = 0; frames < 300 && !isDrawn(); frames++) await frame();
    scroller.querySelectorAll("[data-title]").forEach((title) => seen.add(title.textContent));
  };
  await look();
  // The list grows a frame after the last page was added.
  for (let atEnd = 0; atEnd < 3; atEnd = isAtEnd() ? atEnd + 1 : 0) {
    scroller.scrollTop += 400;
    await look();
  }
  return [...seen];
})()`;
