import type { Check, Requirement } from "../../requirement.ts";
import { equal, hasFields, holds, isRefused, isStatus, listIn, objectIn } from "../../expect.ts";
import { NO_ID, TILE_ROW } from "./shapes.ts";

const listsTiles: Check = async (t) => {
  const { id: zoneId } = await t.zone();
  const tile = await t.tile({ zone_id: zoneId, title: "Listed", content: "Its text" });
  const tiles = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles");
  for (const [index, row] of tiles.entries()) hasFields(row, TILE_ROW, `tiles[${index}]`);
  const row = tiles.find((item) => item["id"] === tile.id);
  equal(
    [row?.["zoneId"], row?.["type"], row?.["title"], row?.["extractedText"], row?.["status"]],
    [zoneId, "TEXT", "Listed", "Its text", "ready"],
    "the new tile in the listing",
  );
};

const createsTile: Check = async (t) => {
  const tile = await t.tile({ title: "A title", content: "Some text" });
  hasFields(tile, { id: "string", type: "string", title: "string", status: "string" }, "the created tile");
  equal([tile["type"], tile["status"], tile["title"]], ["TEXT", "ready", "A title"], "type, status, title");
};

const tileNeedsContent: Check = async (t) => {
  isRefused(await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { title: "x" } }), 400, /\bcontent\b/);
};

const tileZoneMustBelong: Check = async (t) => {
  const other = await t.otherBoard();
  const { id } = await t.zone({}, other.id);
  isRefused(
    await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { content: "x", zone_id: id } }),
    400,
    /zone.*does not belong to this board/i,
  );
};

const missingTileIs404: Check = async (t) => {
  isRefused(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { body: { title: "x" } }), 404, "Tile not found.");
};

const contentReplacesBoth: Check = async (t) => {
  const { id } = await t.tile({ title: "Kept", content: "Before" });
  const tile = objectIn(await t.call("PATCH", `/api/board/tiles/${id}`, { body: { content: "After" } }), "tile");
  equal([tile["rawContent"], tile["extractedText"], tile["title"]], ["After", "After", "Kept"], "rawContent, extractedText, title");
};

