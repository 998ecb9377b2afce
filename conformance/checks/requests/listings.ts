import type { Check, Requirement } from "../../requirement.ts";
import type { Fields } from "../../expect.ts";
import { asFields, asText, equal, holds, idsOf, isRefused, listIn } from "../../expect.ts";
import type { Made, Probe } from "../../probe.ts";

const section = "Requests and errors › Listings";

/** A zone with this many tiles, in the order they were made. */
async function filledZone(t: Probe, count: number): Promise<{ readonly zoneId: string; readonly tiles: readonly Made[] }> {
  const { id: zoneId } = await t.zone({ name: "Listing" });
  const tiles: Made[] = [];
  for (let n = 0; n < count; n++) tiles.push(await t.tile({ zone_id: zoneId, title: `Tile ${n}`, content: `Text ${n}` }));
  return { zoneId, tiles };
}

async function listed(t: Probe, query: Readonly<Record<string, string | number>>): Promise<readonly Fields[]> {
  return listIn(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query }), "tiles");
}

async function pages(
  t: Probe,
  path: string,
  name: string,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly (readonly Fields[])[]> {
  const found: (readonly Fields[])[] = [];
  let cursor: string | null = null;
  do {
    const reply = await t.call("GET", path, { query: { ...query, ...(cursor && { cursor }) } });
    found.push(listIn(reply, name));
    const next: unknown = asFields(reply.json, "the body")["nextCursor"];
    holds(
      typeof next === "string" || next === null,
      `${reply.path}: expected nextCursor to be a string or null, got ${JSON.stringify(next)}`,
    );
    cursor = next;
    holds(found.length < 1000, `${path}: the cursor never ends`);
  } while (cursor !== null);
  return found;
}

const tilesPage: Check = async (t) => {
  const { zoneId, tiles } = await filledZone(t, 5);
  const path = `/api/board/${t.board.id}/tiles`;
  const found = await pages(t, path, "tiles", { zone_id: zoneId, limit: 2 });
  equal(
    found.slice(0, 3).map((page) => page.length),
    [2, 2, 1],
    "sizes of the pages",
  );
  equal(idsOf(found.flat()), idsOf(tiles), "the pages put together");
  for (const order of ["desc", "position"]) {
    const whole = await listed(t, { zone_id: zoneId, order });
    equal(idsOf((await pages(t, path, "tiles", { zone_id: zoneId, limit: 2, order })).flat()), idsOf(whole), `pages with order=${order}`);
  }
};

export const listingRequirements: readonly Requirement[] = [
  { id: "D-048", section, statement: "With `limit` and `cursor` tiles page and carry nextCursor, null at the end.", check: tilesPage },
  {
    id: "D-049",
    section,
    statement: "Boards and zones page in the same way.",
    check: async function boardsAndZonesPage(t) {
      await filledZone(t, 0);
      await t.zone();
      for (const [path, name] of [
        ["/api/board/boards", "boards"],
        [`/api/board/${t.board.id}/zones`, "zones"],
      ] as const) {
        const whole = listIn(await t.call("GET", path), name);
        const limit = Math.max(1, Math.ceil(whole.length / 4));
        equal(idsOf((await pages(t, path, name, { limit })).flat()), idsOf(whole), `${name}, page by page`);
      }
    },
  },
  {
    id: "D-050",
    section,
    statement: "A cursor that is not the service's is 400 `cursor is not valid.`",
    check: async function foreignCursorIsRefused(t) {
      const { zoneId } = await filledZone(t, 2);
      const reply = await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zoneId, limit: 1 } });
      const cursor = asText(asFields(reply.json, "the body")["nextCursor"], "nextCursor");
      const middle = Math.floor(cursor.length / 2);
      const tampered = cursor.slice(0, middle) + (cursor[middle] === "A" ? "B" : "A") + cursor.slice(middle + 1);
      for (const bad of ["garbage", "e30", "%%%", tampered]) {
        isRefused(
          await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zoneId, limit: 1, cursor: bad } }),
          400,
          "cursor is not valid.",
        );
      }
    },
  },
  {
    id: "D-051",
    section,
    statement: "`limit` is 1 to 500.",
    check: async function limitIsBounded(t) {
      for (const limit of ["0", "501", "-1", "many", "1.5"])
        isRefused(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { limit } }), 400, /^limit /);
      for (const limit of [1, 500]) await listed(t, { limit });
    },
  },
  {
    id: "D-052",
    section,
    statement: "Boards are listed default first, then by creation.",
    check: async function boardsAreOrdered(t) {
      const made = [await t.freshBoard(), await t.freshBoard()];
      const boards = listIn(await t.call("GET", "/api/board/boards"), "boards");
      equal(boards[0]?.["isDefault"], true, "isDefault of the first board");
      equal(idsOf(boards).slice(-2), idsOf(made), "the two boards made last");
    },
  },
  {
    id: "D-053",
    section,
    statement: "Zones are listed by sortOrder.",
    check: async function zonesAreOrdered(t) {
      const [one, two] = [await t.zone(), await t.zone()];
      const order = async () =>
        idsOf(listIn(await t.call("GET", `/api/board/${t.board.id}/zones`), "zones")).filter((id) => id === one.id || id === two.id);
      equal(await order(), [one.id, two.id], "order by creation");
      await t.call("PATCH", `/api/board/zones/${one.id}`, { body: { sort_order: Number(two["sortOrder"]) + 1 } });
      equal(await order(), [two.id, one.id], "order after the first zone moved behind");
    },
  },
  {
    id: "D-054",
    section,
    statement: "Tiles are listed by creation, oldest first; `order=desc` turns them.",
    check: async function tilesAreOrdered(t) {
      const { zoneId, tiles } = await filledZone(t, 4);
      equal(idsOf(await listed(t, { zone_id: zoneId })), idsOf(tiles), "order by creation");
      equal(idsOf(await listed(t, { zone_id: zoneId, order: "desc" })), idsOf(tiles).toReversed(), "order=desc");
    },
  },
  {
    id: "D-055",
    section,
    statement: "`order=position` sorts by zone and sortOrder.",
    check: async function tilesByPosition(t) {
      const { zoneId, tiles } = await filledZone(t, 3);
      const highest = Math.max(...tiles.map((tile) => Number(tile["sortOrder"])));
      await t.call("PATCH", `/api/board/tiles/${tiles[0]?.id}`, { body: { sort_order: highest + 1 } });
      const [first = "", ...rest] = idsOf(tiles);
      equal(
        idsOf(await listed(t, { zone_id: zoneId, order: "position" })),
        [...rest, first],
        "order=position after the first tile moved to the end",
      );
    },
  },
  {
    id: "D-056",
    section,
    statement: "Tiles filter by zone_id; one that is not this board's is 400.",
    check: async function zoneFilterIsChecked(t) {
      const foreign = await t.zone({}, (await t.otherBoard()).id);
      for (const zone of [foreign.id, "none"])
        isRefused(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zone } }), 400, /zone/);
    },
  },
  {
    id: "D-057",
    section,
    statement: "Tiles filter by status and type.",
    check: async function statusAndTypeFilter(t) {
      const { zoneId, tiles } = await filledZone(t, 2);
      equal(idsOf(await listed(t, { zone_id: zoneId, status: "ready" })), idsOf(tiles), "status=ready");
      equal(idsOf(await listed(t, { zone_id: zoneId, status: "failed" })), [], "status=failed");
      equal(idsOf(await listed(t, { zone_id: zoneId, type: "TEXT" })), idsOf(tiles), "type=TEXT");
      equal(idsOf(await listed(t, { zone_id: zoneId, type: "YOUTUBE" })), [], "type=YOUTUBE");
    },
  },
  {
    id: "D-058",
    section,
    statement: "Tiles filter by updated_since, then ordered by updatedAt and id.",
    check: async function updatedSinceFilters(t) {
      const { zoneId, tiles } = await filledZone(t, 1);
      await t.pause(20);
      const later = await t.tile({ zone_id: zoneId });
      const since = new Date(Date.parse(asText(later["updatedAt"], "updatedAt")) - 5).toISOString();
      equal(idsOf(await listed(t, { zone_id: zoneId, updated_since: since })), [later.id], "tiles changed since");
      await t.pause(20);
      await t.call("PATCH", `/api/board/tiles/${tiles[0]?.id}`, { body: { title: "Changed" } });
      equal(idsOf(await listed(t, { zone_id: zoneId, updated_since: since })), [later.id, tiles[0]?.id], "order by updatedAt");
      equal(
        idsOf((await pages(t, `/api/board/${t.board.id}/tiles`, "tiles", { zone_id: zoneId, updated_since: since, limit: 1 })).flat()),
        [later.id, tiles[0]?.id],
        "the same, page by page",
      );
    },
  },
  {
    id: "D-059",
    section,
    statement: "`text=false` leaves extractedText out.",
    check: async function textCanBeLeftOut(t) {
      const { zoneId } = await filledZone(t, 1);
      const [row] = await listed(t, { zone_id: zoneId, text: "false" });
      holds(row !== undefined && !("extractedText" in row), "the listing with text=false shows extractedText");
      holds("title" in row, "the listing with text=false lacks the title");
    },
  },
  {
    id: "D-060",
    section,
    statement: "Without `limit` a listing returns everything.",
    check: async function wholeListing(t) {
      const { zoneId, tiles } = await filledZone(t, 60);
      equal(idsOf(await listed(t, { zone_id: zoneId })), idsOf(tiles), "tiles of the zone");
    },
  },
];
