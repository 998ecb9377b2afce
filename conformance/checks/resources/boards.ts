import type { Requirement } from "../../requirement.ts";
import { equal, hasFields, holds, isRefused, isStatus, listIn, objectIn } from "../../expect.ts";
import { BOARD } from "../spec/shapes.ts";

const section = "Resources › Additions › Boards";
const BOARDS = "/api/board/boards";
/** Without I, L, O and U. */
const CROCKFORD = /^[0-9a-hjkmnp-tv-z]{26}$/i;

export const boardAdditions: readonly Requirement[] = [
  {
    id: "D-061",
    section: "Resources",
    statement: "Identifiers are prefixed (`brd_`, `zon_`, `til_`) + 26 characters of Crockford base32, and time-ordered.",
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
        holds(id.startsWith(`${prefix}_`) && CROCKFORD.test(id.slice(4)), `expected ${prefix}_ and 26 characters, got ${id}`);
      }
      holds(zone.id < laterZone.id && tile.id < laterTile.id, "identifiers made later do not sort later");
    },
  },
  {
    id: "D-062",
    section,
    statement: "`POST /api/board/boards` makes a board: not the default, with a URL-safe slug of its name; a blank name is 400.",
    check: async function makesABoard(t) {
      const board = await t.freshBoard();
      hasFields(board, BOARD, "the board");
      equal(board["isDefault"], false, "isDefault");
      holds(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(String(board["slug"])), `expected a slug, got ${String(board["slug"])}`);
      isRefused(await t.call("POST", BOARDS, { body: { name: " " } }), 400, "name is required.");
    },
  },
  {
    id: "D-063",
    section: "Resources",
    statement: "A slug stays when its board is renamed.",
    check: async function slugStays(t) {
      const { id, slug } = await t.freshBoard();
      const board = objectIn(await t.call("PATCH", `${BOARDS}/${id}`, { body: { name: "Quite another name" } }), "board");
      equal([board["name"], board["slug"]], ["Quite another name", slug], "name and slug");
    },
  },
  {
    id: "D-064",
    section: "Resources",
    statement: "The default board can't be deleted (409).",
    check: async function defaultBoardStays(t) {
      const board = listIn(await t.call("GET", BOARDS), "boards").find((item) => item["isDefault"] === true);
      isRefused(await t.call("DELETE", `${BOARDS}/${String(board?.["id"])}`), 409);
    },
  },
  {
    id: "D-065",
    section,
    statement: "A deleted board is 404 for every call, and comes back with what it held by `POST …/restore`.",
    check: async function boardIsRestored(t) {
      const { id } = await t.freshBoard();
      const tile = await t.tile({}, id);
      const gone = await t.call("DELETE", `${BOARDS}/${id}`);
      isStatus(gone, 200);
      equal(gone.json, { ok: true }, "the body");
      for (const path of [`/api/board/${id}/zones`, `/api/board/${id}/tiles`])
        isRefused(await t.call("GET", path), 404, "Board not found.");
      isRefused(await t.call("GET", `/api/board/tiles/${tile.id}`), 404, "Tile not found.");
      isRefused(await t.call("DELETE", `${BOARDS}/${id}`), 404, "Board not found.");
      isStatus(await t.call("POST", `${BOARDS}/${id}/restore`), 200);
      equal(objectIn(await t.call("GET", `/api/board/tiles/${tile.id}`), "tile")["id"], tile.id, "the tile of the restored board");
    },
  },
  {
    id: "D-066",
    section,
    statement: "Making, changing and deleting boards takes an unscoped key.",
    check: async function scopedKeyMakesNoBoards(t) {
      const key = t.need("scopedKey");
      isRefused(await t.call("POST", BOARDS, { key, body: { name: "x" } }), 403);
      isRefused(await t.call("PATCH", `${BOARDS}/${t.need("scopedBoard")}`, { key, body: { name: "x" } }), 403);
      isRefused(await t.call("DELETE", `${BOARDS}/${t.need("scopedBoard")}`, { key }), 403);
    },
  },
];
