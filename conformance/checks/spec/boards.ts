import { type Check, defineRequirements } from "../../requirement.ts";
import { assertEqual, assertFields, assert, assertError, getList } from "../../expect.ts";
import { BOARD, NO_ID } from "./shapes.ts";

const listsBoards: Check = async (t) => {
  const boards = getList(await t.call("GET", "/api/board/boards"), "boards");
  for (const [index, board] of boards.entries()) assertFields(board, BOARD, `boards[${index}]`);
};

const unknownBoardIs404: Check = async (t) => {
  const body = { question: "Anything?", content: "x", name: "x" };
  for (const [method, rest] of [
    ["GET", "zones"],
    ["POST", "zones"],
    ["GET", "tiles"],
    ["POST", "tiles"],
    ["POST", "ask"],
    ["GET", "ask?q=Anything"],
  ] as const) {
    const request = method === "POST" ? { body } : {};
    assertError(await t.call(method, `/api/board/${NO_ID}/${rest}`, request), 404, "Board not found.");
  }
};

export const boardRequirements = defineRequirements("Resources › Board", {
  "S-001": {
    statement: "A board has the strings id, name and slug, and the boolean isDefault.",
    check: listsBoards,
  },
  "S-002": {
    section: "Endpoints › List boards",
    statement: "`GET /api/board/boards` returns `{ boards: [{ id, name, isDefault, slug }] }`.",
    check: listsBoards,
  },
  "S-003": {
    statement: "isDefault is true for the default board of the business only.",
    check: async function oneBoardIsTheDefault(t) {
      const boards = getList(await t.call("GET", "/api/board/boards"), "boards");
      assertEqual(boards.filter((board) => board["isDefault"] === true).length, 1, "boards with isDefault true");
    },
  },
  "S-004": {
    statement: "A slug is a URL-safe name of the board.",
    check: async function slugsAreUrlSafe(t) {
      for (const { slug } of getList(await t.call("GET", "/api/board/boards"), "boards")) {
        assert(/^[A-Za-z0-9._~-]+$/.test(String(slug)), `expected a URL-safe slug, got ${String(slug)}`);
      }
    },
  },
  "S-005": {
    statement: "Deleted boards are excluded from listings.",
    check: async function deletedBoardsAreNotListed(t) {
      const { id } = await t.freshBoard();
      assertEqual((await t.call("DELETE", `/api/board/boards/${id}`)).status, 200, "status of deleting a board");
      const boards = getList(await t.call("GET", "/api/board/boards"), "boards");
      assert(!boards.some((board) => board["id"] === id), "a deleted board is still listed");
    },
  },
  "S-006": {
    section: "Endpoints › List boards",
    statement: "An unscoped key gets every board of the business that is not deleted.",
    check: async function newBoardIsListed(t) {
      const { id } = await t.freshBoard();
      const boards = getList(await t.call("GET", "/api/board/boards"), "boards");
      assert(
        boards.some((board) => board["id"] === id),
        "a new board is not listed",
      );
    },
  },
  "S-007": { section: "Errors", statement: "A board that does not exist returns 404 `Board not found.`", check: unknownBoardIs404 },
});
