import { type Check, defineRequirements } from "../../requirement.ts";
import type { JsonObject } from "../../expect.ts";
import { toObject, toText, assertEqual, assert, getIds, assertError, getList } from "../../expect.ts";
import type { Resource, Probe } from "../../probe.ts";

/** Creates a zone with this many tiles. Returns the tiles in the order of their creation. */
export async function createZoneWithTiles(
  t: Probe,
  count: number,
): Promise<{ readonly zoneId: string; readonly tiles: readonly Resource[] }> {
  const { id: zoneId } = await t.zone({ name: "Listing" });
  const tiles: Resource[] = [];
  for (let n = 0; n < count; n++) tiles.push(await t.tile({ zone_id: zoneId, title: `Tile ${n}`, content: `Text ${n}` }));
  return { zoneId, tiles };
}

export async function listTiles(t: Probe, query: Readonly<Record<string, string | number>>): Promise<readonly JsonObject[]> {
  return getList(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query }), "tiles");
}

export async function readPages(
  t: Probe,
  path: string,
  name: string,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly (readonly JsonObject[])[]> {
  const found: (readonly JsonObject[])[] = [];
  let cursor: string | null = null;
  do {
    const reply = await t.call("GET", path, { query: { ...query, ...(cursor && { cursor }) } });
    found.push(getList(reply, name));
    const next: unknown = toObject(reply.json, "the body")["nextCursor"];
    assert(
      typeof next === "string" || next === null,
      `${reply.path}: expected nextCursor to be a string or null, got ${JSON.stringify(next)}`,
    );
    cursor = next;
    assert(found.length < 1000, `${path}: the cursor never ends`);
  } while (cursor !== null);
  return found;
}

const tilesArePaginated: Check = async (t) => {
  const { zoneId, tiles } = await createZoneWithTiles(t, 5);
  const path = `/api/board/${t.board.id}/tiles`;
  const found = await readPages(t, path, "tiles", { zone_id: zoneId, limit: 2 });
  assertEqual(
    found.slice(0, 3).map((page) => page.length),
    [2, 2, 1],
    "sizes of the pages",
  );
  assertEqual(getIds(found.flat()), getIds(tiles), "all pages together");
  for (const query of [{ order: "desc" }, { order: "position" }, { updated_since: "2020-01-01" }, { type: "TEXT" }, { text: "false" }]) {
    const whole = await listTiles(t, { zone_id: zoneId, ...query });
    const pages = await readPages(t, path, "tiles", { zone_id: zoneId, limit: 2, ...query });
    assertEqual(getIds(pages.flat()), getIds(whole), `pages with ${JSON.stringify(query)}`);
  }
};

export const listingRequirements = defineRequirements("Requests and errors › Listings", {
  "D-048": {
    statement: "With `limit` and `cursor`, tiles are listed in pages with nextCursor, which is null on the last page.",
    check: tilesArePaginated,
  },
  "D-049": {
    statement: "Boards and zones are listed in pages in the same way.",
    check: async function boardsAndZonesArePaginated(t) {
      await createZoneWithTiles(t, 0);
      await t.zone();
      for (const [path, name] of [
        ["/api/board/boards", "boards"],
        [`/api/board/${t.board.id}/zones`, "zones"],
      ] as const) {
        const whole = getList(await t.call("GET", path), name);
        const limit = Math.max(1, Math.ceil(whole.length / 4));
        assertEqual(getIds((await readPages(t, path, name, { limit })).flat()), getIds(whole), `${name}, page by page`);
      }
    },
  },
  "D-050": {
    statement: "A cursor that the service did not create returns 400 `cursor is not valid.`",
    check: async function invalidCursorIs400(t) {
      const { zoneId } = await createZoneWithTiles(t, 2);
      const reply = await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zoneId, limit: 1 } });
      const cursor = toText(toObject(reply.json, "the body")["nextCursor"], "nextCursor");
      const middle = Math.floor(cursor.length / 2);
      const tampered = cursor.slice(0, middle) + (cursor[middle] === "A" ? "B" : "A") + cursor.slice(middle + 1);
      for (const bad of ["garbage", "e30", "%%%", tampered]) {
        assertError(
          await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { zone_id: zoneId, limit: 1, cursor: bad } }),
          400,
          "cursor is not valid.",
        );
      }
    },
  },
  "D-051": {
    statement: "`limit` must be from 1 to 500.",
    check: async function limitIsValidated(t) {
      for (const limit of ["0", "501", "-1", "many", "1.5"])
        assertError(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query: { limit } }), 400, /^limit /);
      for (const limit of [1, 500]) await listTiles(t, { limit });
    },
  },
});
