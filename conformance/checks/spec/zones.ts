import { type Check, defineRequirements } from "../../requirement.ts";
import { assertMatch, toNumber, assertEqual, assertFields, assert, assertError, assertStatus } from "../../expect.ts";
import { ZONE_CREATED, ZONE_ROW } from "./shapes.ts";

const listsZones: Check = async (t) => {
  const { id } = await t.zone({ name: "Listed" });
  const zones = await t.list("zones");
  for (const [index, zone] of zones.entries()) assertFields(zone, ZONE_ROW, `zones[${index}]`);
  assertEqual(zones.find((zone) => zone["id"] === id)?.["name"], "Listed", "name of the new zone in the listing");
};

const createsZone: Check = async (t) => {
  const zone = await t.zone({ name: "Ideas für später 💡" });
  assertFields(zone, ZONE_CREATED, "the created zone");
  assertEqual(zone["name"], "Ideas für später 💡", "name");
};

const zoneNameIsRequired: Check = async (t) => {
  assertError(await t.call("POST", `/api/board/${t.board.id}/zones`, { body: {} }), 400, /\bname\b/);
};

export const zoneRequirements = defineRequirements("Resources › Zone", {
  "S-008": {
    statement: "A zone has id, name, sortOrder, connectedToChat, color and emoji with the types of the table.",
    check: listsZones,
  },
  "S-009": {
    section: "Endpoints › List zones",
    statement: "`GET /api/board/{boardId}/zones` returns `{ zones: [{ id, name, sortOrder, connectedToChat, color, emoji }] }`.",
    check: listsZones,
  },
  "S-010": {
    statement: "A new zone receives the next position after the existing ones.",
    check: async function newZoneComesLast(t) {
      const positions = (await t.list("zones")).map((zone) => toNumber(zone["sortOrder"], "sortOrder"));
      const first = toNumber((await t.zone())["sortOrder"], "sortOrder");
      const second = toNumber((await t.zone())["sortOrder"], "sortOrder");
      assert(
        positions.every((position) => position < first),
        `expected a position after ${Math.max(...positions)}, got ${first}`,
      );
      assertEqual(second, first + 1, "sortOrder of the zone after it");
    },
  },
  "S-011": {
    statement: "color and emoji are null in a listing if they are not set.",
    check: async function colorAndEmojiAreNull(t) {
      const { id } = await t.zone();
      const row = (await t.list("zones")).find((zone) => zone["id"] === id);
      assertMatch(row, { color: null, emoji: null }, "the row");
    },
  },
  "S-012": {
    statement: "size is present in the create response, with the value `md`.",
    check: async function newZoneIsMedium(t) {
      assertEqual((await t.zone())["size"], "md", "size");
    },
  },
  "S-013": {
    section: "Endpoints › Create zone",
    statement: "`POST /api/board/{boardId}/zones` with name returns `{ zone }` with id, name, sortOrder, connectedToChat, size and more.",
    check: createsZone,
  },
  "S-014": {
    section: "Endpoints › Create zone",
    statement: "A missing name returns 400 with a message that names the field.",
    check: zoneNameIsRequired,
  },
  "S-015": {
    section: "Errors",
    statement: "Creating a zone without name returns 400 with a message that names `name`.",
    check: zoneNameIsRequired,
  },
  "S-016": {
    section: "Endpoints › Update zone",
    statement: "`PATCH /api/board/zones/{zoneId}` with name renames the zone and returns `{ zone }`, the updated zone.",
    check: async function renamesZone(t) {
      const created = await t.zone();
      const zone = await t.change("zone", created.id, { name: "Renamed" });
      assertFields(zone, ZONE_ROW, "the updated zone");
      for (const name of Object.keys(ZONE_ROW)) assertEqual(zone[name], name === "name" ? "Renamed" : created[name], name);
    },
  },
  "S-017": {
    section: "Endpoints › Update zone",
    statement: "`connected_to_chat` sets the connection to chat, which is returned as connectedToChat.",
    check: async function setsConnectionToChat(t) {
      const { id } = await t.zone({ name: "Toggled" });
      for (const wanted of [false, true]) {
        const zone = await t.change("zone", id, { connected_to_chat: wanted });
        assertMatch(zone, { connectedToChat: wanted, name: "Toggled" }, "the zone");
        const row = (await t.list("zones")).find((item) => item["id"] === id);
        assertEqual(row?.["connectedToChat"], wanted, "connectedToChat in the listing");
      }
    },
  },
  "S-018": {
    section: "Endpoints › Delete zone",
    statement: "`DELETE /api/board/zones/{zoneId}` returns `{ ok: true }`.",
    check: async function deletesZone(t) {
      const { id } = await t.zone();
      const reply = await t.call("DELETE", `/api/board/zones/${id}`);
      assertStatus(reply, 200);
      assertEqual(reply.json, { ok: true }, "the body");
      assert(!(await t.list("zones")).some((zone) => zone["id"] === id), "a deleted zone is still listed");
    },
  },
  "S-019": {
    section: "Endpoints › Delete zone",
    statement: "Deleting a zone deletes all its tiles.",
    check: async function deletingZoneDeletesTiles(t) {
      const { id } = await t.zone();
      const tiles = [await t.tile({ zone_id: id }), await t.inbound({ zone_id: id, content: "x" })];
      await t.call("DELETE", `/api/board/zones/${id}`);
      const rows = await t.list("tiles");
      const listed = new Set(rows.map((tile) => tile["id"]));
      for (const tile of tiles) {
        assert(!listed.has(tile.id), "a tile of a deleted zone is still listed");
        assertError(await t.call("PATCH", `/api/board/tiles/${tile.id}`, { body: { title: "x" } }), 404, "Tile not found.");
      }
    },
  },
  "S-020": {
    section: "States and transitions",
    statement: "The specification shows no states of boards and zones.",
    unchecked: "states nothing that can be checked",
  },
});
