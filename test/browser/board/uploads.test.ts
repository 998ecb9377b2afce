import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import type { Session } from "../support/install.ts";
import type { Visitor } from "../support/visitor.ts";

const MEBIBYTE = 1_048_576;
/** The bytes that a throttled connection sends in this many seconds, to leave time to cancel. */
const SECONDS = 20;

let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let visitor: Visitor;
let page: Page;
/** The uploads that the page started, by path. */
let uploads: string[];

beforeAll(async () => {
  fixture = await startBrowserFixture();
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/zones`, { name: "Harbour" });
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.logIn(owner);
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/files")) uploads.push(request.url());
  });
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("region", { name: "Harbour" }).waitFor();
});
beforeEach(() => {
  uploads = [];
});
afterAll(async () => {
  visitor?.expectClean();
  await fixture?.stop();
});

/** Drops files that are created in the page, because transferring their bytes would be slow. */
const drop = (...files: readonly { readonly name: string; readonly bytes: number }[]): Promise<void> =>
  page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, bytes } of ${JSON.stringify(files)}) data.items.add(new File([new Uint8Array(bytes)], name, { type: "text/plain" }));
    const zone = [...document.querySelectorAll("[data-column]")][0];
    for (const type of ["dragenter", "dragover", "drop"])
      zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
  })()`);
const cards = () => page.getByRole("article");
const tiles = async (): Promise<any[]> => (await fixture.install.call(owner, "GET", `/api/board/${boardId}/tiles`)).tiles;

async function slowDown(bytesPerSecond: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const emulate = (uploadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
  await emulate(bytesPerSecond);
  return async () => {
    await emulate(-1);
    await session.detach();
  };
}

it("page and API report the size limit of files", async () => {
  const limits = { fileBytes: 50 * MEBIBYTE };
  expect(await fixture.install.call(owner, "GET", "/api/settings/session")).toMatchObject({ limits });
});

it("a file over the limit is rejected before the upload; others of the same drop are added", async () => {
  await drop({ name: "film.txt", bytes: 60 * MEBIBYTE });
  await page.getByText("“film.txt” is 60 MB; the limit is 50 MB. Upload a smaller file, or paste the text that you need.").waitFor();
  expect([uploads, await cards().count()]).toEqual([[], 0]);
  await drop({ name: "more.txt", bytes: 50 * MEBIBYTE + 1 }, { name: "note.txt", bytes: 20 }, { name: "most.txt", bytes: 51 * MEBIBYTE });
  await page.getByText("2 files were not added. “more.txt” is 50.1 MB").waitFor();
  await expect.poll(async () => (await tiles()).length).toBe(1);
  expect(uploads).toHaveLength(1);
  await fixture.install.call(owner, "POST", `/api/board/${boardId}/tiles/bulk`, { filter: { type: "DOCUMENT" }, action: { delete: true } });
  for (const { id } of await tiles()) await fixture.install.call(owner, "DELETE", `/api/board/tiles/${id}`);
  await expect.poll(() => cards().count()).toBe(0);
});

it("an upload shows its progress and can be cancelled", async () => {
  const restore = await slowDown((5 * MEBIBYTE) / SECONDS);
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/files"));
  await drop({ name: "long.txt", bytes: 5 * MEBIBYTE });
  const card = cards().filter({ hasText: "long.txt" });
  await card.getByText(/^Uploading, \d+ %$/).waitFor();
  const bar = card.getByRole("progressbar", { name: "Upload of long.txt" });
  await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(0);
  await card.getByRole("button", { name: "Cancel the upload of long.txt" }).click();
  expect((await failed).failure()?.errorText).toBe("net::ERR_ABORTED");
  await page.getByText("Cancelled 1 upload.").waitFor();
  await card.waitFor({ state: "detached" });
  await restore();
  expect(await tiles()).toEqual([]);
  // The connection does not count as lost.
  expect(await page.getByText("No connection", { exact: false }).count()).toBe(0);
});

it("undo ends an upload, and redo uploads the file again", async () => {
  const restore = await slowDown((5 * MEBIBYTE) / SECONDS);
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/files"));
  await drop({ name: "once more.txt", bytes: 5 * MEBIBYTE });
  const card = cards().filter({ hasText: "once more.txt" });
  await card.getByText(/^Uploading, [1-9]\d* %$/).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Undone: Added “once more.txt”.").waitFor();
  await failed;
  await card.waitFor({ state: "detached" });
  await restore();
  expect(await tiles()).toEqual([]);
  await page.keyboard.press("Control+y");
  await card.waitFor();
  await expect.poll(async () => (await tiles()).length).toBe(1);
  await page.keyboard.press("Control+z");
  await expect.poll(tiles).toEqual([]);
});

it("a rejected upload shows the reason and can be retried", async () => {
  await page.route("**/files", (route) => route.fulfill({ status: 413, json: { error: "The file is too large. The maximum is 1 MiB." } }), {
    times: 1,
  });
  await drop({ name: "again.txt", bytes: 100 });
  const note = page.getByRole("region", { name: "Notifications (F6)" });
  await note.getByText("The file is too large. The maximum is 1 MiB.").waitFor();
  await note.getByRole("button", { name: "Try again" }).click();
  await expect.poll(async () => (await tiles()).length).toBe(1);
});
