import { defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assertFields, assertError, assertStatus, getObject } from "../../expect.ts";
import { NO_ID } from "../spec/shapes.ts";

export const zoneAdditions = defineRequirements("Resources › Zones", {
  "D-067": {
    statement: "A new zone has connectedToChat true, color and emoji null, size md, and also boardId, createdAt and updatedAt.",
    check: async function newZoneHasDefaults(t) {
      const zone = await t.zone();
      assertFields(zone, { boardId: "string", createdAt: "time", updatedAt: "time" }, "the new zone");
      const { connectedToChat, color, emoji, size, boardId } = zone;
      assertEqual(
        { connectedToChat, color, emoji, size, boardId },
        { connectedToChat: true, color: null, emoji: null, size: "md", boardId: t.board.id },
        "the new zone",
      );
    },
  },
  "D-068": {
    statement: "POST and PATCH accept color, emoji, size and sort_order.",
    check: async function zoneAcceptsAppearance(t) {
      const fields = { color: "purple", emoji: "🇨🇭", size: "xl", connectedToChat: false };
      const created = await t.zone({ ...fields, sort_order: 90_001, connected_to_chat: false });
      const alike = await t.zone({ ...fields, sortOrder: 90_002 });
      const next = await t.zone();
      assertEqual({ ...created, ...fields, sortOrder: 90_001 }, created, "the created zone");
      assertEqual({ ...alike, ...fields, sortOrder: 90_002 }, alike, "a zone created with camelCase aliases");
      assertEqual(next["sortOrder"], 90_003, "sortOrder of the next zone");
      const body = { color: "gray", emoji: "👩‍🔬", size: "sm", sort_order: 90_000 };
      const zone = await t.change("zone", created.id, body);
      assertMatch(zone, { color: "gray", emoji: "👩‍🔬", size: "sm", sortOrder: 90_000 }, "the updated zone");
      for (const { id } of [created, alike, next]) await t.call("DELETE", `/api/board/zones/${id}`);
    },
  },
  "D-069": {
    statement:
      "An unknown color or size, and an emoji of more than one grapheme, return 400 with a message that starts with the field name.",
    check: async function zoneAppearanceIsValidated(t) {
      const { id } = await t.zone();
      for (const [field, value] of [
        ["color", "mauve"],
        ["size", "huge"],
        ["emoji", "🙂🙃"],
        ["emoji", "word"],
        ["sort_order", "soon"],
        ["sort_order", 1.5],
      ] as const) {
        assertError(await t.call("PATCH", `/api/board/zones/${id}`, { body: { [field]: value } }), 400, new RegExp(`^${field} `));
      }
    },
  },
  "D-070": {
    section: "Resources › Additions",
    statement: "`GET /api/board/zones/{zoneId}` returns one zone.",
    check: async function returnsOneZone(t) {
      const created = await t.zone({ name: "Read alone" });
      const zone = await t.read("zone", created.id);
      assertMatch(zone, { id: created.id, name: "Read alone", boardId: t.board.id }, "the zone");
    },
  },
  "D-071": {
    section: "Requests and errors",
    statement: "Reading, updating and deleting a missing zone returns 404 `Zone not found.`, also when deleting twice.",
    check: async function missingZoneIs404(t) {
      const { id } = await t.zone();
      assertStatus(await t.call("DELETE", `/api/board/zones/${id}`), 200);
      for (const missing of [id, NO_ID]) {
        assertError(await t.call("GET", `/api/board/zones/${missing}`), 404, "Zone not found.");
        assertError(await t.call("PATCH", `/api/board/zones/${missing}`, { body: { name: "x" } }), 404, "Zone not found.");
        assertError(await t.call("DELETE", `/api/board/zones/${missing}`), 404, "Zone not found.");
      }
    },
  },
  "D-072": {
    section: "Resources › Additions",
    statement: "`POST …/restore` restores a deleted zone with its tiles; a tile that was deleted earlier stays deleted.",
    check: async function zoneIsRestored(t) {
      const { id } = await t.zone();
      const [kept, dropped] = [await t.tile({ zone_id: id }), await t.tile({ zone_id: id })];
      await t.call("DELETE", `/api/board/tiles/${dropped.id}`);
      await t.call("DELETE", `/api/board/zones/${id}`);
      const into = await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { content: "x", zone_id: id } });
      assertError(into, 400, "The zone does not belong to this board.");
      assertError(await t.call("POST", `/api/board/tiles/${kept.id}/restore`), 409);
      const restored = await t.call("POST", `/api/board/zones/${id}/restore`);
      assertEqual(getObject(restored, "zone")["id"], id, "the restored zone");
      assertEqual((await t.call("POST", `/api/board/zones/${id}/restore`)).json, restored.json, "the response to a second restore");
      assertEqual((await t.read("zone", id))["id"], id, "the zone");
      assertEqual((await t.read("tile", kept.id))["zoneId"], id, "zoneId of the tile that was deleted with the zone");
      assertError(await t.call("GET", `/api/board/tiles/${dropped.id}`), 404, "Tile not found.");
      assertError(await t.call("POST", `/api/board/zones/${NO_ID}/restore`), 404, "Zone not found.");
    },
  },
});
