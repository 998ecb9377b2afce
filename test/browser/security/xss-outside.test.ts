import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenAiServer, startOpenAiServer } from "../../support/servers/openai-server.ts";
import { type Origin, articlePage, startOrigin } from "../../support/servers/origin.ts";
import type { Session } from "../support/install.ts";
import { PAYLOADS } from "../support/hostile/payloads.ts";
import { type BrowserFixture, startBrowserFixture } from "../support/browser-fixture.ts";
import { type Visitor, settle } from "../support/visitor.ts";
import { expectTextOnly, DETECT_SCRIPTS } from "../support/hostile/text-only.ts";
import { typeInto } from "../support/input/typing.ts";

const SITE = "https://www.hostile-harbour.example";
const FERRY = "The harbour ferry departs at 6:40 every morning from pier three.";
const QUOTE = "departs at 6:40 every morning";
const ABOUT = { source: 1, quote: QUOTE };
/** Payloads per answer, draft or list of ideas. */
const PAYLOADS_PER_PART = 12;
const PARTS = Array.from({ length: Math.ceil(PAYLOADS.length / PAYLOADS_PER_PART) }, (_, at) =>
  PAYLOADS.slice(at * PAYLOADS_PER_PART, (at + 1) * PAYLOADS_PER_PART),
);

let site: Origin;
let model: OpenAiServer;
let fixture: BrowserFixture;
let owner: Session;
let boardId: string;
let zoneId: string;
let visitor: Visitor;
let page: Page;

const call = (method: string, path: string, body?: unknown): Promise<any> => fixture.install.call(owner, method, path, body);
const tilesNow = async (id: string): Promise<any[]> => (await call("GET", `/api/board/${id}/tiles?metadata=true`)).tiles;
const newBoard = async (name: string): Promise<string> => (await call("POST", "/api/board/boards", { name })).board.id;

beforeAll(async () => {
  [site, model] = await Promise.all([startOrigin(serve), startOpenAiServer(() => ({ text: "" }))]);
  fixture = await startBrowserFixture({
    FETCH_ROUTES: `${SITE}=${site.url}`,
    FETCH_ALLOW: `127.0.0.1:${site.port}`,
    WEBHOOK_ALLOW: `127.0.0.1:${site.port}`,
    INGEST_ATTEMPTS: "1",
    INGEST_PER_HOST: "8",
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "tiny",
    LLM_API_KEY: "sk-model-key",
    LLM_BASE_URL: model.url,
  });
  owner = await fixture.install.claim();
  boardId = await fixture.install.defaultBoard(owner);
  zoneId = (await call("POST", `/api/board/${boardId}/zones`, { name: "Harbour" })).zone.id;
  await call("POST", `/api/board/${boardId}/tiles`, { title: "Ferry times", content: FERRY, zone_id: zoneId });
  visitor = await fixture.visit();
  ({ page } = visitor);
  await visitor.context.addInitScript(DETECT_SCRIPTS);
  await visitor.logIn(owner);
});
afterAll(async () => {
  await fixture?.stop();
  await model?.close();
  await site?.close();
});

it("metadata of a fetched page is shown as text", { timeout: 300_000 }, async () => {
  const board = await newBoard("Pages");
  for (const [at] of PAYLOADS.entries()) await call("POST", `/api/board/${board}/tiles`, { url: `${SITE}/page/${at}` });
  await waitUntilReady(board);
  const tiles = await tilesNow(board);
  // The text arrived unchanged, otherwise nothing was tested.
  expect(tiles.filter(({ title }) => title.includes("<img src=x onerror=x()>"))).not.toEqual([]);
  expect(tiles.filter(({ metadata }) => JSON.stringify(metadata).includes("x()"))).not.toEqual([]);
  await readEach(board);
});

