import { expect, test } from "vitest";
import { service, boardId, list, listIds, readAllPages, tiles, useListingService, zones } from "./listing-service.ts";

useListingService();

test("tiles have their metadata only with metadata=true, with or without text", async () => {
  const THIN = { code: "thin_content", message: "There is little text." };
  const board = (await service.call("POST", "/api/board/boards", { body: { name: "Known" } })).json.board;
  await service.call("POST", `/api/board/${board.id}/tiles`, { body: { content: "Plain" } });
  const { store } = service.appContext.deps;
  await service.call("POST", `/api/board/${board.id}/tiles`, { body: { url: "https://known.example/doc" } });
  const jobs = await store.queue.claim(99, 99, Date.now());
  const job = jobs.find(({ url }) => url === "https://known.example/doc");
  await store.queue.complete(
    job!,
    { type: "WEBSITE", title: "Doc", text: "Text", metadata: { author: "A. Writer", durationSeconds: 61 }, warnings: [THIN] },
    Date.now(),
  );
  for (const query of ["?metadata=true", "?metadata=true&text=false", "?metadata=true&limit=5", "?metadata=true"]) {
    const { tiles } = (await list(query, board.id)).json;
    expect(
      tiles.map(({ metadata }: any) => metadata),
      query,
    ).toEqual([{}, { author: "A. Writer", durationSeconds: 61 }]);
    expect(
      tiles.map(({ warnings }: any) => warnings),
      query,
    ).toEqual([undefined, [THIN]]);
    expect("extractedText" in tiles[0], query).toBe(!query.includes("text=false"));
  }
  await service.call("PATCH", `/api/board/tiles/${job!.tileId}`, { body: { content: "By hand" } });
  expect((await list("?metadata=true", board.id)).json.tiles.map(({ textOverridden }: any) => textOverridden)).toEqual([undefined, true]);
  for (const query of ["", "?text=false", "?metadata=false"])
    expect(
      (await list(query, board.id)).json.tiles.every(
        (tile: object) => !["metadata", "warnings", "textOverridden"].some((name) => name in tile),
      ),
      query,
    ).toBe(true);
  expect((await list("?metadata=maybe", board.id)).status).toBe(400);
});

test("tiles are filtered by their status and type while links are processing", async () => {
  const links = tiles.filter((_, i) => i % 4 === 3);
  expect(await listIds("?status=processing")).toEqual(links);
  expect(await listIds(`?type=WEBSITE&zone_id=${zones[0]}&order=desc`)).toEqual(
    tiles.filter((_, i) => i % 4 === 3 && i % 3 === 0).toReversed(),
  );
});

test.each([
  ["?limit=0", "limit must be a whole number from 1 to 500."],
  ["?limit=1&limit=2", "limit must be a whole number from 1 to 500."],
  ["?status=done", "status must be one of processing, ready, failed."],
  ["?order=up", "order must be one of asc, desc, position."],
  ["?text=maybe", "text must be a boolean."],
  ["?zone_id=%00", "zone_id must be valid Unicode without NUL."],
  ["?cursor=", "cursor is not valid."],
])("a listing with the query %s is rejected: %s", async (query, message) => {
  const { status, json } = await list(query);
  expect([status, json]).toEqual([400, { error: message }]);
});

test("the next listing shows a write", async () => {
  const before = await listIds();
  const { id } = (await service.call("POST", `/api/board/${boardId}/tiles`, { body: { content: "Fresh" } })).json.tile;
  expect(await listIds()).toEqual([...before, id]);
  await service.call("PATCH", `/api/board/tiles/${id}`, { body: { content: "Fresher" } });
  expect((await list()).json.tiles.at(-1).extractedText).toBe("Fresher");
  await service.call("DELETE", `/api/board/tiles/${id}`);
  expect(await listIds()).toEqual(before);
});

test("a page that was served before shows later changes, and a cursor once more tiles exist", async () => {
  const { json } = await service.call("POST", "/api/board/boards", { body: { name: "Paged" } });
  const board: string = json.board.id;
  const add = async (content: string): Promise<string> =>
    (await service.call("POST", `/api/board/${board}/tiles`, { body: { content } })).json.tile.id;
  const page = async (query = "") => {
    const { json: found } = await list(`?limit=2${query}`, board);
    return { texts: found.tiles.map((tile: any) => tile.extractedText), isLast: found.nextCursor === null };
  };
  const [first] = [await add("One"), await add("Two")];
  for (const _ of [1, 2]) expect(await page()).toEqual({ texts: ["One", "Two"], isLast: true });
  const third = await add("Three");
  for (const _ of [1, 2]) {
    expect(await page()).toEqual({ texts: ["One", "Two"], isLast: false });
    expect(await page("&order=desc")).toEqual({ texts: ["Three", "Two"], isLast: false });
  }
  await add("Four");
  expect(await page()).toEqual({ texts: ["One", "Two"], isLast: false });
  expect(await page("&order=desc")).toEqual({ texts: ["Four", "Three"], isLast: false });
  await service.call("PATCH", `/api/board/tiles/${first}`, { body: { content: "Changed" } });
  expect(await page()).toEqual({ texts: ["Changed", "Two"], isLast: false });
  await service.call("DELETE", `/api/board/tiles/${first}`);
  expect(await page()).toEqual({ texts: ["Two", "Three"], isLast: false });
  await service.call("DELETE", `/api/board/tiles/${third}`);
  expect(await page()).toEqual({ texts: ["Two", "Four"], isLast: true });
});

test("a listing of several steps is complete, in order, and valid JSON", async () => {
  const { id } = (await service.call("POST", "/api/board/boards", { body: { name: "Long" } })).json.board;
  const made: string[] = [];
  for (let part = 0; part < 3; part++) {
    const items = Array.from({ length: 400 }, (_, i) => ({ board_id: id, content: `Note ${part} ${i} "quoted" 😀` }));
    made.push(
      ...(await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles: items } })).json.results.map(({ tile }: any) => tile.id),
    );
  }
  const { json } = await list("", id);
  expect(json.tiles.map((tile: any) => tile.id)).toEqual(made);
  expect((await readAllPages(`/api/board/${id}/tiles`, "tiles", 500)).ids).toEqual(made);
  const paged = (await list(`?cursor=${(await list("?limit=1", id)).json.nextCursor}`, id)).json;
  expect([paged.tiles.length, typeof paged.nextCursor]).toEqual([500, "string"]);
});
