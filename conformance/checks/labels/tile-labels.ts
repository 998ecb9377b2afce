import { defineRequirements } from "../../requirement.ts";
import { assertEqual, assertError, assertMatch, getIds, getList } from "../../expect.ts";
import type { Probe } from "../../probe.ts";

const list = async (t: Probe, boardId: string, query: string): Promise<readonly string[]> =>
  getIds(getList(await t.call("GET", `/api/board/${boardId}/tiles?text=false&${query}`), "tiles"));

export const labelAdditions = defineRequirements("Creating tiles", {
  "A-205": {
    statement: "Tags are trimmed, and of tags that differ only in case the first spelling wins; a full tile and the listing have them.",
    check: async function keepsTags(t) {
      const { id } = await t.tile({ tags: [" Harbour ", "harbour", "open now"] });
      assertEqual((await t.read("tile", id))["tags"], ["Harbour", "open now"], "tags");
      assertEqual((await t.list("tiles")).find((tile) => tile["id"] === id)?.["tags"], ["Harbour", "open now"], "tags in the listing");
    },
  },
  "A-206": {
    statement:
      "A tile keeps properties: texts, numbers, booleans, null and arrays of texts. PATCH replaces tags and properties, and null empties them.",
    check: async function keepsProperties(t) {
      const properties = { order: 4711, paid: true, colour: "red", sizes: ["S", "M"], note: null };
      const { id } = await t.tile({ properties, tags: ["one"] });
      assertEqual((await t.read("tile", id))["properties"], properties, "properties");
      assertMatch(await t.change("tile", id, { title: "Other" }), { tags: ["one"], properties }, "the tile after another change");
      assertMatch(await t.change("tile", id, { tags: ["two"], properties: { a: 1 } }), { tags: ["two"], properties: { a: 1 } }, "the tile");
      assertMatch(await t.change("tile", id, { tags: null, properties: null }), { tags: [], properties: {} }, "the emptied tile");
    },
  },
  "A-207": {
    statement: "More than 50 tags, tags of other lengths than 1–100, nested or long properties, and more than 64 of them return 400.",
    check: async function labelsHaveLimits(t) {
      const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${i}`, i]));
      const wrong: readonly (readonly [object, RegExp])[] = [
        [{ tags: "red" }, /^tags /],
        [{ tags: [7] }, /^tags /],
        [{ tags: [" "] }, /^tags /],
        [{ tags: ["x".repeat(101)] }, /^tags /],
        [{ tags: Array.from({ length: 51 }, (_, i) => `tag ${i}`) }, /^tags /],
        [{ properties: ["red"] }, /^properties /],
        [{ properties: { a: { b: 1 } } }, /^properties /],
        [{ properties: { a: [1] } }, /^properties /],
        [{ properties: { a: "x".repeat(2_001) } }, /^properties /],
        [{ properties: { ["k".repeat(101)]: 1 } }, /^properties /],
        [{ properties: keys(65) }, /^properties /],
      ];
      const { id } = await t.tile();
      for (const [body, message] of wrong) {
        assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { content: "Text", ...body } }), 400, message);
        assertError(await t.call("PATCH", `/api/board/tiles/${id}`, { body }), 400, message);
      }
      await t.tile({ tags: Array.from({ length: 50 }, (_, i) => `tag ${i}`), properties: keys(64) });
    },
  },
  "A-208": {
    statement:
      "The listing is filtered by tag (all must match, in whatever case), by property.<key>=<value> (of one key, either), and by several values of type and status.",
    check: async function filtersByLabels(t) {
      const { id: boardId } = await t.freshBoard();
      const { id: one } = await t.tile({ tags: ["Red", "big"], properties: { order: 1, paid: true } }, boardId);
      const { id: two } = await t.tile({ tags: ["red"], properties: { order: "2", sizes: ["S"] } }, boardId);
      const expected: readonly (readonly [string, readonly string[]])[] = [
        ["tag=RED", [one, two]],
        ["tag=red&tag=big", [one]],
        ["tag=none", []],
        ["property.order=1", [one]],
        ["property.order=1&property.order=2", [one, two]],
        ["property.order=1&property.paid=true", [one]],
        ["property.sizes=S", [two]],
        ["status=ready,failed&type=TEXT&type=WEBSITE", [one, two]],
        ["status=failed,processing", []],
      ];
      for (const [query, ids] of expected) assertEqual(await list(t, boardId, query), ids, query);
    },
  },
});
