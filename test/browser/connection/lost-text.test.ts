import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Session } from "../support/install.ts";
import { NEVER_IDLE } from "../support/pages.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { typeInto } from "../support/input/typing.ts";
import type { Visitor } from "../support/visitor.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const titlesNow = async (): Promise<string[]> => {
  const { tiles } = await call("GET", `/api/board/${boardId}/tiles`);
  return tiles.map(({ title }: any) => title).toSorted();
};
const banner = () => page.getByRole("button", { name: "Retry now" });
const box = (): ReturnType<Page["getByLabel"]> => page.getByLabel("Add to Quay", { exact: true });

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
});
beforeEach(async () => {
  boardId = (await call("POST", "/api/board/boards", { name: "Harbour" })).board.id;
  const { zone } = await call("POST", `/api/board/${boardId}/zones`, { name: "Quay" });
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry", content: "It leaves at 6:40.", zone_id: zone.id });
  await visitor?.close();
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
  await page.addInitScript(NEVER_IDLE);
  // A response after the connection is lost would count as a sign that it is back.
  const isLive = page.waitForResponse(/\/events/);
  await visitor.open(`/b/${boardId}`);
  await Promise.all([page.getByRole("article").waitFor(), isLive]);
});
afterAll(async () => fixture?.stop());

it("loading a cached lazy module does not resume pending changes while offline", async () => {
  // Some files of the reader are cached, as after an interrupted preload.
  const cached = await page.evaluate(async () => {
    const { document, fetch } = globalThis as any;
    const listed = JSON.parse(document.querySelector('meta[name="lazy-files"]').content) as Record<string, string[]>;
    const files = Object.entries(listed).find(([name]) => name.includes("reader-panel"))?.[1] ?? [];
    for (const file of files.slice(0, 1)) await (await fetch(file)).arrayBuffer();
    return files.length;
  });
  expect(cached).toBeGreaterThan(1);
  await visitor.context.setOffline(true);
  await banner().waitFor();
  await typeInto(box(), "First, in the dark");
  await box().press("Enter");
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  await typeInto(box(), "Second");
  const problem = page.getByRole("dialog", { name: "No connection" });
  for (let n = 0; n < 3; n++) {
    await page.getByRole("article").getByText("Ferry").click();
    await problem.waitFor();
    await page.keyboard.press("Escape");
    await problem.waitFor({ state: "detached" });
  }
  await page.getByText("1 change is waiting", { exact: false }).waitFor();
  expect(await box().inputValue()).toBe("Second");
  await visitor.context.setOffline(false);
  await expect.poll(titlesNow).toEqual(["Ferry", "First, in the dark"]);
  expect(await box().inputValue()).toBe("Second");
});

it("a change that meets a second connection loss waits again, and is applied once", async () => {
  let tries = 0;
  await page.route("**/api/board/*/tiles", (route) =>
    route.request().method() === "POST" && ++tries <= 3 ? route.abort() : route.continue(),
  );
  await typeInto(box(), "Said into the wind");
  await box().press("Enter");
  await expect.poll(titlesNow, { timeout: 300_000 }).toEqual(["Ferry", "Said into the wind"]);
  expect(tries).toBe(4);
});

it("rejected input is restored before what was typed meanwhile", async () => {
  const typed = Promise.withResolvers<void>();
  await page.route("**/api/board/*/tiles", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await typed.promise;
    return route.fulfill({ status: 422, json: { error: "Not now." } });
  });
  await typeInto(box(), "First");
  await box().press("Enter");
  await expect.poll(() => box().inputValue()).toBe("");
  await typeInto(box(), "Second");
  typed.resolve();
  await expect.poll(() => box().inputValue()).toBe("First\nSecond");
});
