import { defineRequirements } from "../../requirement.ts";
import { toText, assertEqual, assert, getIds, assertError, getList } from "../../expect.ts";
import { createZoneWithTiles, listTiles, readPages } from "./listings.ts";

export const listingFilterRequirements = defineRequirements("Requests and errors › Listings", {
  "D-052": {
    statement: "Boards are listed default first, then by creation.",
    check: async function boardsAreOrdered(t) {
      const created = [await t.freshBoard(), await t.freshBoard()];
      const boards = getList(await t.call("GET", "/api/board/boards"), "boards");
      assertEqual(boards[0]?.["isDefault"], true, "isDefault of the first board");
      assertEqual(getIds(boards).slice(-2), getIds(created), "the last two boards");
    },
  },
  "D-053": {
    statement: "Zones are listed by sortOrder.",
    check: async function zonesAreOrdered(t) {
      const [one, two] = [await t.zone(), await t.zone()];
      const order = async () => getIds(await t.list("zones")).filter((id) => id === one.id || id === two.id);
      assertEqual(await order(), [one.id, two.id], "order by creation");
      await t.call("PATCH", `/api/board/zones/${one.id}`, { body: { sort_order: Number(two["sortOrder"]) + 1 } });
      assertEqual(await order(), [two.id, one.id], "order after the first zone was moved behind the second");
    },
  },
  "D-054": {
    statement: "Tiles are listed by creation, oldest first; `order=desc` reverses the order.",
    check: async function tilesAreOrdered(t) {
      const { zoneId, tiles } = await createZoneWithTiles(t, 4);
      for (const more of [{}, { order: "asc" }])
        assertEqual(getIds(await listTiles(t, { zone_id: zoneId, ...more })), getIds(tiles), "order by creation");
      assertEqual(getIds(await listTiles(t, { zone_id: zoneId, order: "desc" })), getIds(tiles).toReversed(), "order=desc");
    },
  },
  "D-055": {
    statement: "`order=position` sorts by zone and sortOrder.",
    check: async function tilesAreOrderedByPosition(t) {
      const { zoneId, tiles } = await createZoneWithTiles(t, 3);
      const highest = Math.max(...tiles.map((tile) => Number(tile["sortOrder"])));
      await t.call("PATCH", `/api/board/tiles/${tiles[0]?.id}`, { body: { sort_order: highest + 1 } });
      const [first = "", ...rest] = getIds(tiles);
      assertEqual(
        getIds(await listTiles(t, { zone_id: zoneId, order: "position" })),
        [...rest, first],
        "order=position after the first tile moved to the end",
      );
      const later = await createZoneWithTiles(t, 1);
      const last = await t.tile({ zone_id: zoneId });
      const expected = [...rest, first, last.id, ...getIds(later.tiles)];
      const all = getIds(await listTiles(t, { order: "position" })).filter((id) => expected.includes(id));
      assertEqual(all, expected, "tiles of two zones");
    },
  },
  "D-056": {
    statement: "Tiles can be filtered by zone_id; a zone of another board returns 400.",
    check: async function zoneFilterIsValidated(t) {
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, "zon_none"])
        assertError(
          await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zone } }),
          400,
          "The zone does not belong to this board.",
        );
      assertEqual(getIds(await listTiles(t, { zone_id: "" })), getIds(await t.list("tiles")), "tiles with an empty zone_id");
    },
  },
  "D-057": {
    statement: "Tiles can be filtered by status and type.",
    check: async function statusAndTypeFilter(t) {
      const { zoneId, tiles } = await createZoneWithTiles(t, 2);
      assertEqual(getIds(await listTiles(t, { zone_id: zoneId, status: "ready" })), getIds(tiles), "status=ready");
      assertEqual(getIds(await listTiles(t, { zone_id: zoneId, status: "failed" })), [], "status=failed");
      assertEqual(getIds(await listTiles(t, { zone_id: zoneId, type: "TEXT" })), getIds(tiles), "type=TEXT");
      assertEqual(getIds(await listTiles(t, { zone_id: zoneId, type: "YOUTUBE" })), [], "type=YOUTUBE");
      const combined = { zoneId, type: "TEXT", status: "ready", order: "desc" };
      assertEqual(getIds(await listTiles(t, combined)), getIds(tiles).toReversed(), "all filters together");
    },
  },
  "D-058": {
    statement: "Tiles can be filtered by updated_since, and are then ordered by updatedAt and id.",
    check: async function updatedSinceFilters(t) {
      const { zoneId, tiles } = await createZoneWithTiles(t, 1);
      await t.pause(20);
      const later = await t.tile({ zone_id: zoneId });
      const since = new Date(Date.parse(toText(later["updatedAt"], "updatedAt")) - 5).toISOString();
      assertEqual(getIds(await listTiles(t, { zone_id: zoneId, updated_since: since })), [later.id], "tiles changed since the time");
      await t.pause(20);
      await t.call("PATCH", `/api/board/tiles/${tiles[0]?.id}`, { body: { title: "Changed" } });
      assertEqual(getIds(await listTiles(t, { zone_id: zoneId, updated_since: since })), [later.id, tiles[0]?.id], "order by updatedAt");
      assertEqual(
        getIds((await readPages(t, `/api/board/${t.board.id}/tiles`, "tiles", { zone_id: zoneId, updated_since: since, limit: 1 })).flat()),
        [later.id, tiles[0]?.id],
        "the same, page by page",
      );
      for (const form of ["2020-01-01", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00+02:00", "2020-01-01T00:00:00.000+02:00"])
        assertEqual((await listTiles(t, { zone_id: zoneId, updated_since: form })).length, 2, `tiles since ${form}`);
      assertEqual(await listTiles(t, { zone_id: zoneId, updated_since: "2100-01-01T00:00:00Z" }), [], "tiles of the future");
      for (const wrong of ["yesterday", "1700000000", "2026-13-45", "2026"])
        assertError(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { updated_since: wrong } }), 400, /^updated_since /);
    },
  },
  "D-059": {
    statement: "`text=false` omits extractedText.",
    check: async function textIsOmitted(t) {
      const { zoneId } = await createZoneWithTiles(t, 1);
      for (const more of [{}, { limit: 1 }]) {
        const [row] = await listTiles(t, { zone_id: zoneId, text: "false", ...more });
        assert(row !== undefined && !("extractedText" in row), "the listing with text=false shows extractedText");
        assert("title" in row, "the listing with text=false has no title");
      }
      assertEqual((await listTiles(t, { zone_id: zoneId, text: "true" }))[0]?.["extractedText"], "Text 0", "extractedText");
    },
  },
  "D-060": {
    statement: "Without `limit` a listing returns everything.",
    check: async function listingWithoutLimitIsComplete(t) {
      const { zoneId, tiles } = await createZoneWithTiles(t, 60);
      const reply = await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zoneId } });
      assertEqual(getIds(getList(reply, "tiles")), getIds(tiles), "tiles of the zone");
      assert(!reply.text.includes("nextCursor"), "a listing without limit has a cursor");
    },
  },
});
