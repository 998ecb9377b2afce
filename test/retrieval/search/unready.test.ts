import { expect, it } from "vitest";
import type { UnreadyTile } from "#domain/answers/search.ts";
import { parseSearch } from "#retrieval/search/parse.ts";
import { findUnready, getSearchedText } from "#retrieval/search/unready.ts";

const createTile = (sequence: number, title: string, sourceUrl: string | null = null): UnreadyTile => ({
  tileId: `til_${sequence}`,
  title,
  type: "WEBSITE",
  status: "processing",
  sourceUrl,
  connected: true,
  sequence,
});

/** A board of tiles without text, with the number of rows read. */
function createBoard(tiles: readonly UnreadyTile[]) {
  const newestFirst = tiles.toSorted((a, b) => b.sequence - a.sequence);
  let read = 0;
  return {
    read: () => read,
    async unreadyTiles(_business: string, _board: string, before: number | null, limit: number) {
      const page = newestFirst.filter(({ sequence }) => before === null || sequence < before).slice(0, limit);
      read += page.length;
      return page;
    },
  };
}

const find = async (board: ReturnType<typeof createBoard>, query: string) =>
  (await findUnready(board, "b", "c", parseSearch(query), {})).map(({ tileId }) => tileId);

it("tiles without text are searched by title and address, each once", () => {
  expect(getSearchedText(createTile(1, "Title", "https://one.example/"))).toBe("Title\nhttps://one.example/");
  expect(getSearchedText(createTile(1, "https://one.example/", "https://one.example/"))).toBe("https://one.example/");
  expect(getSearchedText(createTile(1, "plan.pdf"))).toBe("plan.pdf");
});

it("tiles without text are preselected by the letters of words, ignoring case, accents and usual endings, best first", async () => {
  const board = createBoard([
    createTile(1, "Müllabfuhr im Hafen"),
    createTile(2, "HARBOUR"),
    createTile(3, "Отчёт"),
    createTile(4, "Harbour Mullabfuhr"),
  ]);
  expect(await find(board, "mullabfuhr")).toEqual(["til_4", "til_1"]);
  expect(await find(board, "harbours")).toEqual(["til_4", "til_2"]);
  expect(await find(board, "harbour mullabfuhr")).toEqual(["til_4", "til_1", "til_2"]);
  expect(await find(board, "отчет")).toEqual(["til_3"]);
  expect(await find(board, "ha*")).toEqual(["til_4", "til_2", "til_1"]);
  expect(await find(board, "zebra")).toEqual([]);
});

it("tiles without text are not read for an empty query", async () => {
  const board = createBoard([createTile(1, "Harbour")]);
  for (const query of ["", " ", '""', "*", "?!"]) expect(await find(board, query)).toEqual([]);
  expect(board.read()).toBe(0);
});

it("tiles without text are limited in number for reading and for ranking", async () => {
  const page = Array.from({ length: 1_000 }, (_, i) => createTile(i + 1, "Harbour"));
  let pages = 0;
  const endless = {
    async unreadyTiles() {
      pages++;
      return page;
    },
  };
  const found = await findUnready(endless, "b", "c", parseSearch("harbour"), {});
  expect(found).toHaveLength(200);
  expect(pages).toBe(50);
  expect(found[0]?.tileId).toBe("til_1000");
});
