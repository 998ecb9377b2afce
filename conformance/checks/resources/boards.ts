import { defineRequirements } from "../../requirement.ts";
import { assertEqual, assertFields, assert, assertError, assertStatus, getList, getObject } from "../../expect.ts";
import { BOARD } from "../spec/shapes.ts";

const BOARDS = "/api/board/boards";
/** Without I, L, O and U. */
const CROCKFORD = /^[0-9a-hjkmnp-tv-z]{26}$/i;

export const boardAdditions = defineRequirements("Resources", {
  "D-061": {
    statement: "Identifiers have a prefix (`brd_`, `zon_`, `til_`) and 26 characters of Crockford base32, and are time-ordered.",
    check: async function identifiersAreOrdered(t) {
      const zone = await t.zone();
      const tile = await t.tile();
      await t.pause(5);
      const [laterZone, laterTile] = [await t.zone(), await t.tile()];
      for (const [id, prefix] of [
        [t.board.id, "brd"],
        [zone.id, "zon"],
        [tile.id, "til"],
      ] as const) {
        assert(id.startsWith(`${prefix}_`) && CROCKFORD.test(id.slice(4)), `expected ${prefix}_ and 26 characters, got ${id}`);
      }
      assert(zone.id < laterZone.id && tile.id < laterTile.id, "later identifiers do not sort last");
    },
  },
  "D-062": {
    section: "Resources › Additions › Boards",
    statement: "`POST /api/board/boards` creates a board that is not the default and has a URL-safe slug; a blank name returns 400.",
    check: async function createsBoard(t) {
      const board = await t.freshBoard();
      assertFields(board, BOARD, "the board");
      assertEqual(board["isDefault"], false, "isDefault");
      assert(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(String(board["slug"])), `expected a slug, got ${String(board["slug"])}`);
      for (const name of [undefined, null, "", " \n"])
        assertError(await t.call("POST", BOARDS, { body: { name } }), 400, "name is required.");
    },
  },
  "D-063": {
    statement: "The slug does not change when the board is renamed.",
    check: async function slugDoesNotChange(t) {
      const { id, ...created } = await t.freshBoard();
      const board = getObject(await t.call("PATCH", `${BOARDS}/${id}`, { body: { name: "Quite another name" } }), "board");
      const { updatedAt } = board;
      assertEqual(board, { ...created, id, name: "Quite another name", updatedAt }, "the renamed board");
    },
  },
  "D-064": {
    statement: "The default board can't be deleted (409).",
    check: async function defaultBoardIsNotDeletable(t) {
      const board = getList(await t.call("GET", BOARDS), "boards").find((item) => item["isDefault"] === true);
      assertError(await t.call("DELETE", `${BOARDS}/${String(board?.["id"])}`), 409);
    },
  },
  "D-065": {
    section: "Resources › Additions › Boards",
    statement: "A deleted board returns 404 for every call; `POST …/restore` restores it with its content.",
    check: async function boardIsRestored(t) {
      const { id } = await t.freshBoard();
      const zone = await t.zone({}, id);
      const tile = await t.tile({ zone_id: zone.id, content: "The harbour opens at six." }, id);
      const gone = await t.call("DELETE", `${BOARDS}/${id}`);
      assertStatus(gone, 200);
      assertEqual(gone.json, { ok: true }, "the body");
      for (const path of [`/api/board/${id}/zones`, `/api/board/${id}/tiles`, `/api/board/${id}/ask?q=harbour`])
        assertError(await t.call("GET", path), 404, "Board not found.");
      for (const [path, noun] of [
        [`/api/board/zones/${zone.id}`, "Zone"],
        [`/api/board/tiles/${tile.id}`, "Tile"],
      ] as const) {
        assertError(await t.call("GET", path), 404, `${noun} not found.`);
        assertError(await t.call("POST", `${path}/restore`), 404, `${noun} not found.`);
      }
      assertError(await t.call("POST", `/api/board/tiles/${tile.id}/retry`), 404, "Tile not found.");
      assertError(await t.call("DELETE", `${BOARDS}/${id}`), 404, "Board not found.");
      assertError(await t.call("POST", "/api/inbound/tiles", { body: { board_id: id, content: "x" } }), 404, "Board not found.");
      const restored = await t.call("POST", `${BOARDS}/${id}/restore`);
      assertEqual(getObject(restored, "board")["id"], id, "id");
      assertEqual((await t.call("POST", `${BOARDS}/${id}/restore`)).json, restored.json, "the response to a second restore");
      assertEqual((await t.read("tile", tile.id))["zoneId"], zone.id, "zoneId of the tile of the restored board");
      const asked = await t.call("GET", `/api/board/${id}/ask`, { query: { q: "When does the harbour open?" } });
      assertEqual(getList(asked, "citations")[0]?.["tileId"], tile.id, "the tile that the answer cites");
    },
  },
  "D-066": {
    section: "Resources › Additions › Boards",
    statement: "Creating, changing and deleting boards requires an unscoped key.",
    check: async function scopedKeyCannotManageBoards(t) {
      const key = t.option("scopedKey");
      assertError(await t.call("POST", BOARDS, { key, body: { name: "x" } }), 403);
      assertError(await t.call("PATCH", `${BOARDS}/${t.option("scopedBoard")}`, { key, body: { name: "x" } }), 403);
      assertError(await t.call("DELETE", `${BOARDS}/${t.option("scopedBoard")}`, { key }), 403);
    },
  },
});