it("name and content of an uploaded file are shown as text", { timeout: 300_000 }, async () => {
  const board = await newBoard("Files");
  for (const [at, payload] of PAYLOADS.entries()) {
    const form = new FormData();
    const [type, ending] = [
      ["text/plain", "txt"],
      ["text/markdown", "md"],
      ["text/html", "html"],
    ][at % 3]!;
    form.set("file", new Blob([`${payload}\n\n${articlePage(payload)}\n\n${payload}`], { type: type! }), `${payload}.${ending}`);
    const answer = await fetch(`${fixture.install.url}/api/board/${board}/files`, {
      method: "POST",
      headers: { cookie: owner.cookie, origin: fixture.install.url },
      body: form,
    });
    expect(answer.status, payload).toBe(200);
  }
  await waitUntilReady(board);
  const tiles = await tilesNow(board);
  expect(tiles.filter(({ title }) => title.includes("onerror=x()"))).not.toEqual([]);
  await readEach(board);
});

it("address and error of a failed link are shown as text", { timeout: 300_000 }, async () => {
  const board = await newBoard("Failures");
  for (const payload of PAYLOADS) await call("POST", `/api/board/${board}/tiles`, { url: `${SITE}/gone?${encodeURIComponent(payload)}` });
  await call("POST", `/api/board/${board}/tiles`, { url: `${SITE}/moved` });
  await call("POST", `/api/board/${board}/tiles`, { url: `${SITE}/odd` });
  await waitUntilReady(board);
  expect((await tilesNow(board)).filter(({ status }) => status === "failed").length).toBeGreaterThanOrEqual(PAYLOADS.length);
  await readEach(board, 12);
});

it("answers of a language model are shown as text, while streaming and afterwards", async () => {
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  const box = page.getByRole("textbox", { name: "Your question" });
  for (const [at, part] of PARTS.entries()) {
    model.script(() => ({
      text: [
        ...part.flatMap((payload) => [`It says ${payload} [1: "${QUOTE}"]\n\n`, `- ${payload}\n`]),
        `The end. [1: "${QUOTE}"] [2: "${part[0]}"]`,
      ],
      pieceMs: 5,
    }));
    await typeInto(box, `When does the harbour ferry depart? ${part[0]}`);
    await box.press("Enter");
    const turn = page
      .getByRole("article")
      .filter({ has: page.getByRole("heading", { level: 3 }) })
      .nth(at);
    await turn.getByText(/\d+ tokens read/).waitFor();
    await expectTextOnly(visitor, `answer ${at}`);
  }
  await page.getByText("Tiles used").first().click();
  await expectTextOnly(visitor, "answers");
});

it("drafts and ideas of a language model are shown as text", async () => {
  for (const part of PARTS) {
    const sections = part.map((payload) => ({ heading: payload.slice(0, 150), text: `Of the ferry: ${payload}`, citations: [ABOUT] }));
    model.script(() => ({ text: JSON.stringify({ title: `Ferry ${part[0]}`, sections }) }));
    const body = { board_id: boardId, asset_type: "article", save_to_zone_id: zoneId };
    expect(await call("POST", "/api/v1/generate", body)).toMatchObject({ generation: { status: "complete", mode: "model" } });
    const ideas = part.map((payload) => ({
      title: `Ferry ${payload}`,
      hook: `Ferry ${payload}`,
      angle: payload,
      rationale: payload,
      citations: [ABOUT],
    }));
    model.script(() => ({ text: JSON.stringify({ ideas }) }));
    expect(await call("POST", "/api/v1/idea", { board_id: boardId, count: PAYLOADS_PER_PART })).toMatchObject({
      generation: { status: "complete", mode: "model" },
    });
  }
  await visitor.open(`/b/${boardId}`);
  await page.getByRole("banner").getByRole("button", { name: "Ask" }).click();
  await page.getByRole("tab", { name: "Generate" }).click();
  const made = page.getByRole("region", { name: "Earlier results" });
  await made.getByRole("button", { name: /^Show \d+ more$/ }).click();
  expect(await made.getByRole("listitem").count()).toBe(PARTS.length * 2);
  for (const one of await made.getByRole("listitem").getByRole("button").all()) {
    await one.click();
    await page
      .getByRole("region", { name: "Result" })
      .getByText(/tokens read/)
      .waitFor();
    await expect.poll(() => one.getAttribute("aria-current")).toBe("true");
    await expectTextOnly(visitor, (await one.textContent()) ?? "");
  }
  await page
    .getByRole("button", { name: "Write a draft" })
    .first()
    .or(page.getByRole("button", { name: "Copy" }).first())
    .first()
    .click();
  await expectTextOnly(visitor, "idea that was chosen");
});

