import { defineRequirements } from "../../requirement.ts";
import { assert, assertError } from "../../expect.ts";
import { boardOutOfScope } from "../spec/access.ts";
import { FORBIDDEN_BOARD, FORBIDDEN_PERMISSION, NO_ID } from "../spec/shapes.ts";

const MALFORMED = { raw: '{"name": ' } as const;

const WRONG_KEY = "tsr_00000000000000000000000000000000000000";

export const orderRequirements = defineRequirements("Requests and errors › Order of checks", {
  "D-001": {
    statement: "An unknown path returns 404 `Not found.`, before the key is checked.",
    check: async function unknownPathIsCheckedFirst(t) {
      for (const key of [undefined, null, WRONG_KEY]) {
        assertError(await t.call("GET", "/api/board", { ...(key !== undefined && { key }) }), 404, "Not found.");
        assertError(await t.call("POST", "/api/nothing/here", { ...MALFORMED, ...(key !== undefined && { key }) }), 404, "Not found.");
      }
    },
  },
  "D-002": {
    statement: "A wrong method returns 405 with `Allow`, before the key is checked.",
    check: async function methodIsCheckedBeforeKey(t) {
      for (const [method, path, allowed] of [
        ["PUT", "/api/board/boards", ["GET"]],
        ["DELETE", `/api/board/${t.board.id}/zones`, ["GET", "POST"]],
        ["PUT", `/api/board/${t.board.id}/tiles`, ["GET", "POST"]],
        ["DELETE", `/api/board/${t.board.id}/ask`, ["GET", "POST"]],
        ["POST", `/api/board/zones/${NO_ID}`, ["PATCH", "DELETE"]],
        ["PUT", `/api/board/tiles/${NO_ID}`, ["PATCH", "DELETE"]],
        ["GET", "/api/inbound/tiles", ["POST"]],
      ] as const) {
        const reply = await t.call(method, path, { key: null });
        assertError(reply, 405);
        const allow = String(reply.headers["allow"] ?? "").split(/\s*,\s*/);
        for (const one of allowed)
          assert(allow.includes(one), `${method} ${path}: expected Allow to contain ${one}, got ${allow.join(", ") || "nothing"}`);
        assert(!allow.includes(method), `${method} ${path}: Allow contains the rejected method`);
      }
    },
  },
  "D-003": {
    statement: "The key (401) is checked before existence, media type and body.",
    check: async function keyIsCheckedBeforeExistence(t) {
      for (const path of [`/api/board/${t.board.id}/zones`, `/api/board/${NO_ID}/zones`, "/api/inbound/tiles"]) {
        assertError(await t.call("POST", path, { ...MALFORMED, key: WRONG_KEY }), 401);
        assertError(await t.call("POST", path, { ...MALFORMED, key: null, headers: { "content-type": "text/css" } }), 401);
      }
      assertError(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { ...MALFORMED, key: WRONG_KEY }), 401);
    },
  },
  "D-004": {
    statement: "The existence of board, zone and tile in the path (404) is checked before the body is read.",
    check: async function existenceIsCheckedBeforeBody(t) {
      for (const rest of ["zones", "tiles", "ask"])
        assertError(await t.call("POST", `/api/board/${NO_ID}/${rest}`, MALFORMED), 404, "Board not found.");
      assertError(await t.call("PATCH", `/api/board/zones/${NO_ID}`, MALFORMED), 404, "Zone not found.");
      assertError(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, MALFORMED), 404, "Tile not found.");
    },
  },
  "D-005": {
    statement:
      "Scope (403) is checked before the existence of the board and before the body, but after the existence of a zone or tile (404).",
    check: async function scopeIsCheckedBeforeBoard(t) {
      const key = t.option("scopedKey");
      const other = await boardOutOfScope(t);
      for (const id of [other.id, NO_ID])
        assertError(await t.call("POST", `/api/board/${id}/zones`, { ...MALFORMED, key }), 403, FORBIDDEN_BOARD);
      assertError(await t.call("PATCH", `/api/board/zones/${NO_ID}`, { ...MALFORMED, key }), 404, "Zone not found.");
      assertError(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { ...MALFORMED, key }), 404, "Tile not found.");
    },
  },
  "D-006": {
    statement: "Permission (403) is checked after existence and before the body.",
    check: async function permissionIsCheckedBeforeBody(t) {
      const key = t.option("readKey");
      assertError(await t.call("POST", `/api/board/${NO_ID}/zones`, { ...MALFORMED, key }), 404, "Board not found.");
      assertError(await t.call("POST", `/api/board/${t.board.id}/zones`, { ...MALFORMED, key }), 403, FORBIDDEN_PERMISSION);
    },
  },
  "D-007": {
    statement: "Inbound: the order of checks is body shape (400), existence of the board (404), zone (400).",
    check: async function inboundChecksBodyFirst(t) {
      const send = (body: object) => t.call("POST", "/api/inbound/tiles", { body });
      assertError(await send({ board_id: NO_ID }), 400, "Either content or url must be provided.");
      assertError(await send({ board_id: NO_ID, content: "x", zone_id: NO_ID }), 404, "Board not found.");
      assertError(await send({ board_id: t.board.id, content: "x", zone_id: NO_ID }), 400, "The zone does not belong to this board.");
    },
  },
  "D-008": {
    statement: "Inbound: permission (403) is checked before the body; scope (403) after the body shape and before existence.",
    check: async function inboundChecksScopeBeforeExistence(t) {
      const key = t.option("scopedKey");
      assertError(
        await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: NO_ID } }),
        400,
        "Either content or url must be provided.",
      );
      assertError(await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: NO_ID, content: "x" } }), 403, FORBIDDEN_BOARD);
      const readKey = t.option("readKey");
      assertError(await t.call("POST", "/api/inbound/tiles", { ...MALFORMED, key: readKey }), 403, FORBIDDEN_PERMISSION);
    },
  },
});
