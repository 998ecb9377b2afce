import type { Requirement } from "../../requirement.ts";
import { equal, holds, isRefused, isStatus } from "../../expect.ts";
import { boardOutOfScope } from "../spec/access.ts";
import { FORBIDDEN_BOARD, FORBIDDEN_PERMISSION, NO_ID } from "../spec/shapes.ts";

const MALFORMED = { raw: '{"name": ' } as const;
const WRONG_KEY = "tsr_00000000000000000000000000000000000000";
const section = "Requests and errors › Order of checks";

export const orderRequirements: readonly Requirement[] = [
  {
    id: "D-001",
    section,
    statement: "An unknown path is 404 `Not found.`, before the key.",
    check: async function unknownPathComesFirst(t) {
      for (const key of [undefined, null, WRONG_KEY]) {
        isRefused(await t.call("GET", "/api/board", { ...(key !== undefined && { key }) }), 404, "Not found.");
        isRefused(await t.call("POST", "/api/nothing/here", { ...MALFORMED, ...(key !== undefined && { key }) }), 404, "Not found.");
      }
    },
  },
  {
    id: "D-002",
    section,
    statement: "A wrong method is 405 with `Allow`, before the key.",
    check: async function wrongMethodComesFirst(t) {
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
        isRefused(reply, 405);
        const allow = String(reply.headers["allow"] ?? "").split(/\s*,\s*/);
        for (const one of allowed)
          holds(allow.includes(one), `${method} ${path}: expected Allow to name ${one}, got ${allow.join(", ") || "nothing"}`);
        holds(!allow.includes(method), `${method} ${path}: Allow names the very method that was refused`);
      }
    },
  },
  {
    id: "D-003",
    section,
    statement: "The key (401) comes before existence, before the media type and before the body.",
    check: async function keyComesBeforeAll(t) {
      for (const path of [`/api/board/${t.board.id}/zones`, `/api/board/${NO_ID}/zones`, "/api/inbound/tiles"]) {
        isRefused(await t.call("POST", path, { ...MALFORMED, key: WRONG_KEY }), 401);
        isRefused(await t.call("POST", path, { ...MALFORMED, key: null, headers: { "content-type": "text/css" } }), 401);
      }
      isRefused(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { ...MALFORMED, key: WRONG_KEY }), 401);
    },
  },
  {
    id: "D-004",
    section,
    statement: "Existence of board, zone and tile in the path (404) comes before the body is read.",
    check: async function existenceComesBeforeTheBody(t) {
      for (const rest of ["zones", "tiles", "ask"])
        isRefused(await t.call("POST", `/api/board/${NO_ID}/${rest}`, MALFORMED), 404, "Board not found.");
      isRefused(await t.call("PATCH", `/api/board/zones/${NO_ID}`, MALFORMED), 404, "Zone not found.");
      isRefused(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, MALFORMED), 404, "Tile not found.");
    },
  },
  {
    id: "D-005",
    section,
    statement: "Scope (403) comes before the board's existence and before the body; a missing zone or tile (404) before scope.",
    check: async function scopeComesBeforeTheBoard(t) {
      const key = t.need("scopedKey");
      const other = await boardOutOfScope(t);
      for (const id of [other.id, NO_ID])
        isRefused(await t.call("POST", `/api/board/${id}/zones`, { ...MALFORMED, key }), 403, FORBIDDEN_BOARD);
      isRefused(await t.call("PATCH", `/api/board/zones/${NO_ID}`, { ...MALFORMED, key }), 404, "Zone not found.");
      isRefused(await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { ...MALFORMED, key }), 404, "Tile not found.");
    },
  },
  {
    id: "D-006",
    section,
    statement: "Permission (403) comes after existence and before the body.",
    check: async function permissionComesBeforeTheBody(t) {
      const key = t.need("readKey");
      isRefused(await t.call("POST", `/api/board/${NO_ID}/zones`, { ...MALFORMED, key }), 404, "Board not found.");
      isRefused(await t.call("POST", `/api/board/${t.board.id}/zones`, { ...MALFORMED, key }), 403, FORBIDDEN_PERMISSION);
    },
  },
  {
    id: "D-007",
    section,
    statement: "Inbound: body shape (400) comes before the board's existence (404), and that before the zone (400).",
    check: async function inboundChecksShapeFirst(t) {
      const send = (body: object) => t.call("POST", "/api/inbound/tiles", { body });
      isRefused(await send({ board_id: NO_ID }), 400, "Either content or url must be provided.");
      isRefused(await send({ board_id: NO_ID, content: "x", zone_id: NO_ID }), 404, "Board not found.");
      isRefused(await send({ board_id: t.board.id, content: "x", zone_id: NO_ID }), 400, "The zone does not belong to this board.");
    },
  },
  {
    id: "D-008",
    section,
    statement: "Inbound: permission (403) comes before the body; scope (403) after its shape and before existence.",
    check: async function inboundChecksScopeBeforeExistence(t) {
      const key = t.need("scopedKey");
      isRefused(
        await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: NO_ID } }),
        400,
        "Either content or url must be provided.",
      );
      isRefused(await t.call("POST", "/api/inbound/tiles", { key, body: { board_id: NO_ID, content: "x" } }), 403, FORBIDDEN_BOARD);
      const readKey = t.need("readKey");
      isRefused(await t.call("POST", "/api/inbound/tiles", { ...MALFORMED, key: readKey }), 403, FORBIDDEN_PERMISSION);
    },
  },
  {
    id: "D-009",
    section: "Requests and errors",
    statement: "A body that is not JSON is 400 `The request body is not valid JSON.`",
    check: async function malformedJsonIs400(t) {
      for (const path of [
        `/api/board/${t.board.id}/zones`,
        `/api/board/${t.board.id}/tiles`,
        `/api/board/${t.board.id}/ask`,
        "/api/inbound/tiles",
      ]) {
        for (const raw of ['{"name": ', "{name: 'x'}", "\u0001"])
          isRefused(await t.call("POST", path, { raw }), 400, "The request body is not valid JSON.");
      }
      isRefused(await t.call("POST", `/api/board/${t.board.id}/zones`, { raw: Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d) }), 400);
    },
  },
  {
    id: "D-010",
    section: "Requests and errors",
    statement: "JSON that is no object lacks every field: 400.",
    check: async function otherJsonIs400(t) {
      for (const raw of ["[]", '"text"', "null", "12", "true"]) {
        isRefused(await t.call("POST", `/api/board/${t.board.id}/zones`, { raw }), 400);
        isRefused(await t.call("POST", "/api/inbound/tiles", { raw }), 400);
      }
    },
  },
  {
    id: "D-011",
    section: "Requests and errors",
    statement: "A wrong media type is 415.",
    check: async function wrongMediaTypeIs415(t) {
      for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
        isRefused(
          await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw: '{"content":"x"}', headers: { "content-type": type } }),
          415,
        );
      }
      const reply = await t.call("POST", `/api/board/${t.board.id}/tiles`, {
        raw: '{"content":"x"}',
        headers: { "content-type": "application/json; charset=utf-8" },
      });
      equal(t.made(reply, "tile")["title"], "Untitled note", "title of a tile sent with a charset parameter");
    },
  },
  {
    id: "D-012",
    section: "Requests and errors",
    statement: "A body over 16 MiB is 413.",
    check: async function hugeBodyIs413(t) {
      const raw = `{"content":"${"x".repeat(17 * 1024 * 1024)}"}`;
      isRefused(await t.call("POST", `/api/board/${t.board.id}/tiles`, { raw }), 413);
      isRefused(await t.call("POST", "/api/inbound/tiles", { raw }), 413);
    },
  },
  {
    id: "D-013",
    section: "Requests and errors",
    statement: "Every answer carries its id in `X-Request-Id`, never in the body.",
    check: async function answersCarryARequestId(t) {
      const replies = [
        await t.call("GET", "/api/board/boards"),
        await t.call("GET", "/api/board/boards", { key: null }),
        await t.call("GET", "/api/none"),
        await t.call("POST", `/api/board/${t.board.id}/zones`, MALFORMED),
        await t.call("PATCH", `/api/board/tiles/${NO_ID}`, { body: {} }),
      ];
      for (const reply of replies) holds(Boolean(reply.headers["x-request-id"]), `${reply.method} ${reply.path}: no X-Request-Id`);
      equal(new Set(replies.map((reply) => reply.headers["x-request-id"])).size, replies.length, "different request ids");
    },
  },
  {
    id: "D-014",
    section: "Requests and errors",
    statement: "Success is 200, creations included.",
    check: async function creationsAre200(t) {
      const zone = await t.call("POST", `/api/board/${t.board.id}/zones`, { body: { name: "Two hundred" } });
      const tile = await t.call("POST", `/api/board/${t.board.id}/tiles`, { body: { content: "x" } });
      const inbound = await t.call("POST", "/api/inbound/tiles", { body: { board_id: t.board.id, content: "x" } });
      for (const reply of [zone, tile, inbound]) isStatus(reply, 200);
      t.made(zone, "zone");
      for (const reply of [tile, inbound]) t.made(reply, "tile");
    },
  },
];
