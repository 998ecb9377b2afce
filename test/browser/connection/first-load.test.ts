import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Session } from "../support/install.ts";
import { fillZone } from "../support/content/many.ts";
import { MAX_AT_ONCE, WATCH_RENDERING, renderBoard, renderWhileScrolling } from "../support/rendering.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { type Visitor, settle } from "../support/visitor.ts";

/** Maximum gzipped script of the first load, in bytes. */
const MAX_SCRIPT_LENGTH = 180_000;
const TILES = 2_000;

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles`, { content: "One tile." });
});
afterAll(async () => fixture?.stop());

async function newOwner(): Promise<Visitor> {
  const visitor = await fixture.visit();
  await visitor.logIn(owner);
  return visitor;
}

it("the first board loads at most 180 kB of gzipped script", async () => {
  const visitor = await newOwner();
  const sizes = new Map<string, Promise<number>>();
  visitor.page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    sizes.set(
      response.url(),
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    );
  });
  await visitor.open(`/b/${boardId}`);
  await visitor.page.getByRole("article").first().waitFor();
  const loaded = await Promise.all([...sizes].map(async ([url, size]) => [new URL(url).pathname, await size] as const));
  const total = loaded.reduce((sum, [, size]) => sum + size, 0);
  expect(total, JSON.stringify(loaded)).toBeGreaterThan(20_000);
  expect(total, JSON.stringify(loaded)).toBeLessThanOrEqual(MAX_SCRIPT_LENGTH);
  visitor.expectClean();
  await visitor.close();
});

it("a board of 2,000 tiles renders what is in sight, when it opens and while it scrolls", { timeout: 300_000 }, async () => {
  const { install } = fixture;
  boardId = (await install.call(owner, "POST", "/api/board/boards", { name: "Large" })).board.id;
  const { zone } = await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Long" });
  await fillZone(
    install,
    owner,
    { boardId, zoneId: zone.id },
    Array.from({ length: TILES }, (_, i) => ({ content: `Entry ${i} of the log.` })),
  );
  const visitor = await newOwner();
  const { page } = visitor;
  await page.addInitScript(WATCH_RENDERING);
  expect((await renderBoard(page, `/b/${boardId}`)).largest).toBeLessThan(MAX_AT_ONCE);
  await settle(page);
  const column = page.getByRole("region", { name: "Long" });
  await column.getByRole("article").first().hover();
  const scrolling = await renderWhileScrolling(page);
  expect(scrolling.added).toBeGreaterThan(0);
  expect(scrolling.largest).toBeLessThan(MAX_AT_ONCE);
  expect(await column.getByRole("article").filter({ hasText: "Untitled note" }).count()).toBeGreaterThan(0);
  expect(await page.getByRole("article").count()).toBeLessThan(200);
  visitor.expectClean();
  await visitor.close();
});
