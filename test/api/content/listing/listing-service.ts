import { afterAll, beforeAll, expect } from "vitest";
import { type TestService, startTestService } from "../../../support/service.ts";

export let service: TestService;
export let boardId: string;
export let zones: string[];
export let tiles: string[];

export const list = (query = "", board = boardId) => service.call("GET", `/api/board/${board}/tiles${query}`);
export const listIds = async (query = ""): Promise<string[]> => (await list(query)).json.tiles.map(({ id }: { id: string }) => id);

/** All rows of a listing, page by page. */
export async function readAllPages(path: string, rows: "tiles" | "zones", limit: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const { json }: { json: any } = await service.call(
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    expect(json[rows].length).toBeLessThanOrEqual(limit);
    ids.push(...json[rows].map(({ id }: { id: string }) => id));
    cursor = json.nextCursor;
    pages++;
  } while (cursor !== null);
  return { ids, pages };
}

/** Registers the hooks that set up and close what the tests of a file share. */
export function useListingService(): void {
  beforeAll(async () => {
    service = await startTestService({ ROLE: "api" });
    boardId = (await service.call("POST", "/api/board/boards", { body: { name: "Listed" } })).json.board.id;
    zones = [];
    for (const name of ["A", "B", "C"])
      zones.push((await service.call("POST", `/api/board/${boardId}/zones`, { body: { name } })).json.zone.id);
    const items = Array.from({ length: 12 }, (_, i) => ({
      board_id: boardId,
      ...(i % 4 === 3 ? { url: `https://example.com/${i}` } : { content: `Note ${i}` }),
      ...(i % 3 === 2 ? {} : { zone_id: zones[i % 3] }),
    }));
    const { results } = (await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles: items } })).json;
    tiles = results.map(({ tile }: any) => tile.id);
  });
  afterAll(() => service.stop());
}
