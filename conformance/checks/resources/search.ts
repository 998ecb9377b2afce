import { defineRequirements } from "../../requirement.ts";
import { assert, assertEqual, assertError, assertFields, getIds, getList } from "../../expect.ts";
import type { Resource } from "../../probe.ts";

export const searchAdditions = defineRequirements("Resources › Additions", {
  "D-108": {
    statement:
      "`GET …/search?q=` returns `{ results: [{ tileId, title, type, score, quote }] }`: one result per tile, best first, at most `limit`.",
    check: async function searchReturnsResults(t) {
      const { id: boardId } = await t.freshBoard();
      const word = t.nonce();
      const tiles: Resource[] = [];
      for (const times of [1, 3, 2])
        tiles.push(await t.tile({ content: `${`${word} `.repeat(times)} and other words.\n\nA second paragraph with ${word}.` }, boardId));
      const other = await t.tile({ content: "Nothing of the kind." }, boardId);
      const results = getList(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word } }), "results");
      for (const row of results)
        assertFields(row, { tileId: "string", title: "string", type: "string", score: "number", quote: "string" }, "a result");
      for (const { tileId, quote } of results)
        assert(
          tiles.some(({ id, extractedText }) => id === tileId && String(extractedText).includes(String(quote))),
          "a quote is not in its tile",
        );
      const found = results.map((row) => String(row["tileId"]));
      assertEqual(found.filter((id) => id !== other.id).toSorted(), [...getIds(tiles)].toSorted(), "tiles that were found");
      const scores = results.map((row) => Number(row["score"]));
      assertEqual(
        scores,
        scores.toSorted((a, b) => b - a),
        "scores, best first",
      );
      assertEqual(
        getList(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word, limit: 2 } }), "results").length,
        2,
        "results with limit=2",
      );
      for (let n = 0; n < 8; n++) await t.tile({ content: `Number ${n} of ${word}.` }, boardId);
      assertEqual((await t.call("GET", `/api/board/${boardId}/search`, { query: { q: t.nonce() } })).json, { results: [] }, "the body");
      for (const [query, count] of [
        [{}, 10],
        [{ limit: 100 }, 11],
      ] as const)
        assertEqual(
          getList(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word, ...query } }), "results").length,
          count,
          `results with ${JSON.stringify(query)}`,
        );
      assertError(await t.call("GET", `/api/board/${boardId}/search`), 400, /^q /);
    },
  },
});