export const tileRequirements: readonly Requirement[] = [
  {
    id: "S-021",
    section: "Resources › Tile",
    statement: "A tile has the listed fields with the types of the table; times are ISO 8601 UTC with milliseconds.",
    check: listsTiles,
  },
  {
    id: "S-022",
    section: "Endpoints › List tiles",
    statement:
      "`GET /api/board/{boardId}/tiles` answers `{ tiles: [{ id, zoneId, type, title, extractedText, status, createdAt, updatedAt }] }`.",
    check: listsTiles,
  },
  {
    id: "S-023",
    section: "Resources › Tile",
    statement: "rawContent is not listed in the tile listing.",
    check: async function listingLeavesRawContentOut(t) {
      await t.tile();
      const rows = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles");
      holds(
        rows.every((row) => !("rawContent" in row)),
        "the listing shows rawContent",
      );
    },
  },
  {
    id: "S-024",
    section: "Resources › Tile",
    statement: "For text tiles extractedText equals the content.",
    check: async function textStaysAsItCame(t) {
      const content = "  # Head\r\n\ttab, \u00e9 and e\u0301, 日本語, 👩‍👩‍👧, <b>&amp;</b> \\n \n\n end  ";
      const { id } = await t.tile({ content });
      const row = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles").find((tile) => tile["id"] === id);
      equal(row?.["extractedText"], content, "extractedText");
    },
  },
  {
    id: "S-025",
    section: "Resources › Tile",
    statement: "rawContent and extractedText are replaced by an update that sends content.",
    check: contentReplacesBoth,
  },
  {
    id: "S-026",
    section: "Endpoints › List tiles",
    statement: "`zone_id` restricts the listing to one zone.",
    check: async function listingOfOneZone(t) {
      const { id: zoneId } = await t.zone();
      const inside = await t.tile({ zone_id: zoneId });
      await t.tile();
      const rows = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zoneId } }), "tiles");
      equal(
        rows.map((row) => row["id"]),
        [inside.id],
        "tiles of the zone",
      );
    },
  },
  {
    id: "S-027",
    section: "Endpoints › Create tile",
    statement: "`POST /api/board/{boardId}/tiles` answers `{ tile: { id, type, title, status, … } }` of type TEXT, status ready.",
    check: createsTile,
  },
  {
    id: "S-028",
    section: "States and transitions",
    statement: "(none) → ready by a valid POST of a board's tiles: a text tile is created.",
    check: createsTile,
  },
  {
    id: "S-029",
    section: "Endpoints › Create tile",
    statement: "`zone_id` places the tile in that zone.",
    check: async function placesTileInZone(t) {
      const { id } = await t.zone();
      equal((await t.tile({ zone_id: id }))["zoneId"], id, "zoneId");
    },
  },
  {
    id: "S-030",
    section: "Endpoints › Create tile; Limits",
    statement: "title defaults to `Untitled note` when omitted.",
    check: async function untitledTile(t) {
      equal((await t.tile({ content: "No title" }))["title"], "Untitled note", "title");
    },
  },
  { id: "S-031", section: "Endpoints › Create tile", statement: "A missing content is 400.", check: tileNeedsContent },
  {
    id: "S-032",
    section: "Errors",
    statement: "Tile create without content: 400 that names the required field `content`.",
    check: tileNeedsContent,
  },
  {
    id: "S-033",
    section: "Endpoints › Create tile",
    statement: "A zone that does not belong to the board is 400.",
    check: tileZoneMustBelong,
  },
  {
    id: "S-034",
    section: "Errors",
    statement: "Tile create with a foreign zone: 400 that states that the zone does not belong to this board.",
    check: tileZoneMustBelong,
  },
  {
    id: "S-035",
    section: "Endpoints › Update tile",
    statement: "`PATCH /api/board/tiles/{tileId}` with title answers `{ tile }`, the updated tile; the content stays.",
    check: async function retitlesTile(t) {
      const { id } = await t.tile({ title: "Before", content: "Kept" });
      const tile = objectIn(await t.call("PATCH", `/api/board/tiles/${id}`, { body: { title: "After" } }), "tile");
      hasFields(tile, TILE_ROW, "the updated tile");
      equal([tile["id"], tile["title"], tile["extractedText"]], [id, "After", "Kept"], "id, title, extractedText");
    },
  },
  {
    id: "S-036",
    section: "Endpoints › Update tile",
    statement: "content replaces both rawContent and extractedText.",
    check: contentReplacesBoth,
  },
  { id: "S-037", section: "Endpoints › Update tile", statement: "A tile that does not exist is 404.", check: missingTileIs404 },
  { id: "S-038", section: "Errors", statement: "Tile update of a missing tile: 404 `Tile not found.`", check: missingTileIs404 },
  {
    id: "S-039",
    section: "Endpoints › Delete tile",
    statement: "`DELETE /api/board/tiles/{tileId}` answers `{ ok: true }`.",
    check: async function deletesTile(t) {
      const { id } = await t.tile();
      const reply = await t.call("DELETE", `/api/board/tiles/${id}`);
      isStatus(reply, 200);
      equal(reply.json, { ok: true }, "the body");
      const rows = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles");
      holds(!rows.some((row) => row["id"] === id), "a deleted tile is still listed");
    },
  },
  {
    id: "S-040",
    section: "Resources › Tile",
    statement: "status is `ready` or `processing` (other values are not shown).",
    check: async function statusesAreKnown(t) {
      const known = new Set(["ready", "processing", "failed"]);
      const rows = listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`), "tiles");
      const odd = rows.map((row) => row["status"]).filter((status) => !known.has(String(status)));
      equal(odd, [], "statuses that neither the specification nor the decisions know");
    },
  },
];
