import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Session } from "../support/install.ts";
import { NEVER_IDLE } from "../support/pages.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Visitor } from "../support/visitor.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let zoneId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const zoneNow = async (): Promise<any> => (await call("GET", `/api/board/zones/${zoneId}`)).zone;
const header = () => page.getByRole("banner");
const card = () => page.getByRole("article");
const banner = () => page.getByRole("button", { name: "Retry now" });

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
});
beforeEach(async () => {
  boardId = (await call("POST", "/api/board/boards", { name: "Harbour" })).board.id;
  zoneId = (await call("POST", `/api/board/${boardId}/zones`, { name: "Quay" })).zone.id;
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry", content: "It leaves at 6:40.", zone_id: zoneId });
  await visitor?.close();
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
});
afterAll(async () => fixture?.stop());

async function openBoard(...scripts: readonly string[]): Promise<void> {
  for (const script of scripts) await page.addInitScript(script);
  // A response after the connection is lost would count as a sign that it is back.
  const isLive = page.waitForResponse(/\/events/);
  await visitor.open(`/b/${boardId}`);
  await Promise.all([card().waitFor(), isLive]);
}

/** Waits until all modules are preloaded; the settings come last. */
async function preloaded(): Promise<void> {
  const names = (): Promise<string[]> =>
    page.evaluate(() =>
      (globalThis as any).performance
        .getEntriesByType("resource")
        .flatMap(({ name, initiatorType }: any) => (initiatorType === "fetch" ? [] : [name])),
    );
  await expect.poll(async () => (await names()).some((name) => name.includes("/settings-page-"))).toBe(true);
}

/** The lazy components: how each is opened, and what appears. */
const PARTS: readonly (readonly [string, () => Promise<unknown>, () => Locator])[] = [
  ["The tile", () => card().getByText("Ferry").click(), () => page.getByRole("dialog", { name: "Ferry" }).getByText("It leaves at 6:40.")],
  [
    "The Ask panel",
    () => header().getByRole("button", { name: "Ask" }).click(),
    () => page.getByRole("textbox", { name: "Your question" }),
  ],
  [
    "The search",
    () => header().getByRole("button", { name: "Search" }).first().click(),
    () => page.getByRole("combobox", { name: /^Search/ }),
  ],
  [
    "The menu",
    async () => {
      await card().hover();
      await page.getByRole("button", { name: "Actions for Ferry" }).click();
    },
    () => page.getByRole("menuitem", { name: "Open" }),
  ],
  ["The menu", () => page.getByRole("button", { name: /^Account/ }).click(), () => page.getByRole("menuitem", { name: "Log out" })],
  [
    "The list of boards",
    () => page.getByRole("button", { name: /^Board: / }).click(),
    () => page.getByRole("button", { name: "New board" }),
  ],
];

it.each(PARTS)("%s opened first while offline leaves the board usable, and opens after reconnecting", async (name, open, there) => {
  await openBoard(NEVER_IDLE);
  await visitor.context.setOffline(true);
  await banner().waitFor();
  await open();
  await page.getByText(`${name} opens as soon as the server is reachable again.`, { exact: false }).waitFor();
  expect(await page.getByText("newer version", { exact: false }).count()).toBe(0);
  // The rest of the page works: a change is made and waits.
  await card().waitFor();
  await page.getByRole("switch", { name: /Connected to chat/ }).click({ force: true });
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  await visitor.context.setOffline(false);
  await there().waitFor();
  await page.getByText("opens as soon as", { exact: false }).waitFor({ state: "detached" });
  await expect.poll(async () => (await zoneNow()).connectedToChat).toBe(false);
});

