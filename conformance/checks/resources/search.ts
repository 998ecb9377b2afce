import { defineRequirements } from "../../requirement.ts";
import { assertEqual, assertError, assertFields, getIds, getList } from "../../expect.ts";

export const searchAdditions = defineRequirements("Resources › Additions", {
  "D-108": {
    statement:
      "`GET …/search?q=` returns `{ results: [{ tileId, title, type, score, quote }] }`: one result per tile, best first, at most `limit`.",
    check: async function searchReturnsResults(t) {
      const { id: boardId } = await t.freshBoard();
      const word = t.nonce();
      const tiles = [];
      for (const times of [1, 3, 2])
        tiles.push(await t.tile({ content: `${`${word} `.repeat(times)} and other words.\n\nA second paragraph with ${word}.` }, boardId));
      const other = await t.tile({ content: "Nothing of the kind." }, boardId);
      const results = getList(await t.call("GET", `/api/board/${boardId}/search`, { query: { q: word } }), "results");
      for (const row of results)
        assertFields(row, { tileId: "string", title: "string", type: "string", score: "number", quote: "string" }, "a result");
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
      assertError(await t.call("GET", `/api/board/${boardId}/search`), 400, /^q /);
    },
  },
});
