import { afterAll, beforeAll, expect, it } from "vitest";
import { OWNER, type Session } from "../support/install.ts";
import { SETTINGS } from "../support/pages.ts";
import { PAYLOADS } from "../support/hostile/payloads.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { type Visitor, settle } from "../support/visitor.ts";
import { expectTextOnly, DETECT_SCRIPTS } from "../support/hostile/text-only.ts";

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;

beforeAll(async () => {
  fixture = await startBrowserFixture();
  const { install } = fixture;
  owner = await install.claim();
  boardId = await install.defaultBoard(owner);
  for (const payload of PAYLOADS) {
    const { zone } = await install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: payload });
    await install.call(owner, "POST", `/api/board/${boardId}/tiles`, {
      title: payload,
      content: `# ${payload}\n\n${payload}`,
      zone_id: zone.id,
    });
    await install.call(owner, "POST", "/api/board/boards", { name: payload });
    await install.call(owner, "POST", "/api/settings/keys", { name: payload });
  }
  await install.call(owner, "PATCH", `/api/board/boards/${boardId}`, { name: PAYLOADS[12] });
  const address = `https://hooks.example/?q=${encodeURIComponent(PAYLOADS[12]!)}"><img src=x onerror=x()>`;
  await install.call(owner, "POST", "/api/settings/webhook", { url: address });
  await install.call(owner, "POST", "/api/settings/webhook/test");
  visitor = await fixture.visit();
  await visitor.context.addInitScript(DETECT_SCRIPTS);
  await visitor.logIn(owner);
}, 120_000);
afterAll(async () => fixture?.stop());

it("names of boards, zones and tiles are shown as text", async () => {
  const { page, open } = visitor;
  await open(`/b/${boardId}`);
  await page.getByRole("article").first().waitFor();
  expect(await page.getByText(PAYLOADS[0]!, { exact: true }).count()).toBeGreaterThan(0);
  await expectTextOnly(visitor, "board");
  await page.keyboard.press("Control+K");
  await page.keyboard.type("img src");
  await page.waitForTimeout(500);
  await expectTextOnly(visitor, "palette");
});

it("the text of a tile is shown as text in the reader, also as Markdown", { timeout: 240_000 }, async () => {
  const { page, open } = visitor;
  const { tiles } = await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles`);
  expect(tiles).toHaveLength(PAYLOADS.length);
  await open(`/b/${boardId}`);
  for (const tile of tiles) {
    await page.evaluate(`history.pushState(null, "", "/b/${boardId}?tile=${tile.id}"); dispatchEvent(new PopStateEvent("popstate"))`);
    await page.getByRole("dialog").or(page.getByRole("complementary")).first().waitFor();
    await settle(page);
    await expectTextOnly(visitor, tile.title);
  }
});

it.each(SETTINGS)("%s shows text only", async (path) => {
  await visitor.open(path);
  await visitor.page.getByRole("heading", { level: 1 }).waitFor();
  await settle(visitor.page);
  await expectTextOnly(visitor, path);
});

it("the return path of the login page cannot leave the site", async () => {
  const stranger = await fixture.visit();
  const { page } = stranger;
  for (const next of ["https://evil.test/", "//evil.test", "/\\evil.test", "javascript:x()", "/%0d%0a//evil.test", "data:text/html,x"]) {
    await stranger.context.clearCookies();
    await stranger.logIn(await fixture.install.logIn(OWNER.email, OWNER.password));
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await page.waitForURL((url) => url.pathname !== "/login");
    expect(new URL(page.url()).origin, next).toBe(fixture.install.url);
  }
  stranger.expectClean();
  await stranger.close();
});