it("responses of webhook receivers are shown as text in the delivery log", async () => {
  await call("POST", "/api/settings/webhook", { url: `${site.url}/hook` });
  await call("POST", "/api/settings/webhook/test");
  await visitor.open("/settings/webhook");
  await expect.poll(async () => (await call("GET", "/api/settings/webhook/deliveries")).deliveries[0]?.responseStatus ?? null).toBe(200);
  await visitor.open("/settings/webhook");
  await page
    .getByRole("button", { name: /Delivered 200/ })
    .first()
    .click();
  await page.getByText("Start of the response").waitFor();
  await page.getByText(PAYLOADS[0]!, { exact: false }).first().waitFor();
  await expectTextOnly(visitor, "delivery");
});

it("names in the audit log are shown as text", async () => {
  for (const payload of PAYLOADS) {
    const { key } = await call("POST", "/api/settings/keys", { name: payload, permission: "write" });
    const answer = await fetch(`${fixture.install.url}/api/board/boards`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ name: payload }),
    });
    expect(answer.status).toBe(200);
  }
  await visitor.open("/settings/audit");
  await page.getByText("The key “", { exact: false }).first().waitFor();
  await expectTextOnly(visitor, "audit");
});

/** Waits until no tile is processing. */
const waitUntilReady = (id: string): Promise<unknown> =>
  expect
    .poll(async () => (await tilesNow(id)).filter(({ status }) => status === "processing").length, { timeout: 300_000, interval: 500 })
    .toBe(0);

/** Opens the board and each of its first tiles, and finds only text. */
async function readEach(id: string, most = PAYLOADS.length): Promise<void> {
  await visitor.open(`/b/${id}`);
  await page.getByRole("article").first().waitFor();
  await expectTextOnly(visitor, "board");
  for (const tile of (await tilesNow(id)).slice(0, most)) {
    await page.evaluate(`history.pushState(null, "", "/b/${id}?tile=${tile.id}"); dispatchEvent(new PopStateEvent("popstate"))`);
    await page.locator("summary").filter({ hasText: "Details" }).first().click();
    await settle(page);
    await expectTextOnly(visitor, tile.title);
  }
}

/** The responses of a hostile site: a payload in all metadata of a page, failing responses, and one for events. */
function serve({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, SITE);
  const send = (status: number, type: string, body: string): void => void response.writeHead(status, { "content-type": type }).end(body);
  if (pathname === "/hook") return send(200, "text/html", PAYLOADS.join("\n"));
  if (pathname === "/moved") return void response.writeHead(302, { location: "javascript:x()" }).end();
  if (pathname === "/odd") return send(200, `application/x;<img src=x onerror=x()>`, PAYLOADS.join("\n"));
  const payload = /^\/page\/(\d+)$/.exec(pathname)?.[1];
  if (payload === undefined) return send(404, "text/html", PAYLOADS.join("\n"));
  send(200, "text/html; charset=utf-8", renderHostilePage(PAYLOADS[Number(payload)] ?? ""));
}

function renderHostilePage(payload: string): string {
  const words = payload.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`);
  const told = ["og:title", "og:site_name", "og:description", "article:author", "author", "description", "twitter:title"]
    .map((name) => `<meta property="${name}" name="${name}" content="${words}">`)
    .join("");
  const linked = JSON.stringify({
    "@type": "Article",
    headline: payload,
    author: { name: payload, url: "javascript:x()" },
    publisher: { name: payload },
    mainEntityOfPage: "javascript:x()",
  }).replaceAll("<", "\\u003c");
  return articlePage(words)
    .replace(
      "</head>",
      `${told}<meta property="og:image" content="https://evil.test/x.png"><script type="application/ld+json">${linked}</script></head>`,
    )
    .replace(
      "</article>",
      `<h2>${words}</h2><pre><code>${words}</code></pre><p>${words}</p><ul><li>${words}</li></ul>${payload}</article>`,
    );
}
