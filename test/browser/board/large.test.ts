import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { fillZone } from "../support/content/many.ts";
import { typeInto } from "../support/input/typing.ts";
import type { Session } from "../support/install.ts";
import type { Visitor } from "../support/visitor.ts";

const SMALL = 200;
const LARGE = 20_000;
const ZONES = ["Log", "Store", "Ideas", "Drafts"] as const;
/** The zone that is scrolled to its end, so that this takes few steps. */
const SHORT = 1_200;

type Board = { readonly id: string; readonly zones: Readonly<Record<(typeof ZONES)[number], string>> };

let fixture: BrowserFixture;
let owner: Session;
let small: Board;
let large: Board;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  small = await createBoard("Small", SMALL, SMALL / 4);
  large = await createBoard("Large", LARGE, SHORT);
  await fixture.install.call(owner, "POST", `/api/board/${large.id}/tiles`, { content: "Outside", title: "Outside entry" });
  visitor = await fixture.visit({ viewport: { width: 1_440, height: 900 } });
  ({ page } = visitor);
  await visitor.logIn(owner);
}, 300_000);
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

/** Creates a board of four zones, of which "Drafts" has `short` tiles, and the others equal parts of the rest. */
async function createBoard(name: string, tiles: number, short: number): Promise<Board> {
  const { install } = fixture;
  const { id } = (await install.call(owner, "POST", "/api/board/boards", { name })).board;
  const zones: Record<string, string> = {};
  for (const zone of ZONES) {
    const zoneId = (await install.call(owner, "POST", `/api/board/${id}/zones`, { name: zone })).zone.id;
    zones[zone] = zoneId;
    const count = zone === "Drafts" ? short : Math.floor((tiles - short) / 3);
    const entries = Array.from({ length: count }, (_, i) => ({ title: `${zone} ${String(i).padStart(5, "0")}`, content: "An entry." }));
    await fillZone(install, owner, { boardId: id, zoneId }, entries);
  }
  return { id, zones: zones as Board["zones"] };
}

const zone = (name: string) => page.getByRole("region", { name, exact: true });
const card = (title: string) => page.getByRole("article").filter({ hasText: title });
const open = (title: string) => card(title).getByRole("button", { name: title, exact: true });
const scroller = (name: string) => zone(name).locator("[data-scroller]");
const count = async (name: string): Promise<string> =>
  /[\d,…]+(?: of [\d,…]+)? tiles/.exec((await zone(name).locator("header").textContent()) ?? "")?.[0] ?? "";

