import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { articlePage, type Origin, startOrigin } from "../../support/servers/origin.ts";
import { pictures } from "../../support/pictures.ts";
import { expectAccessible } from "../support/axe.ts";
import type { Session } from "../support/install.ts";
import { MAX_AT_ONCE, WATCH_RENDERING, renderBoard, renderWhileScrolling } from "../support/rendering.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { SCREENS, settle, type Visitor } from "../support/visitor.ts";

/** The host of the links; the server reaches the test's origin instead, and no browser ever connects to it. */
const FARO = "https://www.faro-harbour.example";
const PICTURES: Readonly<Record<string, Buffer>> = { "/lens.png": pictures.png(64, 36), "/slow.png": pictures.png(36, 36, [150, 60, 60]) };
const TILES = 2_000;

let origin: Origin;
let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;
/** Releases the slow image. */
let releaseImages: () => void;
const requestedPaths: string[] = [];

beforeAll(async () => {
  const held = new Promise<void>((resolve) => (releaseImages = resolve));
  origin = await startOrigin(async (request, response) => {
    const path = request.url ?? "";
    requestedPaths.push(path);
    if (path === "/slow.png") await held;
    const picture = PICTURES[path.replace(/\?.*/, "")];
    if (picture !== undefined) return void response.writeHead(200, { "content-type": "image/png" }).end(picture);
    if (path.endsWith(".png")) return void response.writeHead(404).end();
    const head = `<meta property="og:image" content="${path}.png"></head>`;
    response.writeHead(200, { "content-type": "text/html" }).end(articlePage(`Page ${path.slice(1)}`).replace("</head>", head));
  });
  fixture = await startBrowserFixture({
    FETCH_ALLOW: `127.0.0.1:${origin.port}`,
    FETCH_ROUTES: `${FARO}=${origin.url}`,
    INGEST_ATTEMPTS: "1",
  });
  const { install } = fixture;
  owner = await install.claim();
  boardId = await install.defaultBoard(owner);
  for (const name of ["lens", "slow", "gone"]) {
    const { tile } = await install.call(owner, "POST", `/api/board/${boardId}/tiles`, { url: `${FARO}/${name}` });
    await install.call(owner, "GET", `/api/board/tiles/${tile.id}?wait=25`);
  }
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
  await origin?.close();
});

const card = (title: string): Locator => page.getByRole("article").filter({ hasText: title });
const findImage = (title: string): Locator => card(title).locator("[data-image]");
const getImageState = (title: string): Promise<string | null> => findImage(title).getAttribute("data-image");
const getNaturalWidth = (picture: Locator): Promise<number> =>
  picture.locator("img").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);

it("a card shows the image of a page, through the server, in a box of fixed size", async () => {
  await visitor.open(`/b/${boardId}`);
  await expect.poll(() => getImageState("Page lens")).toBe("shown");
  expect(await getNaturalWidth(findImage("Page lens"))).toBe(64);
  expect(await getImageState("Page slow")).toBe("loading");
  const before = await card("Page slow").boundingBox();
  await expect.poll(() => requestedPaths).toContain("/slow.png");
  releaseImages();
  await expect.poll(() => getImageState("Page slow")).toBe("shown");
  expect(await card("Page slow").boundingBox()).toEqual(before);
  const address = await findImage("Page lens").locator("img").getAttribute("src");
  expect(address).toMatch(/^\/api\/board\/brd_\w+\/tiles\/til_\w+\/thumbnail\?v=\w+$/);
  expect(await findImage("Page lens").locator("img").getAttribute("alt")).toBe("");
  await expectAccessible(page, "board with pictures");
});

it("a card without an image shows the icon of the kind, in a box of the same size", async () => {
  await expect.poll(() => getImageState("Page gone")).toBe("none");
  expect(await findImage("Page gone").locator("svg").count()).toBe(1);
  expect(await findImage("Page gone").locator("img").count()).toBe(0);
  const [gone, there] = await Promise.all([findImage("Page gone").boundingBox(), findImage("Page lens").boundingBox()]);
  expect([gone?.width, gone?.height]).toEqual([there?.width, there?.height]);
});

