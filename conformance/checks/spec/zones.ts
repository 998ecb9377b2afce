import type { Check, Requirement } from "../../requirement.ts";
import { asNumber, equal, hasFields, holds, isRefused, isStatus, listIn, objectIn } from "../../expect.ts";
import { ZONE_CREATED, ZONE_ROW } from "./shapes.ts";

const listsZones: Check = async (t) => {
  const { id } = await t.zone({ name: "Listed" });
  const zones = listIn(await t.call("GET", `/api/board/${t.board.id}/zones`), "zones");
  for (const [index, zone] of zones.entries()) hasFields(zone, ZONE_ROW, `zones[${index}]`);
  equal(zones.find((zone) => zone["id"] === id)?.["name"], "Listed", "name of the new zone in the listing");
};

const createsZone: Check = async (t) => {
  const zone = await t.zone({ name: "Ideas für später 💡" });
  hasFields(zone, ZONE_CREATED, "the created zone");
  equal(zone["name"], "Ideas für später 💡", "name");
};

const zoneNeedsName: Check = async (t) => {
  isRefused(await t.call("POST", `/api/board/${t.board.id}/zones`, { body: {} }), 400, /\bname\b/);
};

export const zoneRequirements: readonly Requirement[] = [
  {
    id: "S-008",
    section: "Resources › Zone",
    statement: "A zone has id, name, sortOrder, connectedToChat, color and emoji with the types of the table.",
    check: listsZones,
  },
  {
    id: "S-009",
    section: "Endpoints › List zones",
    statement: "`GET /api/board/{boardId}/zones` answers `{ zones: [{ id, name, sortOrder, connectedToChat, color, emoji }] }`.",
    check: listsZones,
  },
  {
    id: "S-010",
    section: "Resources › Zone",
    statement: "A new zone receives the next position after the existing ones.",
    check: async function newZoneComesLast(t) {
      const positions = listIn(await t.call("GET", `/api/board/${t.board.id}/zones`), "zones").map((zone) =>
        asNumber(zone["sortOrder"], "sortOrder"),
      );
      const first = asNumber((await t.zone())["sortOrder"], "sortOrder");
      const second = asNumber((await t.zone())["sortOrder"], "sortOrder");
      holds(
        positions.every((position) => position < first),
        `expected a position after ${Math.max(...positions)}, got ${first}`,
      );
      equal(second, first + 1, "sortOrder of the zone after it");
    },
  },
  {
    id: "S-011",
    section: "Resources › Zone",
    statement: "color and emoji appear as null in a listing.",
    check: async function plainZoneHasNoColorOrEmoji(t) {
      const { id } = await t.zone();
      const row = listIn(await t.call("GET", `/api/board/${t.board.id}/zones`), "zones").find((zone) => zone["id"] === id);
      equal([row?.["color"], row?.["emoji"]], [null, null], "color and emoji");
    },
  },
  {
    id: "S-012",
    section: "Resources › Zone",
    statement: "size is present in the create response, with the value `md`.",
    check: async function newZoneIsMedium(t) {
      equal((await t.zone())["size"], "md", "size");
    },
  },
  {
    id: "S-013",
    section: "Endpoints › Create zone",
    statement: "`POST /api/board/{boardId}/zones` with name answers `{ zone }` with id, name, sortOrder, connectedToChat, size and more.",
    check: createsZone,
  },
  { id: "S-014", section: "Endpoints › Create zone", statement: "A missing name is 400 and the message names it.", check: zoneNeedsName },
  {
    id: "S-015",
    section: "Errors",
    statement: "Zone create without name: 400 that names the required field `name`.",
    check: zoneNeedsName,
  },
  {
    id: "S-016",
    section: "Endpoints › Update zone",
    statement: "`PATCH /api/board/zones/{zoneId}` with name renames the zone and answers `{ zone }`, the updated zone.",
    check: async function renamesZone(t) {
      const { id, connectedToChat } = await t.zone();
      const zone = objectIn(await t.call("PATCH", `/api/board/zones/${id}`, { body: { name: "Renamed" } }), "zone");
      hasFields(zone, ZONE_ROW, "the updated zone");
      equal([zone["id"], zone["name"], zone["connectedToChat"]], [id, "Renamed", connectedToChat], "id, name, connectedToChat");
    },
  },
  {
    id: "S-017",
    section: "Endpoints › Update zone",
    statement: "`connected_to_chat` toggles the chat connection, shown as connectedToChat.",
    check: async function togglesChat(t) {
      const { id } = await t.zone({ name: "Toggled" });
      for (const wanted of [false, true]) {
        const zone = objectIn(await t.call("PATCH", `/api/board/zones/${id}`, { body: { connected_to_chat: wanted } }), "zone");
        equal([zone["connectedToChat"], zone["name"]], [wanted, "Toggled"], "connectedToChat and name");
        const row = listIn(await t.call("GET", `/api/board/${t.board.id}/zones`), "zones").find((item) => item["id"] === id);
        equal(row?.["connectedToChat"], wanted, "connectedToChat in the listing");
      }
    },
  },
  {
    id: "S-018",
    section: "Endpoints › Delete zone",
    statement: "`DELETE /api/board/zones/{zoneId}` answers `{ ok: true }`.",
    check: async function deletesZone(t) {
      const { id } = await t.zone();
      const reply = await t.call("DELETE", `/api/board/zones/${id}`);
      isStatus(reply, 200);
      equal(reply.json, { ok: true }, "the body");
      holds(
        !listIn(await t.call("GET", `/api/board/${t.board.id}/zones`), "zones").some((zone) => zone["id"] === id),
        "a deleted zone is still listed",
      );
    },
  },
  {
    id: "S-019",
    section: "Endpoints › Delete zone",
    statement: "Deleting a zone deletes every tile inside it.",
    check: async function tilesGoWithTheirZone(t) {
      const { id } = await t.zone();
      const tiles = [await t.tile({ zone_id: id }), await t.inbound({ zone_id: id, content: "x" })];
      await t.call("DELETE", `/api/board/zones/${id}`);
      const rows = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles");
      const listed = new Set(rows.map((tile) => tile["id"]));
      for (const tile of tiles) {
        holds(!listed.has(tile.id), "a tile of a deleted zone is still listed");
        isRefused(await t.call("PATCH", `/api/board/tiles/${tile.id}`, { body: { title: "x" } }), 404, "Tile not found.");
      }
    },
  },
  {
    id: "S-020",
    section: "States and transitions",
    statement: "Boards and zones have no states shown.",
    unchecked: "says that nothing is there to check",
  },
];
