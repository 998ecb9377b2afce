import type { Requirement } from "../../requirement.ts";
import { equal, hasFields, isRefused, isStatus, objectIn } from "../../expect.ts";
import { NO_ID } from "../spec/shapes.ts";

const section = "Resources › Zones";

export const zoneAdditions: readonly Requirement[] = [
  {
    id: "D-067",
    section,
    statement: "A new zone: connectedToChat true, color and emoji null, size md, plus boardId, createdAt, updatedAt.",
    check: async function newZoneHasDefaults(t) {
      const zone = await t.zone();
      hasFields(zone, { boardId: "string", createdAt: "time", updatedAt: "time" }, "the new zone");
      const { connectedToChat, color, emoji, size, boardId } = zone;
      equal(
        { connectedToChat, color, emoji, size, boardId },
        { connectedToChat: true, color: null, emoji: null, size: "md", boardId: t.board.id },
        "the new zone",
      );
    },
  },
  {
    id: "D-068",
    section,
    statement: "POST and PATCH take color, emoji, size and sort_order.",
    check: async function zoneTakesItsLooks(t) {
      const made = await t.zone({ color: "purple", emoji: "🇨🇭", size: "xl", sort_order: 90_001, connected_to_chat: false });
      equal(
        [made["color"], made["emoji"], made["size"], made["sortOrder"], made["connectedToChat"]],
        ["purple", "🇨🇭", "xl", 90_001, false],
        "the created zone",
      );
      const body = { color: "gray", emoji: "👩‍🔬", size: "sm", sort_order: 90_000 };
      const zone = objectIn(await t.call("PATCH", `/api/board/zones/${made.id}`, { body }), "zone");
      equal([zone["color"], zone["emoji"], zone["size"], zone["sortOrder"]], ["gray", "👩‍🔬", "sm", 90_000], "the updated zone");
      await t.call("DELETE", `/api/board/zones/${made.id}`);
    },
  },
  {
    id: "D-069",
    section,
    statement: "An unknown color or size, or an emoji of more than one grapheme, is 400 that names the field.",
    check: async function zoneLooksAreChecked(t) {
      const { id } = await t.zone();
      for (const [field, value] of [
        ["color", "mauve"],
        ["size", "huge"],
        ["emoji", "🙂🙃"],
        ["emoji", "word"],
        ["sort_order", "soon"],
        ["sort_order", 1.5],
      ] as const) {
        isRefused(await t.call("PATCH", `/api/board/zones/${id}`, { body: { [field]: value } }), 400, new RegExp(`^${field} `));
      }
    },
  },
  {
    id: "D-070",
    section: "Resources › Additions",
    statement: "`GET /api/board/zones/{zoneId}` reads one zone.",
    check: async function readsOneZone(t) {
      const made = await t.zone({ name: "Read alone" });
      const zone = objectIn(await t.call("GET", `/api/board/zones/${made.id}`), "zone");
      equal([zone["id"], zone["name"], zone["boardId"]], [made.id, "Read alone", t.board.id], "id, name, boardId");
    },
  },
  {
    id: "D-071",
    section: "Requests and errors",
    statement: "`Zone not found.` (404) on read, update and delete; deleting twice is 404.",
    check: async function missingZoneIs404(t) {
      const { id } = await t.zone();
      isStatus(await t.call("DELETE", `/api/board/zones/${id}`), 200);
      for (const missing of [id, NO_ID]) {
        isRefused(await t.call("GET", `/api/board/zones/${missing}`), 404, "Zone not found.");
        isRefused(await t.call("PATCH", `/api/board/zones/${missing}`, { body: { name: "x" } }), 404, "Zone not found.");
        isRefused(await t.call("DELETE", `/api/board/zones/${missing}`), 404, "Zone not found.");
      }
    },
  },
  {
    id: "D-072",
    section: "Resources › Additions",
    statement: "A deleted zone comes back with its tiles by `POST …/restore`; a tile deleted before stays deleted.",
    check: async function zoneIsRestored(t) {
      const { id } = await t.zone();
      const [kept, dropped] = [await t.tile({ zone_id: id }), await t.tile({ zone_id: id })];
      await t.call("DELETE", `/api/board/tiles/${dropped.id}`);
      await t.call("DELETE", `/api/board/zones/${id}`);
      isStatus(await t.call("POST", `/api/board/zones/${id}/restore`), 200);
      equal(objectIn(await t.call("GET", `/api/board/zones/${id}`), "zone")["id"], id, "the restored zone");
      equal(objectIn(await t.call("GET", `/api/board/tiles/${kept.id}`), "tile")["zoneId"], id, "zoneId of the tile that went with it");
      isRefused(await t.call("GET", `/api/board/tiles/${dropped.id}`), 404, "Tile not found.");
      isRefused(await t.call("POST", `/api/board/zones/${NO_ID}/restore`), 404, "Zone not found.");
    },
  },
];
