import { defineRequirements } from "../../requirement.ts";
import { assertEqual, getObject, toObject } from "../../expect.ts";
import { assertResult, bulk } from "../resources/bulk.ts";

export const bulkLabelAdditions = defineRequirements("Bulk changes", {
  "A-312": {
    statement:
      "filter takes tag and properties; add_tags, remove_tags and set_properties change every matching tile, and null removes a key.",
    check: async function changesManyLabels(t) {
      const { id: boardId } = await t.freshBoard();
      const { id: one } = await t.tile({ tags: ["Red"], properties: { order: 1 } }, boardId);
      const { id: two } = await t.tile({ tags: ["blue"], properties: { order: 2 } }, boardId);
      const read = async (id: string) => toObject(getObject(await t.call("GET", `/api/board/tiles/${id}`), "tile"), "the tile");
      assertResult(await bulk(t, boardId, { tag: "red" }, { add_tags: ["new"] }, { dry_run: true }), 1, 0, [one]);
      assertResult(await bulk(t, boardId, { properties: { order: [1, 2] } }, { add_tags: ["RED", "new"] }), 2, 2, [one, two]);
      assertEqual(
        [(await read(one))["tags"], (await read(two))["tags"]],
        [
          ["Red", "new"],
          ["blue", "RED", "new"],
        ],
        "tags",
      );
      assertResult(await bulk(t, boardId, { tag: "new" }, { remove_tags: ["red"] }), 2, 2, [one, two]);
      assertEqual((await read(one))["tags"], ["new"], "tags that are left");
      assertResult(await bulk(t, boardId, { tag: ["new", "blue"] }, { set_properties: { paid: true, order: null } }), 1, 1, [two]);
      assertEqual((await read(two))["properties"], { paid: true }, "properties");
    },
  },
});
