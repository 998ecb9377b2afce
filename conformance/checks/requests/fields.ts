import { defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assert, assertError, assertStatus } from "../../expect.ts";
import { inbound, post } from "./values.ts";

export const fieldRequirements = defineRequirements("Requests and errors", {
  "D-036": {
    statement: "A field of the wrong type returns 400 with a message that starts with the field name.",
    check: async function wrongTypesAreRejected(t) {
      assertError(await post(t, "zones", { name: 7 }), 400, /^name /);
      assertError(await post(t, "zones", { name: ["x"] }), 400, /^name /);
      assertError(await post(t, "tiles", { content: { a: 1 } }), 400, /^content /);
      assertError(await post(t, "tiles", { content: "x", title: 5 }), 400, /^title /);
      assertError(await post(t, "ask", { question: [] }), 400, /^question /);
    },
  },
  "D-037": {
    statement: "Unknown fields are ignored.",
    check: async function unknownFieldsAreIgnored(t) {
      const zone = await t.zone({ id: "mine", nonsense: { deep: [1] }, sortorder: -1, createdAt: "x" });
      assert(zone.id !== "mine", "the id of the request was used");
      const tile = await t.tile({ status: "failed", type: "YOUTUBE", nonsense: null, content: "c", rawContent: "no", extractedText: "no" });
      const { type, status, rawContent, extractedText } = tile;
      assertEqual(
        { type, status, rawContent, extractedText },
        { type: "TEXT", status: "ready", rawContent: "c", extractedText: "c" },
        "the tile",
      );
      assertEqual(await t.change("zone", zone.id, { nonsense: true }), zone, "the zone after a PATCH");
      assertEqual(await t.change("tile", tile.id, {}), tile, "the tile after an empty PATCH");
    },
  },
  "D-038": {
    statement: "The camelCase alias of a snake_case field is accepted.",
    check: async function aliasesAreAccepted(t) {
      const zone = await t.zone({ connectedToChat: false });
      assertEqual(zone["connectedToChat"], false, "connectedToChat of a create");
      assertEqual((await t.change("zone", zone.id, { connectedToChat: true }))["connectedToChat"], true, "connectedToChat");
      assertEqual((await t.tile({ zoneId: zone.id }))["zoneId"], zone.id, "zoneId");
      const externalId = t.nonce();
      const tile = t.created(await inbound(t, { boardId: t.board.id, zoneId: zone.id, externalId, content: "x" }), "tile");
      assertEqual((await t.read("tile", tile.id))["externalId"], externalId, "externalId");
      const listed = await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zone.id } });
      assert(listed.text.includes(tile.id), "the inbound tile is not in the zone of zoneId");
    },
  },
  "D-039": {
    statement:
      "null in an optional field counts as absent; in a PATCH it clears color, emoji and zone_id and leaves other fields unchanged.",
    check: async function nullClearsSomeFields(t) {
      const zone = await t.zone({ color: "teal", emoji: "🌱", size: null, connected_to_chat: null });
      assertMatch(zone, { color: "teal", emoji: "🌱", size: "md", connectedToChat: true }, "the zone");
      const nothing = { name: null, size: null, connected_to_chat: null, sort_order: null };
      const cleared = await t.change("zone", zone.id, { ...nothing, color: null, emoji: null });
      const { updatedAt } = cleared;
      assertEqual(cleared, { ...zone, color: null, emoji: null, updatedAt }, "the zone after null in every field");
      assertEqual(await t.read("zone", zone.id), cleared, "the zone when it is read");
      const tile = await t.tile({ title: null, zone_id: null, content: "Kept" });
      assertMatch(tile, { title: "Untitled note", zoneId: null }, "the tile");
      assertEqual(await t.change("tile", tile.id, { title: null, content: null, sort_order: null }), tile, "the tile after null");
    },
  },
  "D-040": {
    statement:
      "A blank title in a create call counts as absent; a blank title, content or name in a PATCH returns 400 (`title must not be blank.`).",
    check: async function blankTitles(t) {
      const { id: zoneId } = await t.zone();
      const { id, title } = await t.tile({ title: "   " });
      assertEqual(title, "Untitled note", "title");
      for (const blank of ["", " \n"]) {
        assertError(await t.call("PATCH", `/api/board/tiles/${id}`, { body: { title: blank } }), 400, "title must not be blank.");
        assertError(await t.call("PATCH", `/api/board/tiles/${id}`, { body: { content: blank } }), 400, "content must not be blank.");
        assertError(await t.call("PATCH", `/api/board/zones/${zoneId}`, { body: { name: blank } }), 400, "name must not be blank.");
      }
    },
  },
  "D-041": {
    section: "Requests and errors › Limits",
    statement: "The maximum lengths in code points are: zone name 200, title 500, content 1,000,000, question 4,000, url 2,048.",
    check: async function lengthsAreLimited(t) {
      assertEqual((await t.zone({ name: "😀".repeat(200) }))["name"], "😀".repeat(200), "a name of 200 characters");
      assertError(await post(t, "zones", { name: "😀".repeat(201) }), 400, /^name /);
      await t.tile({ title: "😀".repeat(500) });
      assertError(await post(t, "tiles", { content: "x", title: "t".repeat(501) }), 400, /^title /);
      const { id } = await t.tile({ content: "😀".repeat(1_000_000) });
      await t.call("DELETE", `/api/board/tiles/${id}`);
      assertError(await post(t, "tiles", { content: "c".repeat(1_000_001) }), 400, /^content /);
      assertStatus(await post(t, "ask", { question: "q".repeat(4000) }), 200);
      assertError(await post(t, "ask", { question: "q".repeat(4001) }), 400, /^question /);
      assertError(await inbound(t, { board_id: t.board.id, url: `https://example.com/${"u".repeat(2048)}` }), 400, "url is too long.");
    },
  },
});