/** The titles of tiles at an end of a zone, from the server. */
async function readTitles(zoneId: string): Promise<string[]> {
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${large.id}/tiles?zone_id=${zoneId}&order=position&text=false`);
  return tiles.map(({ title }: { title: string }) => title);
}

type Traffic = { readonly requests: number; readonly bytes: number; readonly rows: number };

/** Opens a board in a new page load, and returns its requests for zones and tiles, their bytes before compression, and their tiles. */
async function measureOpening(boardId: string, first: string): Promise<Traffic> {
  const bodies: Promise<Buffer>[] = [];
  const onResponse = (response: Response): void => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith(`/api/board/${boardId}/`) && !pathname.endsWith("/events")) bodies.push(response.body());
  };
  page.on("response", onResponse);
  await visitor.open(`/b/${boardId}`);
  await card(first).waitFor();
  await page.waitForLoadState("load");
  await expect.poll(async () => (await Promise.all(ZONES.map(count))).filter((text) => /^[\d,]+ tiles$/.test(text)).length).toBe(4);
  page.off("response", onResponse);
  const read = await Promise.all(bodies);
  const rows = read.reduce((sum, body) => sum + (JSON.parse(body.toString()).tiles?.length ?? 0), 0);
  return { requests: read.length, bytes: read.reduce((sum, body) => sum + body.length, 0), rows };
}

it("a board of 20,000 tiles opens with as much traffic as a few boards of 200", async () => {
  const few = await measureOpening(small.id, "Log 00000");
  const many = await measureOpening(large.id, "Log 00000");
  process.stdout.write(`200 tiles: ${JSON.stringify(few)}\n20,000 tiles: ${JSON.stringify(many)}\n`);
  expect(few.rows).toBe(SMALL);
  expect(many.rows).toBeLessThanOrEqual(SMALL + 4 * 100 + 10);
  expect(many.bytes).toBeLessThan(4 * few.bytes);
  expect(many.requests - few.requests).toBeLessThanOrEqual(2 * ZONES.length + 2);
  expect(await count("Log")).toBe("6,266 tiles");
  expect(await count("Drafts")).toBe("1,200 tiles");
  await zone("No zone").waitFor();
  expect(await page.getByRole("article").count()).toBeLessThan(200);
});

it("a zone is loaded while it is scrolled to its end", async () => {
  await visitor.open(`/b/${large.id}`);
  await card("Drafts 00000").waitFor();
  await expect
    .poll(
      async () => {
        await scroller("Drafts").evaluate((element: any) => element.scrollTo({ top: element.scrollHeight }));
        return card("Drafts 01199").count();
      },
      { timeout: 120_000 },
    )
    .toBe(1);
  await expect.poll(() => zone("Drafts").getByText("Loading tiles…").count()).toBe(0);
  expect(await count("Drafts")).toBe("1,200 tiles");
});

it("tiles are moved within, into and to the end of zones that are loaded in part", async () => {
  await visitor.open(`/b/${large.id}`);
  await open("Log 00003").focus();
  await page.keyboard.press("m");
  await page.getByRole("dialog").getByRole("button", { name: "Store", exact: true }).click();
  await page.getByText("Moved “Log 00003” to Store.").waitFor();
  await expect.poll(async () => (await readTitles(large.zones.Store)).slice(0, 2)).toEqual(["Log 00003", "Store 00000"]);
  await expect.poll(() => count("Store")).toBe("6,267 tiles");
  await expect.poll(() => count("Log")).toBe("6,265 tiles");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(async () => (await readTitles(large.zones.Log)).slice(2, 5)).toEqual(["Log 00002", "Log 00003", "Log 00004"]);

  await open("Drafts 00001").focus();
  await page.keyboard.press("m");
  await page.getByRole("dialog").getByLabel("Bottom").check();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Drafts/ })
    .click();
  await page.getByText("Moved “Drafts 00001”.").waitFor();
  await expect.poll(async () => (await readTitles(large.zones.Drafts)).at(-1)).toBe("Drafts 00001");
});

it("End and Ctrl+A reach tiles that were not loaded", async () => {
  await visitor.open(`/b/${large.id}`);
  await open("Drafts 00000").focus();
  await page.keyboard.press("End");
  await card("Drafts 00001").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Drafts 00001");
  await visitor.open(`/b/${large.id}`);
  await open("Drafts 00000").focus();
  await page.keyboard.press("Control+a");
  await page.getByText("1,200 tiles selected").waitFor();
  await page.keyboard.press("Escape");
});

it("filters cover tiles that were not loaded", async () => {
  await visitor.open(`/b/${large.id}`);
  await card("Log 00000").waitFor();
  await typeInto(page.getByLabel("Filter by title or URL", { exact: true }), "Ideas 06000");
  await card("Ideas 06000").waitFor();
  await expect.poll(() => count("Ideas")).toBe("1 of 6,266 tiles");
  await expect.poll(() => count("Log")).toBe("0 of 6,266 tiles");
});

it("cards stay visible when a filter is cleared while its result is being drawn", async () => {
  await visitor.open(`/b/${small.id}`);
  await card("Log 00000").waitFor();
  const filter = page.getByLabel("Filter by title or URL", { exact: true });
  const browser = await page.context().newCDPSession(page);
  for (let wait = 0; wait < 200; wait += 20) {
    await browser.send("Emulation.setCPUThrottlingRate", { rate: 8 });
    await filter.evaluate(typeAndClear, wait);
    await browser.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    for (const name of ZONES) await card(`${name} 00000`).waitFor();
  }
  await browser.detach();
});

/** Types a filter that nothing matches, clears it after `wait` milliseconds, and lets the page draw. */
async function typeAndClear(field: any, wait: number): Promise<void> {
  const { document, setTimeout: after } = globalThis as any;
  const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => after(resolve, milliseconds));
  field.focus();
  document.execCommand("insertText", false, "nothing");
  await pause(wait);
  field.select();
  document.execCommand("delete");
  await pause(300);
}

it("changes by others appear, and correct the numbers", async () => {
  await visitor.open(`/b/${large.id}`);
  await expect.poll(() => count("Log")).toBe("6,266 tiles");
  const path = `/api/board/${large.id}/tiles?zone_id=${large.zones.Log}&order=position&text=false`;
  const { tiles } = await fixture.install.call(owner, "GET", path);
  await fixture.install.call(owner, "DELETE", `/api/board/tiles/${tiles[5_000].id}`);
  await expect.poll(() => count("Log")).toBe("6,265 tiles");
  await fixture.install.call(owner, "PATCH", `/api/board/tiles/${tiles[1].id}`, { title: "Renamed elsewhere" });
  await card("Renamed elsewhere").waitFor();
  await fixture.install.call(owner, "PATCH", `/api/board/tiles/${tiles[6_000].id}`, { sort_order: tiles[0].sortOrder - 1 });
  await expect.poll(() => zone("Log").locator("[data-title]").first().textContent()).toBe("Log 06000");
});

it("an open tile that is not loaded in its zone is read again when it changed, and only then", async () => {
  const path = `/api/board/${large.id}/tiles?zone_id=${large.zones.Store}&order=position&text=false`;
  const { tiles } = await fixture.install.call(owner, "GET", path);
  const [near, far] = [tiles[2], tiles[4_000]];
  let reads = 0;
  page.on("request", (request) => void (new URL(request.url()).pathname.endsWith(`/tiles/${far.id}`) && reads++));
  await visitor.open(`/b/${large.id}?tile=${far.id}`);
  await page.getByRole("dialog", { name: far.title }).waitFor();
  const hidden = (title: string) => page.getByRole("article", { includeHidden: true }).filter({ hasText: title });
  await hidden(near.title).waitFor();
  await expect.poll(() => reads).toBe(1);
  for (const title of ["First change", "Second change"]) {
    await fixture.install.call(owner, "PATCH", `/api/board/tiles/${near.id}`, { title });
    await hidden(title).waitFor();
  }
  expect(reads).toBe(1);
  await fixture.install.call(owner, "PATCH", `/api/board/tiles/${far.id}`, { title: "Far away" });
  await page.getByRole("dialog", { name: "Far away" }).waitFor();
  expect(reads).toBe(2);
  await fixture.install.call(owner, "DELETE", `/api/board/tiles/${far.id}`);
  await page.getByText("This tile does not exist").waitFor();
});
