import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { HOLD_MS } from "../../../web/src/board/drag/edge-pager.ts";
import { type Finger, fingerOn, getPoint } from "../support/input/finger.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, type Visitor } from "../support/visitor.ts";

const QUAY = ["Rope", "Tar", "Sailcloth", "Anchor"];

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;
let finger: Finger;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  visitor = await fixture.visit(SCREENS.phone);
  ({ page } = visitor);
  await visitor.logIn(owner);
  finger = await fingerOn(page);
});
beforeEach(async () => {
  const { install } = fixture;
  boardId = (await install.call(owner, "POST", "/api/board/boards", { name: "Harbour" })).board.id;
  const { zone: quay } = await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Quay" });
  await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Store" });
  for (const title of QUAY)
    await install.call(owner, "POST", `/api/board/${boardId}/tiles`, { title, content: `${title}, for the boats.`, zone_id: quay.id });
  await visitor.open(`/b/${boardId}`);
  await card(QUAY[3]!).waitFor();
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

const zone = (name: string) => page.getByRole("region", { name, exact: true });
const titlesIn = (name: string): Promise<string[]> => zone(name).locator("[data-title]").allTextContents();
const card = (title: string) => page.getByRole("article").filter({ hasText: title });
const handle = (title: string) => page.getByRole("button", { name: `Move ${title}`, exact: true });
const getLeft = async (name: string): Promise<number> => (await zone(name).boundingBox())?.x ?? Infinity;
/** The tiles of a zone, from the server. */
async function storedIn(name: string): Promise<string[]> {
  const { zones } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/zones`);
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles`);
  const { id } = zones.find((one: { name: string }) => one.name === name);
  return tiles
    .filter(({ zoneId }: { zoneId: string }) => zoneId === id)
    .sort((a: any, b: any) => a.sortOrder - b.sortOrder || a.createdAt.localeCompare(b.createdAt))
    .map(({ title }: { title: string }) => title);
}
const startDrag = async (title: string): Promise<void> => {
  await finger.down(await getPoint(handle(title)));
  await page.getByText("The tile picked up.").waitFor();
};

it("a tile is dragged to another position by its handle", async () => {
  await startDrag("Anchor");
  await finger.move(await getPoint(card("Tar"), 0.2));
  await finger.up();
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Anchor", "Tar", "Sailcloth"]);
  await expect.poll(() => storedIn("Quay")).toEqual(["Rope", "Anchor", "Tar", "Sailcloth"]);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

it("a tile is dragged to the next zone, which scrolls into view at the edge", async () => {
  await startDrag("Tar");
  const { width } = page.viewportSize()!;
  await finger.move({ x: width - 8, y: 400 });
  await expect.poll(() => getLeft("Store")).toBeLessThan(width / 2);
  await finger.move({ x: width / 2, y: 400 });
  await expect.poll(() => page.locator("section.border-accent").getAttribute("aria-label")).toBe("Store");
  await finger.up();
  await expect.poll(() => titlesIn("Store")).toEqual(["Tar"]);
  await expect.poll(() => storedIn("Store")).toEqual(["Tar"]);
  expect(await storedIn("Quay")).toEqual(["Rope", "Sailcloth", "Anchor"]);
});

it("a tile held at the edge brings one zone after the other, not all at once", async () => {
  const { install } = fixture;
  for (const name of ["Office", "Attic"]) await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name });
  const other = await fixture.visit(SCREENS.phone);
  await other.logIn(owner);
  // The time of the page stands still from here, so that the test does not depend on the machine.
  await other.page.clock.install();
  await other.open(`/b/${boardId}`);
  const hand = await fingerOn(other.page);
  await hand.down(await getPoint(other.page.getByRole("button", { name: "Move Tar", exact: true })));
  await other.page.getByText("The tile picked up.").waitFor();
  const now = await other.page.evaluate<number>("Date.now()");
  await other.page.clock.pauseAt(now + 1_000);
  await hand.move({ x: other.page.viewportSize()!.width - 8, y: 400 });
  const current = (): Promise<string | null> => other.page.locator("nav [aria-current=true] bdi").textContent();
  expect(await current()).toBe("Quay");
  for (const name of ["Store", "Office"]) {
    const before = await current();
    await other.page.clock.runFor(HOLD_MS - 50);
    expect(await current()).toBe(before);
    await other.page.clock.runFor(50);
    await expect.poll(current).toBe(name);
  }
  await hand.up();
  other.expectClean();
  await other.close();
});

it("a long press starts a drag and opens no menu", async () => {
  await startDrag("Tar");
  // The event that browsers send for a long press.
  await handle("Tar").dispatchEvent("contextmenu", { bubbles: true, cancelable: true });
  await finger.move(await getPoint(card("Anchor"), 0.8));
  await finger.up();
  await expect.poll(() => titlesIn("Quay")).toEqual(["Rope", "Sailcloth", "Anchor", "Tar"]);
  expect(await page.getByRole("menu").count()).toBe(0);
});

it("a long column scrolls while a tile is dragged to its end", async () => {
  const { zones } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/zones`);
  for (let at = 1; at <= 24; at++)
    await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, {
      title: `Bale ${at}`,
      content: "Wool.",
      zone_id: zones[0].id,
    });
  await visitor.open(`/b/${boardId}`);
  await startDrag("Rope");
  const foot = await getPoint(zone("Quay"), 0.97);
  await finger.move(foot);
  await expect.poll(() => card("Bale 24").isVisible()).toBe(true);
  await expect.poll(scrolled, { timeout: 300_000 }).toBe("end");
  await finger.up();
  await expect.poll(async () => (await storedIn("Quay")).slice(-2)).toEqual(["Bale 24", "Rope"]);
});

it("a swipe over cards scrolls the column and drags nothing", async () => {
  const { zones } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/zones`);
  for (let at = 1; at <= 24; at++)
    await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, {
      title: `Bale ${at}`,
      content: "Wool.",
      zone_id: zones[0].id,
    });
  await visitor.open(`/b/${boardId}`);
  await card("Bale 3").first().waitFor();
  await finger.down(await getPoint(card("Anchor"), 0.3));
  await finger.move({ ...(await getPoint(card("Rope"))), y: 120 });
  await finger.up();
  await expect.poll(scrolled).not.toBe("top");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await page.getByText("The tile picked up.").count()).toBe(0);
  const { y } = await getPoint(zone("Quay"), 0.6);
  await finger.down({ x: 350, y });
  await finger.move({ x: 10, y });
  await finger.up();
  await expect.poll(() => getLeft("Store")).toBeLessThan(40);
  expect(await titlesIn("Store")).toEqual([]);
  expect((await storedIn("Quay")).slice(0, 4)).toEqual(QUAY);
});

it("a tap opens a tile, and “Move to…” moves it without dragging", async () => {
  await card("Tar").getByRole("button", { name: "Tar", exact: true }).tap();
  await page.getByRole("dialog", { name: "Tar" }).waitFor();
  await page
    .getByRole("dialog", { name: "Tar" })
    .getByRole("button", { name: /^Close/ })
    .first()
    .tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Actions for Tar", exact: true }).tap();
  await page.getByRole("menuitem", { name: "Move to…" }).tap();
  await page.getByRole("dialog", { name: "Move to" }).getByRole("button", { name: "Store", exact: true }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => storedIn("Store")).toEqual(["Tar"]);
  expect(await storedIn("Quay")).toEqual(["Rope", "Sailcloth", "Anchor"]);
  await page.getByRole("button", { name: "Undo", exact: true }).tap();
  await expect.poll(() => storedIn("Quay")).toEqual(QUAY);
});

/** The scroll position of the first column. */
const scrolled = (): Promise<string> =>
  page.evaluate<string>(
    `(({ scrollTop, scrollHeight, clientHeight }) => (scrollTop === 0 ? "top" : scrollTop + clientHeight >= scrollHeight - 2 ? "end" : "between"))(document.querySelector("[data-scroller]"))`,
  );