it("each image is fetched once: browser and server cache it", async () => {
  await page.reload();
  await settle(page);
  await expect.poll(() => getImageState("Page lens")).toBe("shown");
  const other = await fixture.visit(SCREENS.phone);
  await other.logIn(owner);
  await other.open(`/b/${boardId}`);
  const phone = other.page.getByRole("article").filter({ hasText: "Page lens" });
  await expect.poll(() => phone.locator("[data-image]").getAttribute("data-image")).toBe("shown");
  const [whole, picture] = await Promise.all([phone.boundingBox(), phone.locator("[data-image]").boundingBox()]);
  expect(picture!.width).toBeLessThan(whole!.width / 4);
  await expectAccessible(other.page, "board with pictures on a phone");
  other.expectClean();
  await other.close();
  expect(requestedPaths.filter((path) => path === "/lens.png")).toHaveLength(1);
  expect(requestedPaths.filter((path) => path === "/gone.png")).toHaveLength(1);
});

it("the reader shows a large image above the text, and nothing without one", async () => {
  await card("Page lens").locator("[data-title]").click();
  const dialog = page.getByRole("dialog").first();
  await dialog.getByText("The keeper of the northern lighthouse").first().waitFor();
  const large = dialog.locator("[data-image]");
  await expect.poll(() => large.getAttribute("data-image")).toBe("shown");
  expect((await large.boundingBox())!.width).toBeGreaterThan(300);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await card("Page gone").locator("[data-title]").click();
  await dialog.getByText("The keeper of the northern lighthouse").first().waitFor();
  expect(await large.count()).toBe(0);
  await page.keyboard.press("Escape");
});

it(
  "a board of 2,000 tiles with thumbnails renders what is in sight, when it opens and while it scrolls",
  { timeout: 180_000 },
  async () => {
    const many = await importMany();
    await page.addInitScript(WATCH_RENDERING);
    expect((await renderBoard(page, `/b/${many}`)).largest).toBeLessThan(MAX_AT_ONCE);
    await settle(page);
    await page.getByRole("article").first().hover();
    const scrolling = await renderWhileScrolling(page);
    expect(scrolling.added).toBeGreaterThan(0);
    expect(scrolling.largest).toBeLessThan(MAX_AT_ONCE);
    // When scrolling stops, images are loaded, and far fewer were requested than exist.
    await expect.poll(() => page.locator('[data-image="shown"]').count()).toBeGreaterThan(3);
    expect(requestedPaths.filter((path) => path.startsWith("/lens.png?")).length).toBeLessThan(TILES / 4);
  },
);

/** A board of pages, videos and posts with images, built from an exported tile. */
async function importMany(): Promise<string> {
  const { install } = fixture;
  const exported = await fetch(`${install.url}/api/settings/boards/${boardId}/export`, { headers: owner });
  const lines = (await exported.text()).trim().split("\n");
  const { tile } = JSON.parse(lines.find((line) => line.includes("Page lens")) ?? "");
  const types = ["WEBSITE", "YOUTUBE", "BLUESKY"];
  const tiles = Array.from({ length: TILES }, (_, i) => ({
    tile: {
      ...tile,
      id: `til_${i}`,
      title: `Entry ${i}`,
      sourceUrl: `${FARO}/${i}`,
      type: types[i % types.length],
      metadata: { siteName: "Faro", durationSeconds: i, thumbnailUrl: `${FARO}/lens.png?${i}` },
    },
  }));
  const form = new FormData();
  form.set("file", new Blob([[lines[0], ...tiles.map((each) => JSON.stringify(each))].join("\n")]), "many.jsonl");
  const made = await fetch(`${install.url}/api/settings/boards/import?name=Many`, {
    method: "POST",
    headers: { ...owner, origin: install.url },
    body: form,
  });
  const { board, ...counts } = (await made.json()) as { readonly board: { readonly id: string }; readonly tiles: number };
  expect(counts).toMatchObject({ tiles: TILES });
  return board.id;
}
