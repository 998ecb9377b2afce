import { type Check, defineRequirements } from "../../requirement.ts";
import { assertMatch, assertEqual, assertFields, assert, assertError, assertStatus } from "../../expect.ts";
import { NO_ID, TILE_ROW } from "./shapes.ts";

const listsTiles: Check = async (t) => {
  const { id: zoneId } = await t.zone();
  const tile = await t.tile({ zone_id: zoneId, title: "Listed", content: "Its text" });
  const tiles = await t.list("tiles");
  for (const [index, row] of tiles.entries()) assertFields(row, TILE_ROW, `tiles[${index}]`);
  const row = tiles.find((item) => item["id"] === tile.id);
  assertMatch(row, { zoneId, type: "TEXT", title: "Listed", extractedText: "Its text", status: "ready" }, "the new tile in the listing");
};

const createsTile: Check = async (t) => {
  const tile = await t.tile({ title: "A title", content: "Some text" });
  assertFields(tile, { id: "string", type: "string", title: "string", status: "string" }, "the created tile");
  assertMatch(tile, { type: "TEXT", status: "ready", title: "A title" }, "the tile");
};

const contentIsRequired: Check = async (t) => {
  assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { title: "x" } }), 400, /\bcontent\b/);
};

const tileZoneMustBelong: Check = async (t) => {
  const other = await t.otherBoard();
  const { id } = await t.zone({}, other.id);
  assertError(
    await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { content: "x", zone_id: id } }),
    400,
    /zone.*does not belong to this board/i,
  );
};

const missingTileIs404: Check = async (t) => {
  assertError(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { body: { title: "x" } }), 404, "Tile not found.");
};

const contentReplacesBothTexts: Check = async (t) => {
  const { id } = await t.tile({ title: "Kept", content: "Before" });
  const tile = await t.change("tile", id, { content: "After" });
  assertMatch(tile, { rawContent: "After", extractedText: "After", title: "Kept" }, "the tile");
};

export const tileRequirements = defineRequirements("Resources › Tile", {
  "S-021": {
    statement: "A tile has the listed fields with the types of the table; times are ISO 8601 UTC with milliseconds.",
    check: listsTiles,
  },
  "S-022": {
    section: "Endpoints › List tiles",
    statement:
      "`GET /api/board/{boardId}/tiles` returns `{ tiles: [{ id, zoneId, type, title, extractedText, status, createdAt, updatedAt }] }`.",
    check: listsTiles,
  },
  "S-023": {
    statement: "The tile listing omits rawContent.",
    check: async function listingLeavesRawContentOut(t) {
      await t.tile();
      const rows = await t.list("tiles");
      assert(
        rows.every((row) => !("rawContent" in row)),
        "the listing shows rawContent",
      );
    },
  },
  "S-024": {
    statement: "For text tiles extractedText equals the content.",
    check: async function textIsUnchanged(t) {
      const content = "  # Head\r\n\ttab, \u00e9 and e\u0301, 日本語, 👩‍👩‍👧, <b>&amp;</b> \\n \n\n end  ";
      const { id } = await t.tile({ content });
      const row = (await t.list("tiles")).find((tile) => tile["id"] === id);
      assertEqual(row?.["extractedText"], content, "extractedText");
    },
  },
  "S-025": {
    statement: "rawContent and extractedText are replaced by an update that sends content.",
    check: contentReplacesBothTexts,
  },
  "S-026": {
    section: "Endpoints › List tiles",
    statement: "`zone_id` restricts the listing to one zone.",
    check: async function listingOfOneZone(t) {
      const { id: zoneId } = await t.zone();
      const inside = await t.tile({ zone_id: zoneId });
      await t.tile();
      const rows = await t.list("tiles", { zone_id: zoneId });
      assertEqual(
        rows.map((row) => row["id"]),
        [inside.id],
        "tiles of the zone",
      );
    },
  },
  "S-027": {
    section: "Endpoints › Create tile",
    statement: "`POST /api/board/{boardId}/tiles` returns `{ tile: { id, type, title, status, … } }` with type TEXT and status ready.",
    check: createsTile,
  },
  "S-028": {
    section: "States and transitions",
    statement: "(none) → ready by a valid POST to the tiles of a board, which creates a text tile.",
    check: createsTile,
  },
  "S-029": {
    section: "Endpoints › Create tile",
    statement: "`zone_id` sets the zone of the tile.",
    check: async function placesTileInZone(t) {
      const { id } = await t.zone();
      assertEqual((await t.tile({ zone_id: id }))["zoneId"], id, "zoneId");
    },
  },
  "S-030": {
    section: "Endpoints › Create tile; Limits",
    statement: "title defaults to `Untitled note` when omitted.",
    check: async function untitledTile(t) {
      assertEqual((await t.tile({ content: "No title" }))["title"], "Untitled note", "title");
    },
  },
  "S-031": { section: "Endpoints › Create tile", statement: "A missing content returns 400.", check: contentIsRequired },
  "S-032": {
    section: "Errors",
    statement: "Creating a tile without content returns 400 with a message that names `content`.",
    check: contentIsRequired,
  },
  "S-033": {
    section: "Endpoints › Create tile",
    statement: "A zone that does not belong to the board returns 400.",
    check: tileZoneMustBelong,
  },
  "S-034": {
    section: "Errors",
    statement: "Creating a tile in a zone of another board returns 400 with the message that the zone does not belong to this board.",
    check: tileZoneMustBelong,
  },
  "S-035": {
    section: "Endpoints › Update tile",
    statement: "`PATCH /api/board/tiles/{tileId}` with title returns `{ tile }`, the updated tile; the content does not change.",
    check: async function changesTitle(t) {
      const { id } = await t.tile({ title: "Before", content: "Kept" });
      const tile = await t.change("tile", id, { title: "After" });
      assertFields(tile, TILE_ROW, "the updated tile");
      assertMatch(tile, { id, title: "After", extractedText: "Kept" }, "the tile");
    },
  },
  "S-036": {
    section: "Endpoints › Update tile",
    statement: "content replaces both rawContent and extractedText.",
    check: contentReplacesBothTexts,
  },
  "S-037": { section: "Endpoints › Update tile", statement: "A tile that does not exist returns 404.", check: missingTileIs404 },
  "S-038": { section: "Errors", statement: "Updating a missing tile returns 404 `Tile not found.`", check: missingTileIs404 },
  "S-039": {
    section: "Endpoints › Delete tile",
    statement: "`DELETE /api/board/tiles/{tileId}` returns `{ ok: true }`.",
    check: async function deletesTile(t) {
      const { id } = await t.tile();
      const reply = await t.call("DELETE", `/api/board/tiles/${id}`);
      assertStatus(reply, 200);
      assertEqual(reply.json, { ok: true }, "the body");
      const rows = await t.list("tiles");
      assert(!rows.some((row) => row["id"] === id), "a deleted tile is still listed");
    },
  },
  "S-040": {
    statement: "status is `ready` or `processing` (other values are not shown).",
    check: async function statusesAreKnown(t) {
      const known = new Set(["ready", "processing", "failed"]);
      const rows = await t.list("tiles");
      const unknown = rows.map((row) => row["status"]).filter((status) => !known.has(String(status)));
      assertEqual(unknown, [], "statuses that neither the specification nor the decisions define");
    },
  },
});
