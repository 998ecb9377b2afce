import { createClient } from "@tessera-board/sdk";
import { expect, test } from "vitest";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });

test("what is created has the ETag that a change needs, in a repeated call too", async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const board = await client.boards.create({ name: "Log" });
  await client.boards.update(board.id, { name: "Log book" }, { ifMatch: board.etag ?? "none" });

  const zone = await client.zones.create(board.id, { name: "Sources" });
  await client.zones.update(zone.id, { name: "Origins" }, { ifMatch: zone.etag ?? "none" });

  const once = { idempotencyKey: "one-tile" };
  const tile = await client.tiles.create(board.id, { content: "First." }, once);
  expect(await client.tiles.create(board.id, { content: "First." }, once)).toEqual(tile);
  expect((await client.tiles.get(tile.id)).etag).toBe(tile.etag);
  const changed = await client.tiles.update(tile.id, { content: "Second." }, { ifMatch: tile.etag ?? "none" });
  await expect(client.tiles.update(tile.id, { content: "Third." }, { ifMatch: tile.etag })).rejects.toMatchObject({ status: 412 });
  expect(changed.etag).not.toBe(tile.etag);
});

test("uploads, and what is restored, have an ETag", async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.key });
  const { id, etag } = await client.tiles.upload(service.boardId, { file: new Blob(["A line."]), name: "line.txt" });
  expect(etag).toMatch(/^"\d+"$/);
  await client.tiles.delete(id);
  const restored = await client.tiles.restore(id);
  expect(restored.etag).toBe((await client.tiles.get(id)).etag);
  const zone = await client.zones.create(service.boardId, { name: "Quay" });
  await client.zones.delete(zone.id);
  expect((await client.zones.restore(zone.id)).etag).toBe((await client.zones.get(zone.id)).etag);
});
