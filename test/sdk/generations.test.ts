import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, TesseraError } from "@tessera-board/sdk";
import { type TestService, startTestService } from "../support/service.ts";
import { serve } from "./server.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test("every field of a generation is sent under its documented name", async () => {
  await using server = await serve(() => ({ body: { generation: { id: "g" }, generations: [] } }));
  const client = createClient({ baseUrl: server.url, apiKey: "tsr_key" });
  const chosen = { zoneIds: ["z"], tileIds: ["t"] };
  await client.generate(
    {
      boardId: "b",
      assetType: "post",
      prompt: "P",
      ...chosen,
      tone: "dry",
      audience: "A",
      language: "de",
      length: 300,
      ideaId: "i",
      saveToZoneId: "s",
    },
    { async: true, idempotencyKey: "once" },
  );
  await client.idea({ boardId: "b", prompt: "P", count: 3, assetType: "video", ...chosen });
  await client.generations.get("g", { wait: 25 });
  await client.generations.list({ boardId: "b", endpoint: "/api/v1/idea", limit: 5, cursor: "c" });
  await client.generations.cancel("g");
  const given = { board_id: "b", prompt: "P", zone_ids: ["z"], tile_ids: ["t"] };
  expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    [
      "POST",
      "/api/v1/generate",
      {
        ...given,
        asset_type: "post",
        tone: "dry",
        audience: "A",
        language: "de",
        length: 300,
        idea_id: "i",
        save_to_zone_id: "s",
        async: true,
      },
    ],
    ["POST", "/api/v1/idea", { ...given, count: 3, asset_type: "video" }],
    ["GET", "/api/v1/generations/g?wait=25", undefined],
    ["GET", "/api/v1/generations?board_id=b&endpoint=%2Fapi%2Fv1%2Fidea&limit=5&cursor=c", undefined],
    ["POST", "/api/v1/generations/g/cancel", undefined],
  ]);
  expect(server.seen[0]?.headers["idempotency-key"]).toBe("once");
});

test("a draft from an idea is created, saved, listed and read with a real service", async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const boardId = service.boardId;
  await client.tiles.create(boardId, { content: "Kelp forests grow half a metre a day. Sea otters keep urchins away from the kelp." });
  const zone = await client.zones.create(boardId, { name: "Results" });
  const { ideas, mode } = await client.idea({ boardId, count: 1 });
  expect([mode, ideas?.length]).toEqual(["extractive", 1]);
  const begun = await client.generate({ boardId, assetType: "post", ideaId: ideas?.[0]?.id ?? "", saveToZoneId: zone.id }, { async: true });
  expect(begun).toMatchObject({ status: "processing", output: null });
  const done = await client.generations.get(begun.id, { wait: 25 });
  expect(done).toMatchObject({ status: "complete", output: { title: ideas?.[0]?.title } });
  expect((await client.tiles.get(done.savedTileId ?? "")).extractedText).toBe(done.output?.text);
  const { generations, nextCursor } = await client.generations.list({ boardId, limit: 1 });
  expect(generations).toMatchObject([{ id: done.id, title: done.output?.title }]);
  expect((await client.generations.list({ cursor: nextCursor, boardId, limit: 1 })).generations).toHaveLength(1);
  const late: unknown = await client.generations.cancel(done.id).catch((error: unknown) => error);
  expect(late).toBeInstanceOf(TesseraError);
  expect(late).toMatchObject({ status: 409 });
});
