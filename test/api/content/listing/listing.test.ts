import { describe, expect, test } from "vitest";
import { UNKNOWN_TARGET } from "../../../support/test-data.ts";
import { service, boardId, zones, tiles, list, listIds, readAllPages, useListingService } from "./listing-service.ts";

useListingService();

describe("tiles", () => {
  test("have the documented eight fields and four more, and a cursor only in pages", async () => {
    const { json, headers } = await list();
    expect(Object.keys(json)).toEqual(["tiles"]);
    expect(Object.keys(json.tiles[0]).sort()).toEqual([
      "createdAt",
      "error",
      "externalId",
      "extractedText",
      "id",
      "sortOrder",
      "sourceUrl",
      "status",
      "title",
      "type",
      "updatedAt",
      "zoneId",
    ]);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(json.tiles[0]).toMatchObject({
      id: tiles[0],
      zoneId: zones[0],
      type: "TEXT",
      title: "Untitled note",
      extractedText: "Note 0",
      status: "ready",
      sourceUrl: null,
      error: null,
    });
    expect(json.tiles[3]).toMatchObject({ type: "WEBSITE", status: "processing", sourceUrl: "https://example.com/3", extractedText: "" });
  });

  test("are ordered by creation, reversed by order=desc, or by zone and position", async () => {
    expect(await listIds()).toEqual(tiles);
    expect(await listIds("?order=asc")).toEqual(tiles);
    expect(await listIds("?order=desc")).toEqual(tiles.toReversed());
    const byZone = [0, 1, 2].flatMap((zone) => tiles.filter((_, i) => i % 3 === zone));
    expect(await listIds("?order=position")).toEqual(byZone);
  });

  test("can be filtered by single and combined filters", async () => {
    const isLink = (i: number): boolean => i % 4 === 3;
    expect(await listIds(`?zone_id=${zones[1]}`)).toEqual(tiles.filter((_, i) => i % 3 === 1));
    expect(await listIds(`?zoneId=${zones[1]}`)).toEqual(tiles.filter((_, i) => i % 3 === 1));
    expect(await listIds("?zone_id=")).toEqual(tiles);
    expect(await listIds("?status=processing")).toEqual(tiles.filter((_, i) => isLink(i)));
    expect(await listIds("?status=failed")).toEqual([]);
    expect(await listIds("?type=TEXT")).toEqual(tiles.filter((_, i) => !isLink(i)));
    expect(await listIds(`?type=WEBSITE&zone_id=${zones[0]}&order=desc`)).toEqual(
      tiles.filter((_, i) => isLink(i) && i % 3 === 0).toReversed(),
    );
    expect(await listIds(`?zone_id=${zones[2]}`)).toEqual([]);
  });

  test("have no extractedText with text=false, in pages or not", async () => {
    for (const query of ["?text=false", "?text=false&limit=2"]) {
      const { json, text } = await list(query);
      expect(text).not.toContain("extractedText");
      expect(json.tiles[0].title).toBe("Untitled note");
    }
    expect((await list("?text=true")).text).toContain("Note 0");
  });

  test("have their metadata only with metadata=true, with or without text", async () => {
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

  test("changed at or after updated_since are listed by the time of change", async () => {
    const { updatedAt } = (await service.call("PATCH", `/api/board/tiles/${tiles[4]}`, { body: { title: "Changed" } })).json.tile;
    const changed = await listIds(`?updated_since=${updatedAt}`);
    expect(changed).toContain(tiles[4]);
    const all = (await list("?updated_since=2020-01-01")).json.tiles.map(({ updatedAt: at, id }: any) => [at, id]);
    expect(all).toEqual(all.toSorted((a: string[], b: string[]) => (a.join() < b.join() ? -1 : 1)));
    expect(all).toHaveLength(12);
    for (const form of ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000%2B02:00", "2020-01-01T00:00:00+02:00", "2020-01-01T00:00"]) {
      expect((await list(`?updated_since=${form}`)).json.tiles, form).toHaveLength(12);
    }
    expect(await listIds("?updated_since=2100-01-01T00:00:00Z")).toEqual([]);
    for (const wrong of ["yesterday", "1700000000", "2026-13-45", "2026"]) {
      const { status, json } = await list(`?updated_since=${wrong}`);
      expect([status, json.error.split(" ")[0]], wrong).toEqual([400, "updated_since"]);
    }
  });

  test.each(["", "order=desc", "order=position", "updated_since=2020-01-01", "type=TEXT", "text=false"])(
    "in pages with %j join to the whole listing",
    async (query) => {
      const path = `/api/board/${boardId}/tiles?${query}`;
      const whole = (await service.call("GET", path)).json.tiles.map(({ id }: { id: string }) => id);
      for (const limit of [1, 5, 12, 500]) {
        const { ids, pages } = await readAllPages(path, "tiles", limit);
        expect(ids).toEqual(whole);
        expect(pages).toBe(Math.max(1, Math.ceil(whole.length / limit)));
      }
    },
  );

  test.each([
    ["?limit=0", "limit must be a whole number from 1 to 500."],
    ["?limit=501", "limit must be a whole number from 1 to 500."],
    ["?limit=-1", "limit must be a whole number from 1 to 500."],
    ["?limit=1.5", "limit must be a whole number from 1 to 500."],
    ["?limit=abc", "limit must be a whole number from 1 to 500."],
    ["?limit=1&limit=2", "limit must be a whole number from 1 to 500."],
    ["?status=done", "status must be one of processing, ready, failed."],
    ["?order=up", "order must be one of asc, desc, position."],
    ["?text=maybe", "text must be a boolean."],
    [`?zone_id=${UNKNOWN_TARGET.zoneId}`, "The zone does not belong to this board."],
    ["?zone_id=%00", "zone_id must be valid Unicode without NUL."],
    ["?cursor=", "cursor is not valid."],
    ["?cursor=x", "cursor is not valid."],
  ])("with the query %s are rejected: %s", async (query, message) => {
    const { status, json } = await list(query);
    expect([status, json]).toEqual([400, { error: message }]);
  });

  test("show a write in the next listing", async () => {
    const before = await listIds();
    const { id } = (await service.call("POST", `/api/board/${boardId}/tiles`, { body: { content: "Fresh" } })).json.tile;
    expect(await listIds()).toEqual([...before, id]);
    await service.call("PATCH", `/api/board/tiles/${id}`, { body: { content: "Fresher" } });
    expect((await list()).json.tiles.at(-1).extractedText).toBe("Fresher");
    await service.call("DELETE", `/api/board/tiles/${id}`);
    expect(await listIds()).toEqual(before);
  });

  test("in a page that was served before show later changes, and the next page once more tiles exist", async () => {
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

  test("in a listing of several steps are complete, in order, and valid JSON", async () => {
    const { id } = (await service.call("POST", "/api/board/boards", { body: { name: "Long" } })).json.board;
    const made: string[] = [];
    for (let part = 0; part < 3; part++) {
      const items = Array.from({ length: 400 }, (_, i) => ({ board_id: id, content: `Note ${part} ${i} "quoted" 😀` }));
      made.push(
        ...(await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles: items } })).json.results.map(
          ({ tile }: any) => tile.id,
        ),
      );
    }
    const { json } = await list("", id);
    expect(json.tiles.map((tile: any) => tile.id)).toEqual(made);
    expect((await readAllPages(`/api/board/${id}/tiles`, "tiles", 500)).ids).toEqual(made);
    const paged = (await list(`?cursor=${(await list("?limit=1", id)).json.nextCursor}`, id)).json;
    expect([paged.tiles.length, typeof paged.nextCursor]).toEqual([500, "string"]);
  });
});
