import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { importTile } from "../support/content/imported-tile.ts";
import type { Session } from "../support/install.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, type Visitor } from "../support/visitor.ts";

const CONSENT = { code: "cookie_wall", message: "The site asks for consent before its content." };

let fixture: BrowserFixture;
let owner: Session;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  visitor = await fixture.visit();
  await visitor.logIn(owner);
  ({ page } = visitor);
});
afterAll(async () => fixture?.stop());

const card = () => page.getByRole("article").first();
const evaluate = <T>(script: string): Promise<T> => page.evaluate<T>(script);

it("a tile with an incomplete text has a warning with the reason, by mouse and keyboard", async () => {
  const { id, boardId } = await importTile(fixture.install, owner, { title: "The log", warnings: [CONSENT] });
  await visitor.open(`/b/${boardId}`);
  const mark = card().getByRole("button", { name: `Warning: ${CONSENT.message}` });
  await mark.hover();
  await page.locator("[aria-hidden=true]").getByText(CONSENT.message, { exact: true }).waitFor();
  await expectAccessible(page, "warning");
  await page.mouse.move(0, 0);
  await card().getByRole("button", { name: "The log", exact: true }).focus();
  const names: string[] = [];
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press("Tab");
    names.push(await evaluate("document.activeElement.getAttribute('aria-label') ?? ''"));
  }
  expect(names).toContain(`Warning: ${CONSENT.message}`);
  await mark.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "The log" }).getByText(CONSENT.message).waitFor();
  expect(new URL(page.url()).searchParams.get("tile")).toBe(id);
  visitor.expectClean();
});

it("counts and names are grammatical, and no placeholder is cut off on a phone", async () => {
  const { boardId } = await importTile(fixture.install, owner, { title: "Alone" });
  const { zone } = await fixture.install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { title: "One", content: "Word", zone_id: zone.id });
  const phone = await fixture.visit(SCREENS.phone);
  await phone.logIn(owner);
  await phone.open(`/b/${boardId}`);
  const column = phone.page.getByRole("region", { name: "Harbour" });
  await column.getByRole("switch", { name: "Connected to chat in Harbour", exact: true }).waitFor();
  expect(await column.locator("header").textContent()).toMatch(/1 tile(?!s)/);
  await phone.page.keyboard.press("Control+k");
  const field = phone.page.getByLabel("Search tiles, boards and actions", { exact: true });
  await field.waitFor();
  const [needed, room] = await field.evaluate((element: any) => {
    const { font } = (globalThis as any).getComputedStyle(element);
    const pen = (globalThis as any).document.createElement("canvas").getContext("2d");
    pen.font = font;
    return [pen.measureText(element.placeholder).width, element.clientWidth];
  });
  expect(needed).toBeLessThanOrEqual(room);
  await phone.close();
});

it("one timer updates all ages without rendering cards again", async () => {
  const { boardId } = await importTile(fixture.install, owner, { title: "An old log" });
  for (const index of [1, 2, 3])
    await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { title: `Note ${index}`, url: "https://nowhere.invalid/" });
  const watcher = await fixture.visit();
  await watcher.logIn(owner);
  await watcher.page.clock.install();
  await watcher.page.addInitScript(
    "globalThis.__delays = []; const set = globalThis.setInterval; globalThis.setInterval = (act, ms, ...more) => { __delays.push(ms); return set(act, ms, ...more); };",
  );
  await watcher.open(`/b/${boardId}`);
  const facts = watcher.page.getByRole("article").filter({ hasText: "An old log" }).locator("p").first();
  await expect.poll(() => facts.textContent()).toMatch(/ · now$/);
  await watcher.page.evaluate(
    `globalThis.__drawn = [];
     new MutationObserver((list) => __drawn.push(...list.map(({ target }) => (target.nodeType === 3 ? target.parentNode : target).localName)))
       .observe(document.querySelector("article:has([aria-label='Select An old log'])"), { subtree: true, childList: true, characterData: true, attributes: true });`,
  );
  await watcher.page.clock.fastForward("05:00");
  await expect.poll(() => facts.textContent()).toMatch(/ · 5 min$/);
  expect(await watcher.page.evaluate("[...new Set(__drawn)]")).toEqual(["bdi"]);
  expect(await watcher.page.evaluate("__delays.filter((ms) => ms === 15000).length")).toBe(1);
  await watcher.close();
});
