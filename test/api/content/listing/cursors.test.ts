import { expect, test } from "vitest";
import { service, boardId, zones, tiles, list, readAllPages, useListingService } from "./listing-service.ts";

useListingService();

test("zones are listed by sortOrder with the documented fields, and pages join to the whole", async () => {
  const path = `/api/board/${boardId}/zones`;
  await service.call("PATCH", `/api/board/zones/${zones[2]}`, { body: { sort_order: -5 } });
  const { json } = await service.call("GET", path);
  expect(json.zones.map(({ id }: { id: string }) => id)).toEqual([zones[2], zones[0], zones[1]]);
  expect(json.zones[0]).toMatchObject({ id: zones[2], name: "C", sortOrder: -5, connectedToChat: true, color: null, emoji: null });
  expect(Object.keys(json)).toEqual(["zones"]);
  for (const limit of [1, 2, 3]) expect((await readAllPages(path, "zones", limit)).ids).toEqual([zones[2], zones[0], zones[1]]);
  await service.call("PATCH", `/api/board/zones/${zones[2]}`, { body: { sort_order: 2 } });
  expect((await service.call("GET", `${path}?limit=x`)).json).toEqual({ error: "limit must be a whole number from 1 to 500." });
});

test("cursors are valid only unmodified, on the listing that returned them", async () => {
  const { nextCursor } = (await list("?limit=2")).json;
  const invalid = [400, { error: "cursor is not valid." }];
  const flipped = (at: number): string => nextCursor.slice(0, at) + (nextCursor[at] === "A" ? "B" : "A") + nextCursor.slice(at + 1);
  const tampered = [
    ...Array.from(nextCursor, (_, at) => flipped(at)),
    `${nextCursor}A`,
    `${nextCursor}!`,
    `${nextCursor}%3D`,
    nextCursor.slice(1),
    nextCursor.slice(0, -1),
    `${nextCursor}${nextCursor}`,
  ];
  for (const cursor of tampered) {
    const { status, json } = await list(`?limit=2&cursor=${cursor}`);
    expect([status, json], cursor).toEqual(invalid);
  }
  for (const path of [
    `/api/board/${service.boardId}/tiles?cursor=${nextCursor}`,
    `/api/board/${boardId}/tiles?order=desc&cursor=${nextCursor}`,
    `/api/board/${boardId}/tiles?type=TEXT&cursor=${nextCursor}`,
    `/api/board/${boardId}/zones?cursor=${nextCursor}`,
    `/api/board/boards?cursor=${nextCursor}`,
  ]) {
    const { status, json } = await service.call("GET", path);
    expect([status, json], path).toEqual(invalid);
  }
  expect((await list(`?limit=2&cursor=${nextCursor}`)).json.tiles.map(({ id }: { id: string }) => id)).toEqual(tiles.slice(2, 4));
});

test("cursors continue after the last shown row was deleted", async () => {
  const { json } = await list("?limit=3");
  await service.call("DELETE", `/api/board/tiles/${tiles[2]}`);
  expect((await list(`?limit=2&cursor=${json.nextCursor}`)).json.tiles.map(({ id }: { id: string }) => id)).toEqual(tiles.slice(3, 5));
  await service.call("POST", `/api/board/tiles/${tiles[2]}/restore`);
});

test("ids are long, end in random characters, and are not sequential", async () => {
  expect(new Set(tiles.map((id) => id.slice(-18))).size).toBe(tiles.length);
  for (const id of tiles) expect(id).toMatch(/^til_[0-9a-hjkmnp-tv-z]{26}$/);
});
