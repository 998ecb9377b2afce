import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signStandard } from "#net/signature.ts";
import { serve } from "../sdk/server.ts";
import { useTestService } from "../support/service.ts";
import { type ZapierApp, startZapierApp } from "./support/zapier.ts";

const service = useTestService();
let app: ZapierApp;
beforeAll(async () => void (app = await startZapierApp()));
afterAll(() => app?.stop());

const authData = () => ({ serverUrl: `${service.url}/`, apiKey: service.key });
const run = (path: string, inputData: object = {}, more: object = {}) => app.run(path, { authData: authData(), inputData, ...more });
const perform = (path: string, inputData: object = {}) => run(`${path}.operation.perform`, inputData);

test("the definition passes Zapier's validation", async () => {
  expect(await app.run("validate")).toEqual([]);
});

test("the connection is tested with the key, and a wrong key is the server's sentence", async () => {
  expect(await run("authentication.test")).toMatchObject({ permission: "write", business: {}, key: {} });
  await expect(app.run("authentication.test", { authData: { ...authData(), apiKey: "tsr_wrong" } })).rejects.toThrow("Invalid API key.");
});

test("tiles are created, found, asked about and written about", async () => {
  const board_id = service.boardId;
  const tile = await perform("creates.create_tile", {
    board_id,
    title: "Ferry",
    content: "The ferry leaves at seven.",
    url: "",
    external_id: "z-1",
  });
  expect(tile).toMatchObject({ type: "TEXT", status: "ready", created: true });
  expect(
    await perform("creates.create_tile", { board_id, title: "Ferry", content: "The ferry leaves at eight.", external_id: "z-1" }),
  ).toMatchObject({ id: tile.id, created: false });
  expect(await perform("searches.search_tiles", { board_id, q: "ferry" })).toMatchObject([{ id: tile.id, title: "Ferry" }]);
  expect(await perform("creates.ask", { board_id, question: "When does the ferry leave?" })).toMatchObject({ answered: true });
  expect(await perform("creates.generate", { board_id, asset_type: "post", prompt: "ferry", zone_id: "" })).toMatchObject({
    assetType: "post",
  });
  await expect(perform("creates.create_tile", { board_id })).rejects.toThrow("Either content or url must be provided.");
});

test("dropdowns list boards, and the zones of the chosen board", async () => {
  const { zone } = (await service.call("POST", `/api/board/${service.boardId}/zones`, { body: { name: "Inbox" } })).json;
  expect(await perform("triggers.board")).toContainEqual({ id: service.boardId, name: expect.any(String) });
  expect(await perform("triggers.zone", { board_id: service.boardId })).toContainEqual({ id: zone.id, name: "Inbox" });
  expect(await perform("triggers.zone")).toEqual([]);
});

describe("triggers", () => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const content = JSON.stringify({ event: "tile.ready", payload: { tileId: "til_1", title: "Häfen" }, sentAt: "2026-01-01T00:00:00.000Z" });
  const now = () => Math.floor(Date.now() / 1_000);

  /** What Zapier passes on when a request comes in: it writes a prefix before the names of headers. */
  const receive = (timestamp: number, by = secret, id = "msg_1") =>
    app.run("triggers.tile_ready.operation.perform", {
      subscribeData: { id: "whk_1", secret },
      cleanedRequest: JSON.parse(content),
      rawRequest: {
        content,
        headers: {
          "Http-Webhook-Id": id,
          "Http-Webhook-Timestamp": String(timestamp),
          "Http-Webhook-Signature": signStandard("msg_1", timestamp, content, by),
        },
      },
    });

  test("a genuine event starts the Zap, and a forged or old one does not", async () => {
    expect(await receive(now())).toEqual([
      { id: "msg_1", event: "tile.ready", sentAt: "2026-01-01T00:00:00.000Z", tileId: "til_1", title: "Häfen" },
    ]);
    await expect(receive(now(), `whsec_${randomBytes(32).toString("base64")}`)).rejects.toThrow("does not match");
    await expect(receive(now(), secret, "msg_2")).rejects.toThrow("does not match");
    await expect(receive(now() - 400)).rejects.toThrow("too old");
  });

  test("a trigger subscribes, unsubscribes, and lists samples newest first with unique ids", async () => {
    const sample = (tileId: string, day: number) => ({ event: "tile.ready", payload: { tileId }, sentAt: `2026-01-0${day}T00:00:00.000Z` });
    await using server = await serve(({ url }) =>
      url.startsWith("/api/webhooks/samples")
        ? { body: { samples: [sample("til_1", 1), sample("til_2", 3), sample("til_1", 2)] } }
        : { body: { webhook: { id: "whk_1" }, secret } },
    );
    const bundle = {
      authData: { serverUrl: server.url, apiKey: "k" },
      inputData: { board_id: "brd_1" },
      targetUrl: "https://hooks.zapier.com/1",
    };
    const subscribeData = await app.run("triggers.tile_ready.operation.performSubscribe", bundle);
    expect(subscribeData).toEqual({ id: "whk_1", secret });
    await app.run("triggers.tile_ready.operation.performUnsubscribe", { ...bundle, subscribeData });
    const listed = await app.run("triggers.tile_ready.operation.performList", bundle);
    expect(listed.map(({ tileId, sentAt }: any) => `${tileId} ${sentAt.slice(9, 10)}`)).toEqual(["til_2 3", "til_1 2", "til_1 1"]);
    expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      [
        "POST",
        "/api/webhooks",
        { url: bundle.targetUrl, events: ["tile.ready"], board_id: "brd_1", include_tile: true, description: "Zapier: Tile Ready" },
      ],
      ["DELETE", "/api/webhooks/whk_1", undefined],
      ["GET", "/api/webhooks/samples?event=tile.ready", undefined],
    ]);
  });
});
