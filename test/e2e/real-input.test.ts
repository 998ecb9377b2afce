import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setWebhook } from "#service/settings/webhooks.ts";
import { type TestService, startTestService } from "../support/service.ts";
import { type Page, distinctiveSentence, questionFrom, readPages } from "./support/pages.ts";
import { type LocalServer, type Receiver, listen, openReceiver, pause, until } from "./support/servers.ts";
import { isSignedAsSpecified, isSignedByStandard } from "./support/verify.ts";

const pages = readPages(join(import.meta.dirname, "../fixtures/pages"));
const QUESTION_COUNT = 3;

let origin: LocalServer;
let receiver: Receiver;
let service: TestService;
let secret: string;
const tiles = new Map<string, Page>();

beforeAll(async () => {
  origin = await listen((request, response) => {
    const page = pages.find(({ id }) => request.url === `/${id}`);
    if (page === undefined) return void response.writeHead(404).end();
    response.setHeader("content-type", "text/html");
    response.end(page.html);
  });
  receiver = await openReceiver();
  service = await startTestService({ FETCH_ALLOW: origin.host, WEBHOOK_ALLOW: receiver.host });
  ({ secret } = await setWebhook(service.appContext.deps, service.businessId, { url: `${receiver.url}/events`, actor: "operator" }));
  for (const page of pages) {
    const { status, json } = await service.call("POST", "/api/inbound/tiles", {
      body: { board_id: service.boardId, url: `${origin.url}/${page.id}` },
    });
    expect(status).toBe(200);
    expect(json).toEqual({ tile: { id: expect.any(String), status: "processing", type: "WEBSITE" }, created: true });
    tiles.set(json.tile.id, page);
  }
});

afterAll(async () => {
  await service?.stop();
  await Promise.all([origin?.close(), receiver?.close()]);
});

const read = async (tileId: string) => (await service.call("GET", `/api/board/tiles/${tileId}?wait=25`)).json.tile;

test("every page sent to the inbound call ends as ready with text, or as failed with a reason", { timeout: 300_000 }, async () => {
  const ended = await Promise.all([...tiles.keys()].map(read));
  for (const tile of ended) {
    if (tile.status === "failed") {
      expect(tile.error).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        stage: expect.any(String),
        retryable: expect.any(Boolean),
        attempts: expect.any(Number),
      });
    } else {
      expect(tile.status).toBe("ready");
      expect(tile.extractedText.length).toBeGreaterThan(100);
      expect(tile.title).not.toBe("");
      expect(tile.error).toBeNull();
    }
  }
  const reasons = ended
    .filter(({ status }) => status === "failed")
    .map(({ sourceUrl, error }) => `${sourceUrl}: ${error.code}: ${error.message}`);
  expect(reasons.length, reasons.join("\n")).toBeLessThanOrEqual(1);
});

test("each ready tile is reported once, in an event whose bytes match both signatures", { timeout: 300_000 }, async () => {
  const ready = (await Promise.all([...tiles.keys()].map(read))).filter(({ status }) => status === "ready");
  await until("one event for each ready tile", () => receiver.received.length >= ready.length);
  await pause(500);
  expect(receiver.received).toHaveLength(ready.length);
  for (const tile of ready) {
    const events = receiver.of(tile.id);
    expect(events).toHaveLength(1);
    const [event] = events;
    if (event === undefined) continue;
    expect(isSignedAsSpecified(event, secret)).toBe(true);
    expect(isSignedByStandard(event, secret)).toBe(true);
    expect(JSON.parse(event.body.toString("utf8"))).toEqual({
      event: "tile.ready",
      payload: { tileId: tile.id, boardId: service.boardId, title: tile.title, type: tile.type },
      sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  }
});

test("questions from the reference text are answered with verbatim quotes of the tiles", { timeout: 300_000 }, async () => {
  await until("the search index", async () => (await service.appContext.deps.store.tiles.counts()).indexPending === 0);
  let answered = 0;
  for (const [tileId, page] of tiles) {
    if (answered === QUESTION_COUNT) break;
    const tile = await read(tileId);
    const others = pages.filter((other) => other !== page);
    const sentence = tile.status === "ready" ? distinctiveSentence(page, tile.extractedText, others) : undefined;
    if (sentence === undefined) continue;
    answered++;
    const { status, json } = await service.call("POST", `/api/board/${service.boardId}/ask`, {
      body: { question: questionFrom(sentence) },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ answered: true, mode: "extractive", answer: expect.any(String), contextTokens: expect.any(Number) });
    expect(json.contextTokens).toBeGreaterThan(0);
    expect(json.citations.length).toBeGreaterThan(0);
    expect(json.citations[0].tileId).toBe(tileId);
    for (const citation of json.citations) {
      const cited = await read(citation.tileId);
      expect(cited.extractedText.slice(citation.start, citation.end)).toBe(citation.quote);
      expect(citation).toMatchObject({ title: cited.title, type: cited.type, sourceUrl: cited.sourceUrl });
    }
    const get = await service.call("GET", `/api/board/${service.boardId}/ask?q=${encodeURIComponent(questionFrom(sentence))}`);
    expect(get.json).toEqual(json);
  }
  expect(answered).toBe(QUESTION_COUNT);
});
