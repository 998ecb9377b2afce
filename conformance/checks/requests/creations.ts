import { assertEqual, assertError, assertMatch, assertStatus, getIds, getList, toObject } from "../../expect.ts";
import type { Probe, Resource } from "../../probe.ts";
import { defineRequirements } from "../../requirement.ts";

const PAGE = `<!doctype html><title>Harbour news</title><article><h1>Harbour news</h1><p>The harbour was dredged in March, and ships of
  four metres draught can moor again at the northern quay.</p><p>The next dredging is planned for the spring of the year after.</p></article>`;

/** Sends a creation to the board, and returns its whole response. */
async function create(t: Probe, boardId: string, body: object): Promise<Record<string, unknown> & { readonly tile: Resource }> {
  const reply = await t.call("POST", `/api/board/${boardId}/tiles`, { body });
  assertStatus(reply, 200);
  const fields = toObject(reply.json, "the response");
  return { ...fields, tile: fields["tile"] as Resource };
}

/** An address that no other check uses. */
const newAddress = (t: Probe): string => `https://${t.nonce()}.example.com/news`;

export const creationAdditions = defineRequirements("Creating tiles", {
  "A-211": {
    statement: "on_duplicate skip returns the live tile of the board with the same normalised address unchanged, with duplicate true.",
    check: async function skipReturnsSameAddress(t) {
      const { id } = await t.freshBoard();
      const address = newAddress(t);
      const first = await create(t, id, { url: `${address}/?b=2&a=1`, html: PAGE, on_duplicate: "skip" });
      assertEqual([first["created"], first["duplicate"]], [true, undefined], "created and duplicate of a new tile");
      // While a tile is being read, it changes by itself.
      const tile = await t.read("tile", first.tile.id, { wait: 25 });
      for (const url of [`${address}?a=1&b=2&utm_source=x#top`, `${address.toUpperCase().replace("/NEWS", "/news")}?a=1&fbclid=1&b=2`]) {
        const again = await create(t, id, { url, title: "New", onDuplicate: "skip" });
        assertMatch(again, { created: false, duplicate: true }, url);
        assertEqual(again.tile, tile, "the tile");
      }
      const other = await create(t, id, { url: `${address}?a=1`, on_duplicate: "skip" });
      assertEqual(other["created"], true, "created of another address");
    },
  },
  "A-212": {
    statement: "For content without source_url, a duplicate is a tile with exactly the same text; external_id is looked at first.",
    check: async function skipReturnsSameText(t) {
      const { id } = await t.freshBoard();
      const first = await create(t, id, { content: "Low tide at noon." });
      const named = await create(t, id, { content: "High tide at six.", external_id: "a" });
      const skip = async (body: object) => (await create(t, id, { ...body, on_duplicate: "skip" })).tile.id;
      assertEqual(await skip({ content: "Low tide at noon." }), first.tile.id, "the tile with the same text");
      assertEqual(await skip({ content: "Low tide at noon.", external_id: "a" }), named.tile.id, "the tile with the external id");
      const near = await create(t, id, { content: "Low tide at noon", on_duplicate: "skip" });
      assertEqual(near["created"], true, "created of a text that is not the same");
    },
  },
  "A-213": {
    statement: "on_duplicate update updates the existing tile; without on_duplicate another tile is made.",
    check: async function updateChangesDuplicate(t) {
      const { id } = await t.freshBoard();
      const body = { content: "Low tide at noon." };
      const { tile } = await create(t, id, body);
      const changed = await create(t, id, { ...body, title: "Tides", on_duplicate: "update" });
      assertMatch(changed, { created: false, changed: true, duplicate: true }, "the response");
      assertMatch(changed.tile, { id: tile.id, title: "Tides" }, "the tile");
      assertEqual((await create(t, id, body))["created"], true, "created without on_duplicate");
    },
  },
  "A-214": {
    statement: "source_url of a text is stored as sourceUrl and never fetched: the tile is a ready TEXT, and retry is 409.",
    check: async function textsKeepTheirAddress(t) {
      const sourceUrl = newAddress(t);
      const tile = await t.tile({ source_url: sourceUrl });
      assertMatch(tile, { type: "TEXT", status: "ready", sourceUrl }, "the tile");
      assertError(await t.call("POST", `/api/board/tiles/${tile.id}/retry`), 409);
      const reply = await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { url: newAddress(t), source_url: sourceUrl } });
      t.created(reply, "tile");
      assertEqual(reply.headers["x-ignored-fields"], "source_url", "X-Ignored-Fields of source_url beside url");
    },
  },
  "A-215": {
    statement: "html beside url is read instead of fetching the link; without url it is 400.",
    check: async function renderedPagesAreRead(t) {
      const url = newAddress(t).replace(".com", ".invalid");
      const { id } = await t.tile({ content: undefined, url, html: PAGE });
      const tile = await t.read("tile", id, { wait: 25 });
      assertMatch(tile, { status: "ready", title: "Harbour news", sourceUrl: url, error: null }, "the tile after ?wait=25");
      for (const body of [{ html: PAGE }, { content: "Text", html: PAGE }])
        assertError(await t.call("POST", `/api/board/${t.board.id}/tiles`, { body }), 400, "html needs url.");
    },
  },
  "A-216": {
    statement: "A listing is filtered by source_url in its normalised form.",
    check: async function listingsFilterByAddress(t) {
      const address = newAddress(t);
      const tile = await t.tile({ source_url: `${address}/?b=2&a=1` });
      const query = { source_url: `${address}?a=1&b=2&gclid=x` };
      const found = getList(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query }), "tiles");
      assertEqual(getIds(found), [tile.id], "the tiles with the address");
    },
  },
  "A-217": {
    statement: "A full tile has sourceId and hasFile, null and false for a text; source_id filters listings and bulk changes.",
    check: async function tilesHaveTheirOrigin(t) {
      const tile = await t.tile({ content: "No source" });
      assertMatch(tile, { sourceId: null, hasFile: false }, "the tile");
      const query = { source_id: `src_${t.nonce()}` };
      const found = getList(await t.call("GET", `/api/board/${t.board.id}/tiles`, { query }), "tiles");
      assertEqual(getIds(found), [], "the tiles of an unknown source");
      const body = { filter: query, action: { delete: true }, dry_run: true };
      const reply = await t.call("POST", `/api/board/${t.board.id}/tiles/bulk`, { body });
      assertEqual(reply.json, { matched: 0, changed: 0, tileIds: [] }, "a bulk change of an unknown source");
    },
  },
});