it("the load error closes with Escape and its button, and returns the focus", async () => {
  await openBoard(NEVER_IDLE);
  await visitor.context.setOffline(true);
  await banner().waitFor();
  const boards = page.getByRole("button", { name: /^Board: / });
  const problem = page.getByRole("dialog", { name: "No connection" });
  await boards.click();
  await problem.waitFor();
  await page.keyboard.press("Escape");
  await problem.waitFor({ state: "detached" });
  await card().getByText("Ferry").click();
  await problem.getByRole("button", { name: "Close" }).click();
  await problem.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  // Keys typed for the search are not buffered forever.
  await page.keyboard.press("/");
  await problem.waitFor();
  await page.keyboard.press("Tab");
  await problem.getByRole("button", { name: "Try again" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await problem.waitFor({ state: "detached" });
});

it("after preloading, everything opens offline", async () => {
  await openBoard();
  await preloaded();
  await visitor.context.setOffline(true);
  await banner().waitFor();
  for (const [, open, there] of PARTS.slice(1)) {
    await open();
    await there().waitFor();
    await page.keyboard.press("Escape");
    await there().waitFor({ state: "hidden" });
  }
  await card().getByText("Ferry").click();
  await page.getByRole("dialog", { name: "Tile" }).getByText("The tile appears when the server is reachable again.").waitFor();
  await visitor.context.setOffline(false);
  await page.getByRole("dialog", { name: "Ferry" }).getByText("It leaves at 6:40.").waitFor();
});

it("a module that fails to load shows an error, and a retry loads it", async () => {
  await page.route("**/assets/reader-panel-*", (route) => route.fulfill({ status: 503, body: "" }));
  await openBoard(NEVER_IDLE);
  await card().getByText("Ferry").click();
  await page
    .getByRole("dialog", { name: "The tile could not be loaded" })
    .getByText("The file could not be downloaded.", { exact: false })
    .waitFor();
  await page.unroute("**/assets/reader-panel-*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("dialog", { name: "Ferry" }).getByText("It leaves at 6:40.").waitFor();
});

it("a new build on the server is reported, and the page keeps working", async () => {
  await openBoard(NEVER_IDLE);
  await page.route("**/assets/reader-panel-*", (route) => route.fulfill({ status: 404, body: "{}" }));
  await page.route(`${fixture.install.url}/`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/assets\/index-[\w-]+\.js/, "assets/index-another.js") });
  });
  await card().getByText("Ferry").click();
  const problem = page.getByRole("dialog", { name: "A new version is available" });
  await problem.getByRole("button", { name: "Reload the page" }).waitFor();
  await problem.getByRole("button", { name: "Close" }).click();
  await page.getByRole("switch", { name: /Connected to chat/ }).click({ force: true });
  await expect.poll(async () => (await zoneNow()).connectedToChat).toBe(false);
});

it("a render error stays within its component, which can be rendered again", async () => {
  await openBoard();
  await page.route("**/api/board/tiles/*", async (route) => {
    const response = await route.fetch();
    const { tile } = await response.json();
    await route.fulfill({ response, json: { tile: { ...tile, warnings: 1, extractedText: 1 } } });
  });
  await card().getByText("Ferry").click();
  const problem = page.getByRole("dialog", { name: "The tile could not be displayed" });
  await problem.waitFor();
  await card().waitFor();
  await page.unroute("**/api/board/tiles/*");
  await problem.getByRole("button", { name: "Close" }).click();
  await problem.waitFor({ state: "detached" });
});

it("closing the page with pending changes asks for confirmation", async () => {
  await openBoard();
  await visitor.context.setOffline(true);
  await banner().waitFor();
  await page.getByRole("switch", { name: /Connected to chat/ }).click({ force: true });
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  const isAsked = (): Promise<boolean> =>
    page.evaluate('!dispatchEvent(new Event("beforeunload", { cancelable: true }))') as Promise<boolean>;
  expect(await isAsked()).toBe(true);
  await visitor.context.setOffline(false);
  await expect.poll(async () => (await zoneNow()).connectedToChat).toBe(false);
  await expect.poll(isAsked).toBe(false);
});

it("the page lists the files of every lazy module by its path", async () => {
  const folder = join(import.meta.dirname, "../../../web/src");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const defined = sources.flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/defineLazyModule\(\s*"([^"]+)"/g)].map((match) => match[1]),
  );
  expect(defined.length).toBeGreaterThan(8);
  await openBoard();
  const listed = await page.locator('meta[name="lazy-files"]').getAttribute("content");
  expect(Object.keys(JSON.parse(listed ?? "{}"))).toEqual(expect.arrayContaining(defined));
});

/** Presses a button and returns whether the result is there two frames later. */
const FRAMES = 2;
it("a loaded module opens within two frames", async () => {
  await openBoard();
  await preloaded();
  for (const [button, shown] of [
    ["article [data-title]", "[role=dialog]"],
    ["header button.bg-accent", '[aria-label="Ask and generate"]'],
    ["header button.w-64", "[role=combobox]"],
    ["article [data-more]", "[role=menu]"],
    ['button[aria-label="Actions for zone Quay"]', "[role=menu]"],
    ['button[aria-label^="Account of"]', "[role=menu]"],
    ['button[aria-label^="Board:"]', "[role=dialog]"],
  ] as const) {
    await visitor.open(`/b/${boardId}`);
    await card().waitFor();
    await preloaded();
    const frames = await page.evaluate(
      ([from, to]) =>
        new Promise<number>((resolve) => {
          const { document, requestAnimationFrame } = globalThis as any;
          let passed = 0;
          const look = (): void => {
            if (document.querySelector(to) !== null || passed > 200) resolve(passed);
            else requestAnimationFrame(() => ((passed += 1), look()));
          };
          document.querySelector(from).click();
          look();
        }),
      [button, shown],
    );
    expect(frames, button).toBeLessThanOrEqual(FRAMES);
  }
  visitor.expectClean();
});
